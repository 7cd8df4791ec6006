import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./machine.ts";
import { listen } from "./stand-in/server.ts";

/** In the process of the command line: deployed workers are reached by way of the tests. */
const REACHING = `
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

/** For programs that are run in processes of their own, as the machine's user. */
export interface OwnProcess {
	readonly env: Readonly<Record<string, string>>;
	close(): Promise<void>;
}

/** What it needs is written into the folder. */
export async function startOwnProcess(machine: Machine, folder: string): Promise<OwnProcess> {
	const reaching = join(folder, "reaching.mjs");
	writeFileSync(reaching, REACHING);
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
