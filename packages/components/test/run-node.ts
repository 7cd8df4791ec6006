import assert from "node:assert/strict";
import { after } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSource } from "@tripline/engine/compile";
import { run } from "@tripline/engine/run";
import { nodePdf } from "@tripline/platform/pdf.node";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { builtInCatalogue } from "../src/catalogue.ts";
import type { Effects } from "../src/effects.ts";
import { memoryFiles } from "./memory-files.ts";

/** The result of a node: its output, or its error or the compiler's. */
export type NodeOutcome = { readonly output: Json } | { readonly error: string };

export interface Setting {
	readonly input?: JsonObject;
	readonly effects?: Partial<Effects>;
	readonly signal?: AbortSignal;
}

const NODE = "example";

/** Ends a run that hangs. A process that gets little of a busy machine must not reach it. */
const MAX_RUN_MS = 60_000;

/** Compiles a workflow of one node and runs it, as the executor does. */
export async function runNode(
	component: string,
	params: { readonly [name: string]: Json },
	{ input = {}, effects = {}, signal }: Setting = {},
): Promise<NodeOutcome> {
	const { plan, diagnostics } = compileNode(component, params);
	if (plan === null) return { error: diagnostics.map(({ message }) => message).join("; ") };
	const clock = { now: () => Date.now() };
	const outcome = await run(plan, {
		input,
		context: {},
		workflow: { name: "test" },
		execution: { id: "test" },
		budget: { stepsLeft: 1000 },
		deadline: clock.now() + MAX_RUN_MS,
		timeoutMs: MAX_RUN_MS,
		clock,
		credential: computingOnly.credentialText,
		effects: { ...computingOnly, clock, ...effects },
		...(signal === undefined ? {} : { signal }),
	});
	if (outcome.success) assertReadable(component, params, outcome.data);
	return outcome.success
		? { output: outcome.data }
		: { error: outcome.error?.replace(`${NODE}: `, "") ?? "failed without an error" };
}

const MAX_PATHS = 30;

/** The compiler must allow every reference to a part of a real output: a component returns what it says. */
function assertReadable(component: string, params: { readonly [name: string]: Json }, output: Json): void {
	const paths = listPaths(output).slice(0, MAX_PATHS);
	const values = Object.fromEntries(paths.map((path, index) => [index, `{{nodes["${NODE}"]${path}}}`]));
	const { diagnostics } = compileNode(component, params, { component: "set", values });
	const found = diagnostics.filter(({ code, path }) => code === "missing_field" && path.includes(READER));
	assert.deepEqual(found, [], `${component} returned ${JSON.stringify(output)?.slice(0, 500)}`);
}

function listPaths(value: Json, depth = 0): string[] {
	if (typeof value !== "object" || value === null || depth === 4) return [""];
	const steps = Array.isArray(value)
		? value.slice(0, 3).map((part, index): [string, Json] => [`[${index}]`, part])
		: Object.entries(value)
				.filter(
					([name]) => !["__proto__", "constructor", "prototype"].includes(name) && !/["\\{}]/.test(name),
				)
				.map(([name, part]): [string, Json] => [`["${name}"]`, part]);
	return ["", ...steps.flatMap(([step, part]) => listPaths(part, depth + 1).map((rest) => step + rest))];
}

const READER = "reader";

function compileNode(
	component: string,
	params: { readonly [name: string]: Json },
	reader?: { readonly [name: string]: Json },
) {
	const json = {
		triplets: [
			`input >> ON_SUCCESS >> ${NODE}`,
			...(reader === undefined ? [] : [`${NODE} >> ON_SUCCESS >> ${READER}`]),
			...(component === "repeat" ? [`${NODE} >> REPEAT page >> check`] : []),
		],
		config: {
			[NODE]: { component, ...params },
			...(reader !== undefined && { [READER]: reader }),
			...(component === "repeat" && { check: { component: "set", values: { turn: "{{page}}" } } }),
		},
	};
	return compileSource({ json }, { catalogue: builtInCatalogue, named: false });
}

/** The compiler's problems with a node. */
export const listProblems = (component: string, params: { readonly [name: string]: Json }): string[] =>
	compileNode(component, params).diagnostics.map(({ message }) => message);

export async function runForOutput(...call: Parameters<typeof runNode>): Promise<Json> {
	const outcome = await runNode(...call);
	if ("error" in outcome) throw new Error(outcome.error);
	return outcome.output;
}

export async function runForError(...call: Parameters<typeof runNode>): Promise<string> {
	const outcome = await runNode(...call);
	if ("output" in outcome) throw new Error(`gave ${JSON.stringify(outcome.output)?.slice(0, 200)}`);
	return outcome.error;
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal.reason);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener("abort", stop);
			resolve();
		}, ms);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
}

const sandbox = nodeSandbox({ threads: 1 });
const pdf = nodePdf();
after(() => Promise.all([sandbox.close(), pdf.close()]));

const rejectNoNamespace = async (): Promise<never> => {
	throw new Error("this run has no namespace");
};
/** Rejects every call. */
const withoutNamespace = <T extends object>(): T =>
	new Proxy({}, { get: () => rejectNoNamespace }) as unknown as T;
const computingOnly: Omit<Effects, "clock"> = {
	sleep,
	waitUntil: async () => {},
	ask: async () => ({ approved: true }),
	waitForEvent: async ({ pattern }) => ({ type: pattern, data: null }),
	http: async () => {
		throw new Error("this test calls nothing");
	},
	credentialText: (name, field) => `<${name} ${field}>`,
	sandbox,
	pdf,
	knowledge: withoutNamespace<Effects["knowledge"]>(),
	state: withoutNamespace<Effects["state"]>(),
	conversations: withoutNamespace<Effects["conversations"]>(),
	files: memoryFiles().files,
	folders: null,
	databases: null,
	mail: null,
	buildStepKey: (step) => `run:${step}`,
	mcp: { call: rejectNoNamespace },
	runWorkflow: rejectNoNamespace,
	describeWorkflow: rejectNoNamespace,
	listTaggedWorkflows: rejectNoNamespace,
	getModelPrice: () => null,
	countTokens: () => {},
	emitEvent: rejectNoNamespace,
	respond() {},
};
