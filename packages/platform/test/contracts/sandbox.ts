import assert from "node:assert/strict";
import type { Sandbox, SandboxJob, SandboxLimits, SandboxOutcome } from "../../src/sandbox.ts";
import type { ContractCase } from "./contract.ts";

const LIMITS: SandboxLimits = { timeoutMs: 2000, memoryBytes: 32 * 2 ** 20, outputBytes: 2 ** 20 };

function createRunner(sandbox: Sandbox) {
	const run = (code: string, more: Partial<SandboxJob> = {}, signal = new AbortController().signal) =>
		sandbox.run({ code, input: "{}", limits: LIMITS, ...more }, signal);
	return {
		run,
		output: async (code: string, input: unknown = {}, more: Partial<SandboxJob> = {}): Promise<unknown> => {
			const outcome = await run(code, { input: JSON.stringify(input), ...more });
			assert.ok(outcome.ok, `failed: ${JSON.stringify(outcome)}`);
			return JSON.parse(outcome.output);
		},
		failure: async (code: string, more: Partial<SandboxJob> = {}): Promise<string> => {
			const outcome: SandboxOutcome = await run(code, more);
			assert.ok(!outcome.ok, `gave ${JSON.stringify(outcome)}`);
			return `${outcome.reason}: ${outcome.error}`;
		},
	};
}

const soon = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

