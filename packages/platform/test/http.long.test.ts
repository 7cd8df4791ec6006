import { after, before, describe, test } from "node:test";
import { parseAllowedHosts } from "../src/addresses.ts";
import { nodeHttp } from "../src/http.node.ts";
import type { OutboundHttp } from "../src/http.ts";
import { workersHttp } from "../src/http.workers.ts";
import { httpContract } from "./contracts/http.ts";
import { type HttpServers, startHttpServers } from "./contracts/http-server.ts";

const allow = parseAllowedHosts("127.0.0.1");
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
