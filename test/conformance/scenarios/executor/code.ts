import assert from "node:assert/strict";
import { ExecutionDetail } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { createWorkflow, otherTenant } from "./saving.ts";
import { createRow, createWebhook, failOnce, runOnce, trigger } from "./token-webhook.ts";

const node = (code: string, settings: object = {}) =>
	createRow({ run: { component: "code", code, ...settings } });

const runForOutput = async (world: World, code: string, settings: object = {}, input: object = {}) =>
	(await runOnce(world, node(code, settings), input)).data;

const runForError = async (world: World, code: string, settings: object = {}) =>
	(await failOnce(world, node(code, settings))).error;

/** Sets markers everywhere that code can write, and returns those that already exist. */
const MARKING = `
const marks = [
	globalThis.mark, Object.prototype.mark, Array.prototype.mark, console.mark, JSON.mark, Function.prototype.mark,
	typeof Math.random() === "string", [1].map((n) => n)[0] !== 1, input.mark,
].filter((mark) => mark !== undefined && mark !== false);
for (const place of [globalThis, Object.prototype, Array.prototype, console, JSON, Function.prototype]) {
	Object.defineProperty(place, "mark", { value: input.who, configurable: true });
}
Math.random = () => "mine";
Array.prototype.map = () => [input.who];
JSON.stringify = () => '"' + input.who + '"';
return { marks, who: input.who };`;

