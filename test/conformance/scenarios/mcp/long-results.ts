import assert from "node:assert/strict";
import { ERAS, type Era } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { createWorkflow, echo, save } from "../executor/saving.ts";
import { callForProblem, callTool } from "./asking.ts";
import { OPEN } from "./settings.ts";

interface Run {
	readonly execution_id: string;
	readonly data: unknown;
	readonly truncated: boolean;
	readonly total_chars: number;
	readonly omitted: readonly { readonly path: string; readonly kept: number; readonly total: number }[];
	readonly next: string;
}

interface Part {
	readonly output: unknown;
	readonly next_offset: number | null;
}

const items = Array.from({ length: 600 }, (_, nth) => ({ nth, text: `${nth} 茶 ${"x".repeat(100)}` }));

/** Reads a list of an output to its end, with the offset of each response. */
async function readAll(world: World, execution_id: string, select: string, era: Era): Promise<unknown[]> {
	const seen: unknown[] = [];
	let offset: number | null = 0;
	while (offset !== null) {
		const part: Part = await callTool<Part>(
			world,
			"get_execution",
			{ execution_id, select, offset },
			{ era },
		);
		const list = part.output as unknown[];
		// The last element contains the number of remaining ones.
		seen.push(...(part.next_offset === null ? list : list.slice(0, -1)));
		offset = part.next_offset;
	}
	return seen;
}

export const longResults: readonly Scenario[] = [
	{
		name: "a long output is shortened to its budget, shows what is missing, and can be read page by page",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			for (const era of ERAS) {
				const args = { name: "job", input: { items } };
				const ran = await callTool<Run>(world, "run_workflow", args, { era });
				assert.equal(ran.truncated, true);
				assert.ok(ran.total_chars > 60_000);
				assert.deepEqual([ran.omitted[0]?.path, ran.omitted[0]?.total], ["got.items", 600]);
				assert.match(ran.next, /get_execution/);
				assert.deepEqual(await readAll(world, ran.execution_id, "got.items", era), items);
				const slice = { execution_id: ran.execution_id, select: "got.items[20:22]" };
				assert.deepEqual(
					(await callTool<Part>(world, "get_execution", slice, { era })).output,
					items.slice(20, 22),
				);
			}
		},
	},
	{
		name: "max_chars and select choose how much and which part of an output is returned",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			for (const max_chars of [2_000, 5_000, 100_000]) {
				await callTool(world, "run_workflow", { name: "job", input: { items }, max_chars, trace: true });
			}
			const args = { name: "job", input: { items }, select: "got.items[599].nth" };
			assert.equal((await callTool<Run>(world, "run_workflow", args)).data, 599);
		},
	},
	{
		name: "the output of another tenant's run, or one that is no longer held, is not returned",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			const { execution_id } = await callTool<Run>(world, "run_workflow", { name: "job", input: { items } });
			const theirs = { bearer: `${world.owner}-other` };
			const said = await callForProblem(world, "get_execution", { execution_id, select: "got" }, theirs);
			assert.match(said, /no execution/);
			await world.target.setNow(Date.now() + 16 * 60_000);
			assert.match(
				await callForProblem(world, "get_execution", { execution_id, select: "got" }),
				/not available/,
			);
			const detail = await callTool(world, "get_execution", { execution_id });
			assert.deepEqual([detail.output_held, detail.output], [false, null]);
		},
	},
	{
		name: "a long entry and a long document can be read in parts without gaps",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const content = `${"a".repeat(997)}😀"\n`.repeat(45);
			const { id } = await callTool(world, "save_entry", { page_name: "long", content });
			let [whole, offset]: [string, number | null] = ["", 0];
			while (offset !== null) {
				const part: { content: string; next_offset: number | null } = await callTool(world, "get_entry", {
					id,
					offset,
				});
				assert.ok(part.content.isWellFormed());
				whole += part.content;
				offset = part.next_offset;
			}
			assert.equal(whole, content);

			const text = "y".repeat(30_000);
			await save(world, createWorkflow("long", { component: "template", text }));
			const told = await callTool(world, "get_workflow", { name: "long" });
			assert.equal(told.truncated, true);
			assert.match(String(told.next), /do not save it in this form/);
			const args = { name: "long", select: "config.only.text", max_chars: 40_000 };
			assert.equal((await callTool(world, "get_workflow", args)).document, text);
		},
	},
	{
		name: "long lists of workflows and components are split into pages with a cursor",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const names = Array.from({ length: 30 }, (_, nth) => `w${String(nth).padStart(2, "0")}`);
			for (const name of names) await save(world, echo(name));
			const seen: string[] = [];
			let cursor: string | null = null;
			do {
				const page: { workflows: { name: string }[]; next_cursor: string | null } = await callTool(
					world,
					"list_workflows",
					{ limit: 7, ...(cursor !== null && { cursor }) },
				);
				assert.ok(page.workflows.length <= 7);
				seen.push(...page.workflows.map(({ name }) => name));
				cursor = page.next_cursor;
			} while (cursor !== null);
			assert.deepEqual(seen, names);
			assert.match(await callForProblem(world, "list_workflows", { cursor: "none" }), /cursor/);
		},
	},
];
