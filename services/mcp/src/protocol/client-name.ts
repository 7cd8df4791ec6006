import { OWN_CLIENTS } from "@tripline/contract/workflow-versions";
import { cleanClientName } from "../oauth/client-id.ts";

/** Browsers and HTTP libraries, whose names say nothing about the assistant. */
const GENERIC = /^(?:mozilla|node|undici|axios|python|aiohttp|go-http-client|okhttp|java|bun|deno)\b/i;

/** How the client of an assistant is named in the versions of a workflow. */
export function chooseClientName(said: {
	/** The name of its registration, which the owner saw at the login. */
	readonly registered: string | null;
	/** The name of the client in the request; only revisions since 2026-07-28 have it. */
	readonly info: unknown;
	readonly userAgent: string | null;
}): string {
	const product = /^[^/(]+/.exec(said.userAgent ?? "")?.[0] ?? "";
	const names = [said.registered, said.info, GENERIC.test(product) ? null : product];
	return (
		names.map(cleanClientName).find((name) => name !== null && !OWN_CLIENTS.has(name.toLowerCase())) ?? "mcp"
	);
}