export const code: readonly Scenario[] = [
	{
		name: "code outputs what it returns and reads its input",
		cites: [],
		async run(world) {
			const input = { prices: [3, 4.5], text: '"); return 1; //{{input.prices}}\u2028' };
			const settings = { input: { prices: "{{input.prices}}", text: "{{input.text}}" } };
			for (const [code, output] of [
				["return input.prices.reduce((sum, price) => sum + price, 0)", 7.5],
				["return input.text", input.text],
				["return input", input],
				["return await Promise.resolve({ a: [null, true] })", { a: [null, true] }],
				["const nothing = 1;", null],
				["return new Date(0)", "1970-01-01T00:00:00.000Z"],
			] as const) {
				assert.deepEqual(await runForOutput(world, code, settings, input), output);
			}
		},
	},
	{
		name: "braces in code are not templates",
		cites: [],
		async run(world) {
			const code = "const of = { a: { b: 1 }}; return '{{input.x}} ' + of.a.b + '{{ } {{credential.key}}';";
			assert.equal(await runForOutput(world, code, {}, { x: 2 }), "{{input.x}} 1{{ } {{credential.key}}");
		},
	},
	{
		name: "console output of code is in the node's trace, up to its limit",
		cites: [],
		async run(world) {
			const result = await runOnce(
				world,
				node('console.log("a", 1, { b: [2] }); console.error(new Error("no")); return null;'),
			);
			assert.deepEqual(result.nodes?.[0]?.log, ['a 1 {"b":[2]}', "Error: no"]);
			const path = `/executions/${result.execution_id}`;
			const detail = await world.executor.expect(200, ExecutionDetail, "GET", path);
			assert.deepEqual(detail.nodes?.[0]?.log, ['a 1 {"b":[2]}', "Error: no"]);
			const many = await runOnce(world, node('for (let n = 0; n < 5000; n++) console.log("line " + n);'));
			const lines = many.nodes?.[0]?.log ?? [];
			assert.ok(lines.length <= 102, `${lines.length} lines`);
			assert.deepEqual([lines[0], lines[99]], ["line 0", "line 99"]);
			assert.match(lines.at(-1) ?? "", /omitted/);
			const long = await runOnce(world, node('console.log("x".repeat(1e6));'));
			assert.ok(JSON.stringify(long.nodes).length < 10_000);
			const failed = await failOnce(world, node('console.log("before"); throw new Error("no");'));
			assert.deepEqual(failed.nodes?.[0]?.log, ["before"]);
		},
	},
	{
		name: "an error in code reports the message and the line, and is not retried",
		cites: [],
		async run(world) {
			for (const [code, error] of [
				["const a = input.a;\nreturn a.b;", "TypeError: cannot read property 'b' of undefined (line 2)"],
				['\n\nthrow new RangeError("too far");', "RangeError: too far (line 3)"],
				["return missing", "ReferenceError: missing is not defined (line 1)"],
			] as const) {
				const result = await failOnce(world, node(code, { retry: { max: 3, delay_ms: 1 } }));
				assert.equal(result.error, `run: ${error}`);
				assert.equal(result.nodes?.[0]?.attempts, 1);
			}
			assert.match((await runForError(world, "return 1n")) ?? "", /^run: the output is not JSON: /);
		},
	},
	{
		name: "code that exceeds its time, memory or output limit is stopped, and the next run works",
		cites: [],
		async run(world) {
			for (const [code, error, settings] of [
				["for (;;);", / 150 ms$/, { timeout_ms: 150 }],
				["return /(a+)+$/.test('a'.repeat(50) + 'b')", / 150 ms$/, { timeout_ms: 150 }],
				[
					"const all = []; for (;;) all.push(new Array(1e5).fill(1));",
					/needs more than its limit of 8 MiB of memory$/,
					{ memory_mb: 8 },
				],
				["const f = () => f() + 1; return f();", /(?:InternalError|RangeError): .*/, {}],
				["return 'x'.repeat(1048577)", /the output has 1048579 bytes; at most 1048576 are allowed$/, {}],
				["await new Promise(() => {})", /waits for a promise that never settles$/, {}],
			] as const) {
				assert.match((await runForError(world, code, settings)) ?? "", error, code);
				assert.equal(await runForOutput(world, "return 1 + 1"), 2);
			}
		},
	},
	{
		name: "code has no access to network, files, timers, modules or globals of the host",
		cites: [],
		async run(world) {
			const names =
				"fetch http require process Buffer setTimeout setInterval WebAssembly XMLHttpRequest Worker Deno Bun caches navigator importScripts";
			const found = await runForOutput(
				world,
				`return "${names}".split(" ").filter((name) => typeof globalThis[name] !== "undefined");`,
			);
			assert.deepEqual(found, []);
			assert.match((await runForError(world, 'return await import("node:fs");')) ?? "", /^run: /);
		},
	},
	{
		name: "calls of code share no state, of one tenant or several, in sequence or in parallel",
		cites: [],
		async run(world) {
			const workflow = createRow({
				one: { component: "code", code: MARKING, input: { who: "one {{input.who}}" } },
				two: { component: "code", code: MARKING, input: { who: "two {{input.who}}" } },
				both: { component: "set", values: { one: "{{one}}", two: "{{two}}" } },
			});
			const mine = await createWebhook(world.executor, workflow);
			const other = await world.executor.call("POST", "/webhooks", {
				body: workflow,
				headers: otherTenant(world),
			});
			const theirs = (other.body as { token: string }).token;
			const clean = (who: string) => ({
				one: { marks: [], who: `one ${who}` },
				two: { marks: [], who: `two ${who}` },
			});
			for (const [token, who] of [
				[mine, "a"],
				[theirs, "b"],
				[mine, "c"],
			] as const) {
				assert.deepEqual((await trigger(world.anyone, token, { who })).data, clean(who));
			}
			const results = await Promise.all(
				Array.from({ length: 8 }, (_, nth) =>
					trigger(world.anyone, nth % 2 ? mine : theirs, { who: `${nth}` }),
				),
			);
			assert.deepEqual(
				results.map(({ data }) => data),
				results.map((_, nth) => clean(`${nth}`)),
			);
		},
	},
	{
		name: "code that is not JavaScript is refused when the workflow is saved, with its line",
		cites: [],
		async run(world) {
			for (const [code, place] of [
				["const a = ;", "line 1, column 11"],
				["const a = 1;\n}); (() => {", "line 2, column 13"],
				["def main():\n  return 1", "line 1, column 5"],
			] as const) {
				const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/webhooks/named", {
					body: createWorkflow("bad", { component: "code", code }),
				});
				assert.deepEqual(
					diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.path]),
					[["bad_code", "config.only.code"]],
				);
				assert.ok(
					String(diagnostics[0]?.message).includes(`(${place} of the code)`),
					JSON.stringify(diagnostics),
				);
			}
		},
	},
	{
		name: "code's parameters are checked when the workflow is saved",
		cites: [],
		async run(world) {
			for (const [settings, path] of [
				[{ component: "code" }, "config.only.code"],
				[{ component: "code", code: 5 }, "config.only.code"],
				[{ component: "code", code: "return 1", memory_mb: 65 }, "config.only.memory_mb"],
				[{ component: "code", code: "return 1", fuel: 1 }, "config.only.fuel"],
			] as const) {
				const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", {
					body: createWorkflow("bad", settings),
				});
				assert.equal(diagnostics?.length, 1);
				assert.equal(diagnostics[0]?.path, path);
			}
		},
	},
];
