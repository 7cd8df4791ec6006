import assert from "node:assert/strict";
import type { Scenario } from "../../scenario.ts";
import { createWorkflow, echo, getNamedPath, run, save, waitForRecords } from "./saving.ts";

const output_schema = {
	type: "object",
	required: ["got"],
	properties: { got: { type: "object", required: ["total"], properties: { total: { type: "number" } } } },
};
const PROBLEM = "result: does not match options.output_schema: got.total: ";

export const outputSchemas: readonly Scenario[] = [
	{
		name: "a run whose data does not match options.output_schema fails and says where",
		cites: [],
		async run(world) {
			await save(world, echo("totals", { options: { output_schema } }));
			assert.deepEqual((await run(world, "totals", { total: 3 })).data, { got: { total: 3 } });
			const failed = await run(world, "totals", { total: "3" }, 500);
			assert.equal(failed.data, null);
			assert.ok(failed.error?.startsWith(PROBLEM), String(failed.error));
			assert.deepEqual(
				failed.nodes?.map(({ id, status }) => [id, status]),
				[["only", "success"]],
			);
			const [record] = await waitForRecords(world, "totals", 2);
			assert.deepEqual([record?.verdict, record?.error], ["failed", failed.error]);
		},
	},
	{
		name: "a called workflow whose data does not match its output_schema fails the node",
		cites: [],
		async run(world) {
			await save(world, echo("called", { options: { output_schema } }));
			const settings = { component: "workflow", name: "called", input: { total: "{{input.total}}" } };
			await save(world, createWorkflow("caller", settings));
			assert.deepEqual((await run(world, "caller", { total: 3 })).data, { got: { total: 3 } });
			const { error } = await run(world, "caller", { total: null }, 500);
			assert.ok(error?.startsWith(`only: ${PROBLEM}`), String(error));
		},
	},
	{
		name: "an invalid output_schema is refused when the workflow is saved",
		cites: [],
		async run(world) {
			for (const invalid of [{ type: "objekt" }, { pattern: "x" }, "text"]) {
				const body = echo("totals", { options: { output_schema: invalid } });
				const answer = await world.executor.call("POST", "/webhooks/named", { body });
				assert.equal(answer.status, 400);
				assert.match(JSON.stringify(answer.body), /options\.output_schema/);
			}
			await world.executor.refuse(404, "POST", getNamedPath("totals", "trigger"));
		},
	},
];
