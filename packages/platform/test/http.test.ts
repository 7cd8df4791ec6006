import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Miniflare } from "miniflare";
import { startWorker } from "../../../test/workerd.ts";
import { allowedHosts } from "../src/addresses.ts";
import { nodeHttp } from "../src/http.node.ts";
import type { OutboundHttp } from "../src/http.ts";
import { workersHttp } from "../src/http.workers.ts";
import { httpContract } from "./contracts/http.ts";
import { type HttpServers, startHttpServers } from "./contracts/http-server.ts";

const allow = allowedHosts("127.0.0.1");
const adapters = { "on Node": () => nodeHttp({ allow }), "by fetch": () => workersHttp({ allow }) };

for (const [platform, open] of Object.entries(adapters)) {
	describe(`outbound HTTP ${platform}`, () => {
		let servers: HttpServers;
		let http: OutboundHttp;
		before(async () => {
			servers = await startHttpServers();
			http = open();
		});
		after(async () => {
			await http.close();
			await servers.close();
		});
		for (const { name, run } of httpContract) test(name, () => run({ ...servers, http }));
	});
}

describe("outbound HTTP on workerd", () => {
	let servers: HttpServers;
	let miniflare: Miniflare;
	let url: string;
	before(async () => {
		servers = await startHttpServers();
		const entry = fileURLToPath(new URL("contracts/http.worker.ts", import.meta.url));
		({ miniflare, url } = await startWorker({ entry }));
	});
	after(async () => {
		await miniflare.dispose();
		await servers.close();
	});
	for (const [index, { name }] of httpContract.entries()) {
		test(name, async () => {
			const response = await fetch(`${url}/${index}?web=${servers.web}&raw=${servers.raw}`);
			assert.equal(response.status, 200, await response.text());
		});
	}
});
