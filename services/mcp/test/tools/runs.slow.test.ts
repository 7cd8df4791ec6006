import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../../../executor/test/deployment.ts";
import { runAndDescribe } from "../../src/tools/running.ts";
import { echo, failing, type Opened, openTools } from "./open-tools.ts";

interface Run {
	readonly success: boolean;
	readonly execution_id: string;
	readonly data: unknown;
	readonly error: string | null;
	readonly failed_node: { readonly id: string; readonly component: string } | null;
	readonly nodes: readonly { readonly id: string; readonly status: string }[];
	readonly truncated: boolean;
	readonly total_chars: number;
	readonly omitted: readonly { readonly path: string; readonly kept: number; readonly total: number }[];
	readonly next_offset: number | null;
	readonly next: string;
}

interface Execution extends Omit<Run, "success" | "data" | "failed_node"> {
	readonly status: string;
	readonly failed_node: string | null;
	readonly output_held: boolean;
	readonly output: unknown;
}

interface Executions {
	readonly executions: readonly {
		readonly execution_id: string;
		readonly workflow: string;
		readonly trigger: string;
	}[];
	readonly next_cursor: string | null;
	readonly next: string;
}

const items = Array.from({ length: 500 }, (_, nth) => ({ nth, body: `body ${nth} ${"x".repeat(100)}` }));

