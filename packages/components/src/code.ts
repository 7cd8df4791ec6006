import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import { serializeInput } from "./code-input.ts";
import { define } from "./define.ts";
import { anyObject, anything } from "./schemas.ts";

export const MAX_CODE_LENGTH = 65_536;
const MAX_OUTPUT_BYTES = 1_048_576;
const DEFAULT_TIMEOUT_MS = 2000;
export const MAX_TIMEOUT_MS = 30_000;
const MEBIBYTE = 1_048_576;

const Params = z.strictObject({
	code: z.string().max(MAX_CODE_LENGTH).meta({
		description: "Body of an async JavaScript function. Not a template: `{{…}}` is left as it is",
	}),
	input: anyObject()
		.default({})
		.meta({ description: "The code's `input`; use templates here to pass values of the run" }),
	memory_mb: z.int().min(4).max(64).default(32).meta({ description: "Memory limit in MiB" }),
});

export const code = define({
	id: "code",
	title: "Code",
	description:
		"Runs your JavaScript in a sandbox. The returned value is the node's output and must be JSON; `console.log` adds a line to the node's trace. The code can read only `input`: it has no network, files, timers or modules, and keeps no state between runs. Pass values of the run through `input`, not through templates in the code. The time limit is 2 seconds, or the node's `timeout_ms`, at most 30 seconds.",
	params: Params,
	verbatim: ["code"],
	output: anything().meta({ description: "The returned value; null if the code returns nothing" }),
	examples: [
		{
			title: "A sum",
			input: { prices: [3, 4.5] },
			params: {
				code: "return input.prices.reduce((sum, price) => sum + price, 0);",
				input: { prices: "{{input.prices}}" },
			},
			output: 7.5,
		},
		{
			title: "Split text",
			input: { line: "ada=1 bob=2" },
			params: {
				code: 'const pairs = input.line.split(" ").map((pair) => pair.split("="));\nreturn Object.fromEntries(pairs.map(([name, count]) => [name, Number(count)]));',
				input: { line: "{{input.line}}" },
			},
			output: { ada: 1, bob: 2 },
		},
		{
			title: "Braces in code are not templates",
			params: { code: 'return "{{name}}".replace("{{name}}", input.name);', input: { name: "Ada" } },
			output: "Ada",
		},
		{
			title: "An error names its line",
			params: { code: "const order = input.order;\nreturn order.total;" },
			error: "TypeError: cannot read property 'total' of undefined (line 2)",
		},
	],
	async run(call) {
		const { params, node, effects, signal } = call;
		const timeoutMs = Math.min(node.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
		const outcome = await effects.sandbox.run(
			{
				code: params.code,
				input: () => serializeInput(params.input),
				limits: {
					// A little less than the node's timeout, so that the log lines still arrive.
					timeoutMs: Math.ceil(timeoutMs * 0.95),
					memoryBytes: params.memory_mb * MEBIBYTE,
					outputBytes: MAX_OUTPUT_BYTES,
				},
			},
			signal,
		);
		for (const line of outcome.log) call.log(line);
		if (!outcome.ok) {
			const isLate = outcome.reason === "timeout";
			throw new TerminalError(isLate ? `the code ran for longer than ${timeoutMs} ms` : outcome.error);
		}
		return JSON.parse(outcome.output) as Json;
	},
});
