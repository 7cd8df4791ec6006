import { deepEqual } from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Effects } from "@tripline/components/effects";
import type { Json } from "@tripline/contract/json";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { buildImage, createEngine, resetEngine } from "@tripline/sandbox/image";
import { Pool } from "@tripline/sandbox/pool";
import { compilePlan } from "../executor/engine.ts";
import { alternate, type Comparison, compare, measureCost, type Side } from "../measure.ts";
import type { Row } from "../report.ts";
import { runForData } from "./calls.ts";
import { CODE, codeGraph, LONG_ORDER, nativeCall, ORDER, ORDER_TEXT } from "./order.ts";
import { compileMetered } from "./vm.ts";

const ROUNDS = 15;
const WARMUPS = 6;
const CALLS = 300;
const JOB = {
	code: CODE,
	input: ORDER_TEXT,
	limits: { timeoutMs: 2000, memoryBytes: 32 * 1_048_576, outputBytes: 1_048_576 },
};
const OUTCOME = { ok: true, output: nativeCall(ORDER_TEXT), log: [] } as const;
const CONTROL = {
	now: () => Date.now(),
	elapsed: () => performance.now(),
	isAborted: () => false,
};

type Call = () => unknown;

const leastGraph = { nodes: [{ id: "one", component: "code", params: { code: "return 1;" } }], edges: [] };

/** A warm code node, whose memory is reset after each run, against the same function in Node. */
export async function warmCode(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("code node");
	const plan = compilePlan({ graph: codeGraph("bench") });
	const sandbox = nodeSandbox();
	const node = (): Promise<Json> => runForData(plan, ORDER, { sandbox });
	const native = () => nativeCall(ORDER_TEXT);
	deepEqual(await node(), JSON.parse(native()));
	const cpu = await compare({ rounds: ROUNDS, floor: createSide(native), ours: createSide(node) });
	const elapsed = await compareElapsed(native, node);
	const longText = JSON.stringify(LONG_ORDER);
	const long = await compareElapsed(
		() => nativeCall(longText),
		() => runForData(plan, LONG_ORDER, { sandbox }),
	);
	const leastPlan = compilePlan({ graph: leastGraph });
	const least = await measureCost({
		rounds: ROUNDS,
		side: createSide(() => runForData(leastPlan, {}, { sandbox })),
	});
	await sandbox.close();
	return [
		{ what: "code node / native call, elapsed", unit: "µs", ...elapsed, bar: { on: "ratio", most: 40 } },
		{ what: "code node, elapsed", unit: "µs", ours: elapsed.ours, bar: { on: "ours", most: 300 } },
		{ what: "the same, CPU of both threads", unit: "µs", ...cpu },
		{ what: "an order of 20 lines instead of 5, elapsed", unit: "µs", ...long },
		{ what: "code node that returns 1", unit: "µs", ours: least },
		...(await measureShares(onProgress)),
	];
}

/** The cost of each part. Each is measured alone, so the parts do not add up exactly. */
async function measureShares(onProgress: (what: string) => void): Promise<Row[]> {
	const module = await compileMetered();
	const plan = compilePlan({ graph: codeGraph("bench") });
	const atOnce: Pick<Effects, "sandbox"> = { sandbox: { run: async () => OUTCOME } };
	const pool = new Pool(module);
	const image = buildImage(module);
	const engine = createEngine(module, image);
	const rows: Row[] = [];
	const share = async (what: string, call: Call) => {
		onProgress(`share: ${what}`);
		rows.push({ what, unit: "µs", ours: await measureCost({ rounds: ROUNDS, side: createSide(call) }) });
	};
	await share("of it: the run around the sandbox", () => runForData(plan, ORDER, atOnce));
	await share("of it: the VM with reset, no thread", () => pool.run(JOB, CONTROL));
	await share("of the VM: the reset", () => resetEngine(engine, image));
	await share("of the VM: code that returns 1, with the same input", () =>
		pool.run({ ...JOB, code: "return 1" }, CONTROL),
	);
	const thread = new Worker(new URL("./echo-thread.ts", import.meta.url), {
		workerData: { kind: "outcome", id: 1, outcome: OUTCOME, free: true },
	});
	const hop = async () => {
		thread.postMessage({ kind: "run", id: 1, job: JOB, asks: false });
		await once(thread, "message");
	};
	await share("of it: a thread that only answers", hop);
	const { ours } = await compareElapsed(() => {}, hop);
	await thread.terminate();
	return [...rows, { what: "the same, elapsed", unit: "µs", ours }];
}

const createSide =
	(call: Call): Side =>
	() => ({ calls: CALLS, run: () => repeat(call) });

async function repeat(call: Call): Promise<void> {
	for (let nth = 0; nth < CALLS; nth++) {
		const made = call();
		if (made instanceof Promise) await made;
	}
}

function compareElapsed(floor: Call, ours: Call): Promise<Comparison> {
	const measureElapsed = (call: Call) => async () => {
		const began = performance.now();
		await repeat(call);
		return ((performance.now() - began) * 1000) / CALLS;
	};
	return alternate({
		rounds: ROUNDS,
		warmups: WARMUPS,
		floor: measureElapsed(floor),
		ours: measureElapsed(ours),
	});
}
