import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { listen } from "./stand-in/server.ts";

/** Preloaded into the command line's process, so that it reaches deployed workers through the tests. */
const FETCH_HOOK = `
const real = globalThis.fetch;
globalThis.fetch = async (request, init) => {
	if (!new URL(request.url).hostname.endsWith(".workers.dev")) return real(request, init);
	const { method, headers } = request;
	const body = request.body === null ? null : await request.arrayBuffer();
	const sent = new Headers(headers);
	sent.set("test-address", request.url);
	return real(process.env.TEST_WORKERS, { method, headers: sent, body, redirect: "manual", ...init });
};
`;

/** The environment of programs that run in their own process, as the machine's user. */
export interface OwnProcess {
	readonly env: Readonly<Record<string, string>>;
	close(): Promise<void>;
}

/** Writes the files that it needs into the folder. */
export async function startOwnProcess(machine: Machine, folder: string): Promise<OwnProcess> {
	const reaching = join(folder, "reaching.mjs");
	writeFileSync(reaching, FETCH_HOOK);
	const gateway = await listen(async (request) => {
		const address = request.headers.get("test-address") ?? "";
		const { method, headers } = request;
		const body = request.body === null ? null : await request.arrayBuffer();
		return machine.fetch(new Request(address, { method, headers, body, redirect: "manual" }));
	});
	const { TRIPLINE_BUNDLES: _, ...given } = machine.env;
	const env = {
		...given,
		PATH: process.env.PATH ?? "",
		HOME: machine.home,
		TEST_WORKERS: gateway.url,
		NODE_OPTIONS: `--import=${reaching}`,
	};
	return { env, close: () => gateway.close() };
}
