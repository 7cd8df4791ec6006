import { fileURLToPath } from "node:url";
import { testContractOnWorkerd } from "../../../test/workerd-contract.ts";
import { httpContract } from "./contracts/http.ts";
import { startHttpServers } from "./contracts/http-server.ts";
import { httpStreamContract } from "./contracts/http-streams.ts";

testContractOnWorkerd("outbound HTTP on workerd", {
	worker: { entry: fileURLToPath(new URL("contracts/http.worker.ts", import.meta.url)) },
	cases: [...httpContract, ...httpStreamContract],
	async open() {
		const servers = await startHttpServers();
		return { query: `?web=${servers.web}&raw=${servers.raw}`, close: () => servers.close() };
	},
});
