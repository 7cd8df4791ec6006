import { join } from "node:path";
import { openInstance } from "../executor/instance.ts";
import { startLayer } from "../executor/layers.ts";
import { startLoad } from "../executor/load.ts";
import { compareServed, toInformation } from "../executor/served.ts";
import { triggerRequest } from "../executor/workflow.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { requestGraph } from "./calls.ts";
import { CODE, ORDER } from "./order.ts";
import type { Outside } from "./outside.ts";

const PACE = { rounds: 5, warmups: 2, count: 1_000, connections: 32 };

/** Triggers of a workflow with one outbound node, against a bare `node:http` server with the same answer. */
export async function throughService(outside: Outside, onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	await using instance = await openInstance(join(folder.path, "service"), {
		ALLOW_PRIVATE_HOSTS: "127.0.0.1",
	});
	await using load = startLoad();
	const rows: Row[] = [];
	const graphs = {
		code: {
			id: "code",
			nodes: [{ id: "order", component: "code", params: { code: CODE, input: ORDER } }],
			edges: [],
		},
		http_request: requestGraph(`${outside.url}/thing`, "http_request"),
	};
	for (const [component, graph] of Object.entries(graphs)) {
		onProgress(`trigger of ${component}`);
		const target = await instance.webhook(graph);
		const answer = (await instance.answer(target)) as { success?: boolean };
		if (answer.success !== true) throw new Error(`the run failed: ${JSON.stringify(answer)}`);
		const requests = [triggerRequest(target)];
		await using bare = await startLayer("bare", join(folder.path, component), answer);
		const compared = await compareServed(load, PACE, {
			floor: { ...bare, requests },
			ours: { ...instance, url: instance.publicUrl, requests },
		});
		const { floor, ours, ratio } = compared;
		const what = `trigger of one ${component} node`;
		rows.push({ what, unit: "µs", floor, ours, ratio }, ...toInformation("the same", compared));
	}
	return rows;
}
