import assert from "node:assert/strict";
import { ExecutionDetail } from "@tripline/contract/executor";
import { FileLink } from "@tripline/contract/files";
import { KeptData } from "@tripline/contract/kept-data";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { follow, toValue, upload } from "./files.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, otherTenant, run, save, says, waitForRecords } from "./saving.ts";

const PATH = "/workflows/order/test";

/** Charges a card at an address, and mails a receipt or an apology. */
const order = (url: string, more: object = {}) => ({
	...createWorkflow("order", {}, more),
	triplets: [
		"input >> then >> charge",
		"charge >> then >> receipt",
		"charge >> on fail >> apology",
		"receipt >> for each line >> print",
		"receipt >> then >> end",
	],
	config: {
		charge: { component: "http_request", method: "POST", url, retry: { max: 2, delay_ms: 1 } },
		receipt: { component: "foreach", items: "{{charge.data.lines}}" },
		print: { component: "http_request", method: "POST", url: `${url}/{{line}}` },
		apology: { component: "template", text: "sorry" },
		end: { component: "set", values: { printed: "{{print}}", by: "{{input.by}}" } },
	},
});

const CHARGED = { data: { lines: ["a", "b"] } };

const runTest = (world: World, body: object, status = 200) =>
	world.executor.expect(status, RunResult, "POST", PATH, { body });

