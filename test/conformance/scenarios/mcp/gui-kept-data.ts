import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { ExecutionSettings, KeptData } from "@tripline/contract/kept-data";
import type { Scenario } from "../../scenario.ts";
import { eventually } from "../executor/eventually.ts";
import { createWorkflow, echo, run, save, waitForRecords } from "../executor/saving.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { OPEN } from "./settings.ts";

const CITES = ["MCP-GUI-AUTH", "MCP-THIN-SHELL"] as const;
const KEEP_ALL = { options: { keep: "all" } };

/** Fails for elements that are not numbers, and goes on. */
const loop = {
	...createWorkflow("loop", {}),
	triplets: ["input >> then >> list", "list >> for each x >> one"],
	config: {
		list: { component: "foreach", items: "{{input.items}}", on_item_error: "collect" },
		one: { component: "compute", values: { double: "x * 2" } },
	},
	...KEEP_ALL,
};

export const guiKeptData: readonly Scenario[] = [
	{
		name: "the console reads and deletes what a run received and gave, and another tenant finds nothing",
		cites: [...CITES, "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			await save(world, echo("kept", KEEP_ALL));
			const { execution_id } = await run(world, "kept", { a: 1 });
			const path = `/executions/${execution_id}/data`;
			const data = await eventually(() => gui.expect(200, KeptData.strict(), "GET", path));
			assert.deepEqual(data.input, { json: { a: 1 } });
			assert.deepEqual(data.nodes[0]?.output, { json: { got: { a: 1 } } });
			const others = openOthersConsole(world);
			await others.refuse(404, "GET", path);
			await others.refuse(404, "DELETE", path);
			assert.equal((await world.anyone.call("GET", `/gui${path}`)).status, 401);
			await gui.expect(200, DeletedAnswer, "DELETE", path);
			assert.match((await gui.refuse(404, "GET", path)).error, /^nothing is kept of this run/);
			await gui.refuse(404, "DELETE", path);
			const [record] = await waitForRecords(world, "kept", 1);
			assert.equal(record?.id, execution_id);
		},
	},
	{
		name: "the console reads the elements of a loop page by page, failing ones first if it asks for that",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			await save(world, loop);
			const { execution_id } = await run(world, "loop", { items: [0, 1, "no", 3, "no"] });
			const path = `/executions/${execution_id}/data`;
			const read = (query: Record<string, string>) =>
				eventually(() => gui.expect(200, KeptData, "GET", path, { query: { node: "one", ...query } }));
			const first = await read({ order: "failed_first", limit: "3" });
			const cursor = first.next_cursor ?? "";
			const second = await read({ order: "failed_first", limit: "3", cursor });
			assert.equal(second.next_cursor, null);
			assert.deepEqual(
				[...first.nodes, ...second.nodes].map(({ place, status }) => [place, status]),
				[
					["2", "failed"],
					["4", "failed"],
					["0", "success"],
					["1", "success"],
					["3", "success"],
				],
			);
			const { nodes } = await read({});
			assert.deepEqual(
				nodes.map(({ place }) => place),
				["0", "1", "2", "3", "4"],
			);
			assert.deepEqual(
				(await read({ place: "3" })).nodes.map(({ output }) => output),
				[{ json: { double: 6 } }],
			);
			for (const wrong of ["order=newest", "limit=201", "place=a", "cursor=%20", "nodes=one"])
				await gui.refuse(422, "GET", `${path}?${wrong}`);
			await gui.refuse(404, "GET", `${path}?node=nobody`);
		},
	},
	{
		name: "the console sets what is kept of the namespace's runs",
		cites: CITES,
		environment: OPEN,
		async run(world) {
			const gui = openConsole(world);
			const path = "/executions/settings";
			assert.deepEqual(await gui.expect(200, ExecutionSettings, "GET", path), { keep: "memory" });
			const body = { keep: "all" };
			assert.deepEqual(await gui.expect(200, ExecutionSettings, "PUT", path, { body }), body);
			assert.deepEqual(await gui.expect(200, ExecutionSettings, "GET", path), body);
			assert.deepEqual(await openOthersConsole(world).expect(200, ExecutionSettings, "GET", path), {
				keep: "memory",
			});
			await gui.refuse(422, "PUT", path, { body: { keep: "everything" } });
			await gui.refuse(422, "PUT", path, { body: {} });
		},
	},
];