export const sandboxContract: readonly ContractCase<Sandbox>[] = [
	{
		name: "the input may be created lazily; if that fails, the job fails",
		async run(sandbox) {
			const { output, run } = createRunner(sandbox);
			assert.equal(await output("return input.a", null, { input: () => '{"a":7}' }), 7);
			const fails = () => {
				throw new Error("no input");
			};
			await assert.rejects(run("return 1", { input: fails }), { message: "no input" });
			assert.equal(await output("return 2"), 2);
		},
	},
	{
		name: "the output is what the code returns for its input, as JSON",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			assert.deepEqual(await output("return input.list.map((n) => n * 2)", { list: [1, 2] }), [2, 4]);
			assert.equal(await output("return await Promise.resolve(input.a).then((a) => a + 1)", { a: 1 }), 2);
			assert.equal(await output("// nothing"), null);
			assert.equal(await output("return undefined"), null);
			const text = "\u0000 é 漢 😀 \ud800 \u2028 {{x}} `";
			assert.equal(await output("return input.text", { text }), text);
			assert.deepEqual(await output("return { a: undefined, b: NaN, c: new Date(0) }"), {
				b: null,
				c: "1970-01-01T00:00:00.000Z",
			});
		},
	},
	{
		name: "an error has its name, message and line",
		async run(sandbox) {
			const { failure } = createRunner(sandbox);
			assert.equal(await failure("throw new TypeError('no')"), "threw: TypeError: no (line 1)");
			assert.equal(
				await failure("const a = null;\n\nreturn a.b;"),
				"threw: TypeError: cannot read property 'b' of null (line 3)",
			);
			assert.equal(
				await failure("\nreturn nothing"),
				"threw: ReferenceError: nothing is not defined (line 2)",
			);
			assert.match(await failure("let a = 1;\nlet b = ;"), /^threw: SyntaxError: .* \(line 2\)$/);
			assert.match(await failure("if (true) {"), /^threw: SyntaxError: .* \(line 1\)$/);
			assert.equal(await failure("throw 'a text'"), "threw: a text");
			assert.equal(await failure("throw { code: 5 }"), 'threw: {"code":5}');
			assert.match(
				await failure("throw new Error('x'.repeat(1e5))"),
				/^threw: Error: x{1900,1990} \(line 1\)$/,
			);
		},
	},
	{
		name: "output that is not JSON is rejected",
		async run(sandbox) {
			const { failure } = createRunner(sandbox);
			assert.equal(
				await failure("return () => 1"),
				"output: the output is not JSON: it is a function or a symbol",
			);
			assert.match(await failure("return 5n"), /^output: the output is not JSON: TypeError: /);
			assert.match(await failure("const a = []; a.push(a); return a"), /^output: .* circular reference/);
		},
	},
	{
		name: "a promise that never settles is an error",
		async run(sandbox) {
			const { failure } = createRunner(sandbox);
			const message = "threw: the code waits for a promise that never settles";
			assert.equal(await failure("await new Promise(() => {})"), message);
			assert.equal(
				await failure("await http(1); await new Promise(() => {})", { http: async () => "1" }),
				message,
			);
		},
	},
	{
		name: "time, memory and output are limited",
		async run(sandbox) {
			const { failure } = createRunner(sandbox);
			const limits = { timeoutMs: 50, memoryBytes: 8 * 2 ** 20, outputBytes: 100 };
			assert.equal(
				await failure("for (;;);", { limits }),
				"timeout: the code computed for longer than 50 ms",
			);
			assert.equal(
				await failure("const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)", {
					limits: { ...limits, timeoutMs: 2000 },
				}),
				"memory: the code needs more than its limit of 8 MiB of memory",
			);
			assert.equal(
				await failure("return 'x'.repeat(99)", { limits }),
				"output: the output has 101 bytes; at most 100 are allowed",
			);
		},
	},
	{
		name: "console lines are kept up to a number and a size",
		async run(sandbox) {
			const { run } = createRunner(sandbox);
			const lines = async (code: string) => (await run(code)).log;
			assert.deepEqual(
				await lines("console.log('a', { b: [1] }, undefined, 2n); console.error('c'); throw 1"),
				['a {"b":[1]} undefined 2n', "c"],
			);
			const many = await lines("for (let i = 1; i <= 150; i++) console.log('line ' + i)");
			assert.equal(many.length, 101);
			assert.deepEqual(many.slice(99), ["line 100", "… 50 more lines omitted"]);
			const large = await lines("console.log('x'.repeat(1e6)); console.log(2)");
			assert.deepEqual(
				large.map((line) => line.length),
				[8193, "… 1 more line omitted".length],
			);
		},
	},
	{
		name: "time and random numbers are fresh for each call, and the zone is UTC",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			const code = "return [Date.now(), new Date(0).getTimezoneOffset(), Math.random(), Math.random()]";
			const [now, offset, ...numbers] = (await output(code)) as number[];
			assert.ok(Math.abs((now ?? 0) - Date.now()) < 5000);
			assert.equal(offset, 0);
			numbers.push(...((await output(code)) as number[]).slice(2));
			assert.equal(new Set(numbers).size, 4);
			assert.ok(numbers.every((number) => number >= 0 && number < 1));
		},
	},
	{
		name: "no state is left for the next call",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			for (let round = 0; round < 3; round++) {
				const code = "globalThis.n = (globalThis.n ?? 0) + 1; Object.prototype.left = n; return n";
				assert.equal(await output(code), 1);
				assert.deepEqual(await output("return [typeof n, {}.left ?? 'none']"), ["undefined", "none"]);
			}
		},
	},
	{
		name: "code that closes its function body early is rejected every time",
		async run(sandbox) {
			const { failure } = createRunner(sandbox);
			for (const code of [
				"return 1 }); globalThis.left = 1; (async function (input) { return 2",
				"}, async function (input) {",
				"}, 5, {",
			]) {
				for (let round = 0; round < 3; round++) assert.match(await failure(code), /^threw: SyntaxError: /);
			}
		},
	},
	{
		name: "different programs run alternately without seeing each other's state",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			for (let round = 0; round < 4; round++) {
				for (let n = 0; n < 20; n++) {
					const code = `globalThis.last = (globalThis.last ?? 0) + ${n}; return [last, input.round]`;
					assert.deepEqual(await output(code, { round }), [n, round]);
				}
			}
		},
	},
	{
		name: "without http the code has no such function",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			assert.equal(await output("return typeof http"), "undefined");
			assert.equal(await output("return typeof http", {}, { http: async () => "1" }), "function");
			assert.equal(await output("return typeof http"), "undefined");
		},
	},
	{
		name: "http returns the response, or throws the error",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			const http = async (request: string) => {
				await soon();
				const { url } = JSON.parse(request) as { url: string };
				if (url === "bad") throw new Error("there is no such host");
				return JSON.stringify({ status: 200, url });
			};
			assert.deepEqual(await output("return await http({ url: 'a' })", {}, { http }), {
				status: 200,
				url: "a",
			});
			assert.equal(
				await output(
					"try { await http({ url: 'bad' }) } catch (error) { return String(error) }",
					{},
					{ http },
				),
				"Error: there is no such host",
			);
		},
	},
	{
		name: "http runs eight requests at a time and fifty in total",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			let now = 0;
			let most = 0;
			let all = 0;
			const http = async (request: string) => {
				all += 1;
				now += 1;
				most = Math.max(most, now);
				await soon();
				now -= 1;
				return request;
			};
			const code =
				"const all = await Promise.allSettled(Array.from({ length: 52 }, (_, i) => http(i))); return all.map(({ value, reason }) => value ?? String(reason))";
			const refused = "Error: the code may make at most 50 requests";
			assert.deepEqual(await output(code, {}, { http }), [...Array(50).keys(), refused, refused]);
			assert.deepEqual({ most, all }, { most: 8, all: 50 });
		},
	},
	{
		name: "concurrently waiting jobs do not see each other's state",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			const code =
				"globalThis.mine = input.n; const got = []; for (let i = 0; i < 3; i++) got.push(await http(input.n)); return [mine, ...got]";
			const outputs = await Promise.all(
				Array.from({ length: 40 }, (_, n) => {
					const http = async (request: string) => {
						await soon(1 + (n % 4) * 3);
						return request;
					};
					return output(code, { n }, { http });
				}),
			);
			assert.deepEqual(
				outputs,
				Array.from({ length: 40 }, (_, n) => [n, n, n, n]),
			);
		},
	},
	{
		name: "waiting for http does not count as computing",
		async run(sandbox) {
			const { output } = createRunner(sandbox);
			const http = async () => {
				await soon(120);
				return "1";
			};
			const limits = { ...LIMITS, timeoutMs: 100 };
			assert.equal(await output("return (await http(1)) + (await http(2))", {}, { http, limits }), 2);
		},
	},
	{
		name: "an aborted signal rejects with its reason, before and while the code waits",
		async run(sandbox) {
			const { run, output } = createRunner(sandbox);
			const reason = new Error("nobody waits");
			await assert.rejects(run("return 1", {}, AbortSignal.abort(reason)), reason);
			const controller = new AbortController();
			const http = () => {
				setTimeout(() => controller.abort(reason), 5);
				return new Promise<string>(() => {});
			};
			await assert.rejects(run("await http(1)", { http }, controller.signal), reason);
			assert.equal(await output("return 1"), 1);
		},
	},
];