export const pins: readonly Scenario[] = [
	{
		name: "a test takes pinned outputs instead of running their nodes, in a loop for every element",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, () => ({ status: 500 }));
			await save(world, order(url));
			const tested = await runTest(world, {
				input: { by: "Ada" },
				pinned: { charge: CHARGED, print: { ok: true } },
			});
			assert.deepEqual(tested.data, { printed: [{ ok: true }, { ok: true }], by: "Ada" });
			assert.deepEqual(seen, []);
			const marks = tested.nodes?.map(({ id, status, pinned }) => [id, status, pinned]);
			assert.deepEqual(marks, [
				["charge", "success", true],
				["receipt", "success", undefined],
				["apology", "skipped", undefined],
				["print", "success", true],
				["end", "success", undefined],
			]);
			const [record] = await waitForRecords(world, "order", 1);
			assert.deepEqual([record?.trigger, record?.version_number], ["test", 1]);
			const detail = await world.executor.expect(
				200,
				ExecutionDetail,
				"GET",
				`/executions/${tested.execution_id}`,
			);
			if (detail.nodes !== null) assert.equal(detail.nodes[0]?.pinned, true);
		},
	},
	{
		name: "pinned outputs count for one test only, and never for other runs",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, () => ({ json: { lines: [] } }));
			await save(world, order(url));
			const input = { by: "me" };
			await runTest(world, { input, pinned: { charge: CHARGED, print: 1 } });
			assert.equal(seen.length, 0);
			await runTest(world, { input });
			assert.equal(seen.length, 1);
			// In any other run it is a part of the input.
			const ran = await run(world, "order", { ...input, pinned: { charge: CHARGED } });
			assert.equal(seen.length, 2);
			assert.ok(ran.nodes?.every(({ pinned }) => pinned === undefined));
		},
	},
	{
		name: "a test runs the draft, and without one the current version",
		cites: [],
		async run(world) {
			await save(world, says("order", "published"));
			assert.equal((await runTest(world, {})).data, "published");
			await world.executor.call("PUT", "/workflows/order/draft", {
				body: says("order", "draft {{input.n}}"),
			});
			assert.equal((await runTest(world, { input: { n: 1 } })).data, "draft 1");
			assert.equal((await runTest(world, { pinned: { only: "pinned" } })).data, "pinned");
			const headers = { accept: "text/event-stream" };
			const body = { pinned: { only: "pinned" } };
			const watched = await world.executor.call("POST", PATH, { body, headers });
			assert.match(String(watched.body), /event: result\ndata: .*"data":"pinned".*"pinned":true/);
			await world.executor.call("PUT", "/workflows/order/draft", { body: { name: "order" } });
			await world.executor.refuse(400, "POST", PATH, { body: {} });
		},
	},
	{
		name: "a pinned output is plain data: nothing in it is a template, and a credential's name stays a name",
		cites: [],
		async run(world) {
			const output = { token: "{{credential.shop}}", next: "{{input.by}}" };
			await save(world, {
				...order("https://unused.example", { options: { keep: "all" } }),
				triplets: ["input >> then >> charge", "charge >> then >> end"],
				config: {
					charge: { component: "http_request", url: "https://unused.example" },
					end: { component: "set", values: { got: "{{charge}}" } },
				},
			});
			const tested = await runTest(world, { input: { by: "Ada" }, pinned: { charge: output } });
			assert.deepEqual(tested.data, { got: output });
			const query = { node: "charge" };
			const path = `/executions/${tested.execution_id}/data`;
			const kept = await world.executor.expect(200, KeptData, "GET", path, { query });
			assert.deepEqual(kept.nodes[0]?.output, { json: output });
		},
	},
	{
		name: "a test may open the files that a pinned output names",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, "mine"));
			await save(world, {
				...createWorkflow("order", {}),
				triplets: ["input >> then >> make", "make >> then >> link"],
				config: {
					make: { component: "make_file", name: "x.txt", format: "text", text: "x" },
					link: { component: "file_link", file: "{{make}}" },
				},
			});
			const { data } = await runTest(world, { pinned: { make: file } });
			assert.equal((await follow(FileLink.parse(data).url)).text, "mine");
		},
	},
	{
		name: "what cannot be pinned is refused, and says why",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("order", {}),
				triplets: ["input >> then >> again", "again >> repeat turn >> ask"],
				config: {
					again: { component: "repeat", until: "ask.done" },
					ask: { component: "set", values: { done: true } },
				},
			});
			const refuse = async (status: number, body: unknown, message: RegExp) => {
				const refused = await world.executor.refuse(status, "POST", PATH, { body: body as object });
				assert.match(JSON.stringify(refused), message);
			};
			await refuse(
				400,
				{ pinned: { gone: 1 } },
				/the workflow has no node \\"gone\\"; it has \\"again\\", \\"ask\\"/,
			);
			await refuse(400, { pinned: { input: {} } }, /the trigger is no node; send its data as input/);
			await refuse(400, { pinned: { again: { turns: 1 } } }, /\\"again\\" repeats other nodes/);
			await refuse(422, { pinned: [1] }, /pinned.*must be an object/);
			await refuse(422, { input: 1 }, /input.*must be an object/);
			await refuse(422, { pinned: null }, /pinned.*must be an object/);
			await refuse(422, { pins: {} }, /pins/);
			await refuse(413, { pinned: { ask: "x".repeat(1_048_577) } }, /larger than 1048576 bytes/);
			assert.equal((await runTest(world, { pinned: { ask: { done: true } } })).success, true);
			const headers = otherTenant(world);
			await world.executor.refuse(404, "POST", PATH, { body: { pinned: { ask: 1 } }, headers });
			await world.executor.refuse(404, "POST", "/workflows/absent/test", { body: {} });
		},
	},
	{
		name: "the input of a test is checked, and its failure raises no event",
		cites: [],
		async run(world) {
			const input_schema = { type: "object", required: ["by"] };
			await save(world, order("https://unused.example", { options: { input_schema } }));
			await save(world, says("alarm", "x", { trigger: { type: "event", event: "execution.failed" } }));
			await world.executor.refuse(422, "POST", PATH, { body: { pinned: { charge: CHARGED } } });
			// Its loop needs a list.
			const failed = await runTest(world, { input: { by: 1 }, pinned: { charge: 1, receipt: 1 } }, 500);
			assert.equal(failed.error, "receipt: the output is not a list");
			await waitForRecords(world, "order", 1);
			assert.deepEqual(await waitForRecords(world, "alarm", 0), []);
		},
	},
];