describe("the tools for runs", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	test("run_workflow returns the output, and reports start and end as progress", async () => {
		const acme = service.as("runs");
		await acme.call("save_workflow", { document: echo("echo") });
		const run = await acme.call<Run>("run_workflow", { name: "echo", input: { a: [1, "ä"] } });
		assert.equal(run.success, true);
		assert.deepEqual(run.data, { got: { a: [1, "ä"] } });
		assert.deepEqual(run.nodes, []);
		assert.equal(run.truncated, false);
		assert.equal(run.next, "");
		assert.deepEqual(acme.told, ["Running echo", "The run succeeded"]);
		const traced = await acme.call<Run>("run_workflow", { name: "echo", trace: true });
		assert.deepEqual(
			traced.nodes.map(({ id, status }) => [id, status]),
			[["back", "success"]],
		);
	});

	test("accepts the input as JSON text", async () => {
		const acme = service.as("runs");
		const run = await acme.call<Run>("run_workflow", { name: "echo", input: '{"a":1}' });
		assert.deepEqual(run.data, { got: { a: 1 } });
	});

	test("a failed run returns an error that names the node, its component and what to check", async () => {
		const acme = service.as("fails");
		await acme.call("save_workflow", { document: failing("bad") });
		const run = await acme.failing<Run>("run_workflow", { name: "bad", input: { what: "fits" } });
		assert.equal(run.success, false);
		assert.equal(run.error, "break it: nothing fits");
		assert.deepEqual(run.failed_node, { id: "break it", component: "fail" });
		assert.deepEqual(
			run.nodes.map(({ id }) => id),
			["break it"],
		);
		assert.match(run.next, /get_component \{"id":"fail"\}.*get_execution/);
		const detail = await acme.call<Execution>("get_execution", { execution_id: run.execution_id });
		assert.equal(detail.status, "failed");
		assert.deepEqual([detail.error, detail.failed_node], ["break it: nothing fits", "break it"]);
		assert.match(detail.next, /get_workflow/);
	});

	test("get_execution returns what a node received and gave, within the budget", async () => {
		const acme = service.as("node-data");
		const document = {
			name: "wf",
			description: "d",
			version: "1",
			triplets: ["input >> then >> list", "list >> for each x >> each"],
			config: {
				list: { component: "foreach", items: "{{input.items}}" },
				each: { component: "set", values: { text: "{{x}}" } },
			},
		};
		await acme.call("save_workflow", { document });
		const input = { items: ["a", "b".repeat(5_000)] };
		const { execution_id } = await acme.call<Run>("run_workflow", { name: "wf", input });
		const read = (more: object) => acme.call<Execution>("get_execution", { execution_id, ...more });
		const first = await read({ node: "each", place: "0" });
		assert.deepEqual(first.output, {
			place: "0",
			status: "success",
			input: { values: { text: "a" } },
			output: { text: "a" },
		});
		const both = await read({ node: "each" });
		assert.equal((both.output as unknown[]).length, 2);
		const long = await read({ node: "each", place: "1", max_chars: 2_000 });
		assert.ok(JSON.stringify(long).length <= 2_000);
		assert.match(long.next, /"node":"each","place":"1","select":"\w+\.(values\.)?text"\}/);
		const part = await read({ node: "each", place: "1", select: "output.text", offset: 4_990 });
		assert.equal(part.output, "b".repeat(10));
		assert.match(
			await acme.problem("get_execution", { execution_id, node: "nothing" }),
			/nothing is kept of this node/,
		);
		assert.match(await acme.problem("get_execution", { execution_id, place: "0" }), /place needs node/);
	});

	test("a run that failed at a missing value points to what should have produced it", async () => {
		const acme = service.as("producers");
		const runForNext = async (triplets: string[], config: object, input: object = {}) => {
			const document = { name: "wf", description: "d", version: "1", triplets, config };
			await acme.call("save_workflow", { document });
			const { execution_id, next } = await acme.failing<Run>("run_workflow", { name: "wf", input });
			const read = await acme.call<Execution>("get_execution", { execution_id });
			assert.ok(read.next.startsWith(next.split(" Read the definition")[0] ?? "?"), `${read.next} / ${next}`);
			return next;
		};
		const text = (text: string) => ({ component: "template", text });
		const find = { component: "kb_get", page_name: "nowhere" };
		assert.match(
			await runForNext(["my find >> then >> say"], {
				"my find": find,
				say: text('{{nodes["my find"].content}}'),
			}),
			/^`my find` is kb_get: its output may have .*content.*; see get_component \{"id":"kb_get"\}\. Read the definition/,
		);
		assert.match(
			await runForNext(["a >> then >> b"], {
				a: { component: "code", code: "return {x: 1}" },
				b: { component: "if", condition: "a.y > 1" },
			}),
			/^`a` is code: its output depends on its parameters; see get_component/,
		);
		assert.match(
			await runForNext(["input >> then >> say"], { say: text("{{input.name}}") }),
			/^`input` is what the caller sent/,
		);
		assert.match(
			await runForNext(
				["list >> for each order >> say"],
				{ list: { component: "foreach", items: "{{input.orders}}" }, say: text("{{order.b}}") },
				{ orders: [{ a: 1 }] },
			),
			/^`order` is an element of the list of `list`, which is foreach\./,
		);
		const branches = [
			"pick >> if true >> yes",
			"pick >> if false >> no",
			"yes >> then >> say",
			"no >> then >> say",
		];
		assert.match(
			await runForNext(branches, {
				pick: { component: "if", condition: "false" },
				yes: { component: "set", values: { a: 1 } },
				no: { component: "set", values: { a: 2 } },
				say: text("{{yes.a}}"),
			}),
			/^`yes` was skipped in this run and has no output: use .*default/,
		);
	});

	test("truncates a long output, whose rest is read with select and offset", async () => {
		const acme = service.as("long");
		await acme.call("save_workflow", { document: echo("echo") });
		const run = await acme.call<Run>("run_workflow", { name: "echo", input: { items } });
		assert.equal(run.truncated, true);
		assert.ok(run.total_chars > 50_000);
		const [omitted] = run.omitted;
		assert.equal(omitted?.path, "got.items");
		assert.equal(omitted?.total, 500);
		assert.match(run.next, /get_execution \{"execution_id":"[^"]+","select":"got\.items\[\d+:\d+\]"\}/);

		const seen: unknown[] = [];
		let offset: number | null = 0;
		while (offset !== null) {
			const part: Execution = await acme.call<Execution>("get_execution", {
				execution_id: run.execution_id,
				select: "got.items",
				offset,
			});
			const list = part.output as unknown[];
			seen.push(...(part.next_offset === null ? list : list.slice(0, -1)));
			offset = part.next_offset;
		}
		assert.deepEqual(seen, items);

		const slice = { execution_id: run.execution_id, select: "got.items[20:22]" };
		const part = await acme.call<Execution>("get_execution", slice);
		assert.deepEqual(part.output, items.slice(20, 22));
		const one = await acme.call<Execution>("get_execution", { ...slice, select: "got.items[3].body" });
		assert.equal(one.output, items[3]?.body);
	});

	test("lets other requests proceed between the steps of a large output", async () => {
		const { context, call } = service.as("turns");
		await call("save_workflow", { document: echo("echo") });
		const isInterrupted = async (text: string): Promise<boolean> => {
			let hasPassed = false;
			const outputs: typeof context.outputs = {
				...context.outputs,
				hold(...output) {
					setTimeout(() => {
						hasPassed = true;
					});
					return context.outputs.hold(...output);
				},
			};
			const request = { name: "echo", input: { text }, trace: false, maxChars: 2_000 };
			await runAndDescribe(request, { ...context, outputs });
			return hasPassed;
		};
		assert.equal(await isInterrupted("short"), false);
		assert.equal(await isInterrupted("x".repeat(100_000)), true);
	});

	test("select returns a part of the output directly", async () => {
		const acme = service.as("long");
		const args = { name: "echo", input: { items }, select: "got.items[7].nth" };
		assert.equal((await acme.call<Run>("run_workflow", args)).data, 7);
	});

	test("an invalid select does not hide that the run succeeded", async () => {
		const acme = service.as("long");
		const args = { name: "echo", input: { items: [1] }, select: "got.itms" };
		const run = await acme.call<Run>("run_workflow", args);
		assert.deepEqual(run.data, { got: { items: [1] } });
		assert.match(run.next, /The run succeeded.*there is no "itms" in got; it has items/);
	});

	test("an invalid select says which parts exist", async () => {
		const acme = service.as("long");
		const run = await acme.call<Run>("run_workflow", { name: "echo", input: { items } });
		const problem = (select: string) =>
			acme.problem("get_execution", { execution_id: run.execution_id, select });
		assert.match(
			await problem("got.items[3].bdy"),
			/no "bdy" in got\.items\[3\]; it has nth, body\. Did you mean "body"/,
		);
		assert.match(await problem("got.items[500]"), /list of 500: \[0\] to \[499\]/);
	});

	test("max_chars limits the answer, whatever the output and the names are", async () => {
		const acme = service.as("bounds");
		const node = '"'.repeat(200);
		const name = '"'.repeat(128);
		const document = {
			...echo(name),
			triplets: [`input >> then >> ${node}`],
			config: { [node]: { component: "fail", message: "{{input.text}}" } },
		};
		await acme.call("save_workflow", { document });
		const input = { text: "\u0001\ud83d\ude00".repeat(3_000), items };
		const bad = await acme.failing<Run>("run_workflow", { name, input, max_chars: 2_000 });
		await acme.call("get_execution", { execution_id: bad.execution_id, max_chars: 2_000 });
		await acme.call("save_workflow", { document: echo("echo") });
		for (const max_chars of [2_000, 3_000, 100_000]) {
			const run = await acme.call<Run>("run_workflow", { name: "echo", input, max_chars });
			assert.equal(run.truncated, max_chars < 100_000);
		}
	});

	test("says that an output is no longer available", async () => {
		const acme = service.as("ages");
		await acme.call("save_workflow", { document: echo("echo") });
		const { execution_id } = await acme.call<Run>("run_workflow", { name: "echo", input: { a: 1 } });
		const held = await acme.call<Execution>("get_execution", { execution_id });
		assert.equal(held.output_held, true);
		assert.deepEqual(held.output, { got: { a: 1 } });
		service.advance(61_000);
		const gone = await acme.call<Execution>("get_execution", { execution_id });
		assert.equal(gone.output_held, false);
		assert.equal(gone.output, null);
		assert.match(gone.next, /outputs are not stored/);
		assert.match(await acme.problem("get_execution", { execution_id, select: "got" }), /is not available/);
	});

	test("another tenant sees neither the run nor its output", async () => {
		const acme = service.as("owner");
		await acme.call("save_workflow", { document: echo("echo") });
		const { execution_id } = await acme.call<Run>("run_workflow", { name: "echo", input: { a: "canary" } });
		const other = service.as("stranger");
		assert.match(await other.problem("get_execution", { execution_id }), /There is no execution/);
		assert.match(await other.problem("get_execution", { execution_id, select: "got" }), /no execution/);
		await eventually(async () =>
			assert.equal((await acme.call<Executions>("list_recent_executions")).executions.length, 1),
		);
		assert.deepEqual((await other.call<Executions>("list_recent_executions")).executions, []);
	});

	test("rejects input that does not match input_schema without a run, and names every problem", async () => {
		const acme = service.as("schemas");
		const input_schema = {
			type: "object",
			required: ["id", "name"],
			properties: { id: { type: "integer" }, name: { type: "string" } },
		};
		await acme.call("save_workflow", { document: echo("strict", { options: { input_schema } }) });
		const problem = await acme.problem("run_workflow", { name: "strict", input: { id: "x" } });
		assert.match(problem, /was not run.*\n- id: .*\n- name: .*\nget_workflow/);
		const { execution_id } = await acme.call<Run>("run_workflow", {
			name: "strict",
			input: { id: 1, name: "n" },
		});
		assert.ok(execution_id);
	});

	test("a client that cancels also cancels the run", async () => {
		const stop = new AbortController();
		const acme = service.as("cancels", stop.signal);
		const document = { ...echo("slow"), config: { back: { component: "wait", ms: 20_000 } } };
		await service.as("cancels").call("save_workflow", { document });
		const started = Date.now();
		setTimeout(() => stop.abort(new Error("the client hung up")), 50);
		const run = await acme.failing<Run>("run_workflow", { name: "slow" });
		assert.equal(run.error, "cancelled");
		assert.ok(Date.now() - started < 10_000);
		await eventually(async () => {
			const { executions } = await service.as("cancels").call<Executions>("list_recent_executions");
			assert.equal(executions.length, 1);
		});
	});

	test("list_recent_executions includes a run that has just ended, however it was started", async () => {
		const acme = service.as("just-ended");
		await acme.call("save_workflow", { document: echo("quick") });
		const seen: string[] = [];
		for (const trigger of ["mcp", "console", undefined] as const)
			for (let count = 0; count < 5; count++) {
				const run = await acme.context.executor.workflows.run("quick", {}, trigger && { trigger });
				seen.unshift(run?.execution_id ?? "");
				const { executions } = await acme.call<Executions>("list_recent_executions", { workflow: "quick" });
				assert.deepEqual(
					executions.map(({ execution_id }) => execution_id),
					seen,
				);
			}
		const { workflows } = await acme.call<{ workflows: { last_run: unknown }[] }>("list_workflows");
		assert.notEqual(workflows[0]?.last_run, null);
	});

	test("list_recent_executions filters and pages, and includes runs of assistants", async () => {
		const acme = service.as("records");
		await acme.call("save_workflow", { document: echo("good") });
		await acme.call("save_workflow", { document: failing("bad") });
		for (const nth of [1, 2, 3]) await acme.call("run_workflow", { name: "good", input: { nth } });
		await acme.failing("run_workflow", { name: "bad" });
		const list = (args: object) => acme.call<Executions>("list_recent_executions", args);
		await eventually(async () => assert.equal((await list({})).executions.length, 4));
		const bad = await list({ verdict: "failed" });
		assert.deepEqual(
			bad.executions.map(({ workflow, trigger }) => [workflow, trigger]),
			[["bad", "mcp"]],
		);
		const first = await list({ workflow: "good", limit: 2 });
		const rest = await list({ workflow: "good", limit: 2, cursor: first.next_cursor });
		assert.equal(new Set([...first.executions, ...rest.executions].map((each) => each.execution_id)).size, 3);
		assert.equal(rest.next_cursor, null);
		assert.deepEqual((await list({ until: "2020-01-01T00:00:00Z" })).executions, []);
		assert.equal((await list({ since: "2020-01-01T00:00:00Z" })).executions.length, 4);
		assert.match(await acme.problem("list_recent_executions", { cursor: "no cursor" }), /- cursor is not /);
		assert.match(await acme.problem("list_recent_executions", { since: "yesterday" }), /since: must be Unix/);
	});

	test("a page of long records is shorter than requested, and the next page continues after it", async () => {
		const acme = service.as("longrecords");
		const records = Array.from({ length: 100 }, (_, nth) => ({
			owner_id: "longrecords",
			workflow: `${nth} ${"n".repeat(180)}`,
			verdict: "failed" as const,
			duration_ms: 1,
			error: `e ${"長".repeat(1_900)}`,
		}));
		await service.clients.store.executionLog.append(records);
		const seen: string[] = [];
		let cursor: string | null = null;
		do {
			const page: Executions = await acme.call<Executions>("list_recent_executions", {
				limit: 100,
				...(cursor === null ? {} : { cursor }),
			});
			seen.push(...page.executions.map(({ workflow }) => workflow));
			cursor = page.next_cursor;
		} while (cursor !== null);
		assert.equal(seen.length, 100);
		assert.equal(new Set(seen).size, 100);
	});

	test("an unknown execution is reported with how to find existing ones", async () => {
		const problem = await service
			.as("none")
			.problem("get_execution", { execution_id: "019a3f0e-7c1b-7c3d-9e2f-0123456789ab" });
		assert.match(problem, /There is no execution .* list_recent_executions/);
	});
});
