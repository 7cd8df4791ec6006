import { TerminalError } from "@tripline/engine/terminal-error";
import { resolveHosts } from "../outbound/hosts.ts";
import type { Credential } from "./credential.ts";

const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[^:*]+)(?::(\d+))?$/;

/** The only server that a credential's secret goes to. */
export function readServerAddress(credential: Credential): {
	/** Without brackets. */
	readonly hostname: string;
	/** Undefined: the usual one. */
	readonly port: number | undefined;
} {
	const { name, recipe } = credential;
	const [, hostname = "", port] = HOST_AND_PORT.exec(resolveHosts(recipe.hosts, credential)[0] ?? "") ?? [];
	if (hostname === "") throw new TerminalError(`credential ${JSON.stringify(name)} names no host`);
	return {
		hostname: hostname.replace(/^\[|\]$/g, ""),
		port: port === undefined ? undefined : Number(port),
	};
}
