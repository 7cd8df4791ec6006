import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { SandboxJob, SandboxOutcome } from "@tripline/platform/sandbox";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";
import { buildImage, createEngine, type Image, resetEngine } from "@tripline/sandbox/image";
import { Run } from "@tripline/sandbox/run";
import type { Miniflare } from "miniflare";
import { startWorker } from "../workerd.ts";
import { type Attack, attacks } from "./sandbox-attacks.ts";
import { CANARY } from "./sandbox-canary.ts";

const LIMITS = { memoryBytes: 16 * 2 ** 20, outputBytes: 2 ** 20 };
/** Short for endless code; enough for everything else, even on a busy machine. */
const getTimeout = ({ ends }: Pick<Attack, "ends">) => (ends.includes("timeout") ? 25 : 5000);
/** Wall time of one attack on a busy machine. The limits themselves count work, not time. */
const MAX_MS = 5000;
const all = Object.entries(attacks).flatMap(([group, list]) =>
	list.map((attack) => ({ ...attack, name: `${group}: ${attack.name}` })),
);
const metered = await buildMeteredQuickJs(readFileSync(new URL(getOriginalQuickJsUrl())));

type RunJob = (job: SandboxJob, asks: boolean) => Promise<SandboxOutcome>;
const toJob = (attack: Pick<Attack, "code" | "ends">) => ({
	code: attack.code,
	input: JSON.stringify({ a: 1, now: Date.now() }),
	limits: { ...LIMITS, timeoutMs: getTimeout(attack) },
});
const createCanaryJob = () => toJob({ code: CANARY, ends: ["ok"] });
const echo = async (text: string) => text;

function attackAll(run: RunJob): void {
	let clean: string;
	const times: { name: string; ms: number }[] = [];

	before(async () => {
		const outcome = await run(createCanaryJob(), false);
		assert.ok(outcome.ok && outcome.output.length > 10_000);
		clean = outcome.output;
	});

	for (const attack of all) {
		test(attack.name, async () => {
			const started = performance.now();
			const outcome = await run(toJob(attack), attack.asks === true);
			times.push({ name: attack.name, ms: performance.now() - started });
			checkOutcome(attack, outcome);
			const next = await run(createCanaryJob(), false);
			assert.ok(next.ok && next.output === clean, "something was left behind");
			assert.deepEqual(next.log, ["canary"]);
		});
	}

	test("all attacks were bounded in time", (context) => {
		const [worst = { name: "none", ms: 0 }] = times.sort((one, other) => other.ms - one.ms);
		context.diagnostic(
			`${times.length} of ${all.length} attacks bounded, worst ${Math.round(worst.ms)} ms: ${worst.name}`,
		);
		assert.equal(times.length, all.length);
		assert.ok(worst.ms < MAX_MS, `${worst.name} took ${worst.ms} ms`);
	});
}

function checkOutcome({ ends, output }: Attack, outcome: SandboxOutcome): void {
	const kind = outcome.ok ? "ok" : outcome.reason;
	assert.ok(
		ends.includes(kind),
		`ended with ${kind}: ${outcome.ok ? outcome.output : outcome.error}`.slice(0, 300),
	);
	if (outcome.ok) {
		assert.ok(Buffer.byteLength(outcome.output) <= LIMITS.outputBytes);
		JSON.parse(outcome.output);
		if (output !== undefined) assert.equal(outcome.output, output);
	} else {
		assert.ok(outcome.error.length <= 2100, "the error is long");
		assert.doesNotMatch(outcome.error, /file:\/|node:internal|\.ts\b|\.mjs\b|wasm/, "the host shows");
	}
	assert.ok(outcome.log.length <= 101);
	assert.ok(Buffer.byteLength(outcome.log.join("")) < 9000);
}

describe("attacks on the sandbox on Node", () => {
	const sandbox = nodeSandbox({ threads: 1 });
	const signal = new AbortController().signal;
	const before = process.memoryUsage.rss();
	after(() => sandbox.close());
	attackAll((job, asks) => sandbox.run(asks ? { ...job, http: echo } : job, signal));

	test("all attacks were bounded in memory", (context) => {
		const grown = Math.round((process.memoryUsage.rss() - before) / 2 ** 20);
		context.diagnostic(`${grown} MiB more than before`);
		assert.ok(grown < 400, `the process grew by ${grown} MiB`);
	});
});

describe("attacks on the sandbox on workerd", () => {
	let worker: { miniflare: Miniflare; url: string };
	before(async () => {
		worker = await startWorker({ entry: fileURLToPath(new URL("./sandbox.worker.ts", import.meta.url)) });
	});
	after(() => worker.miniflare.dispose());

	attackAll(async (job, echoes) => {
		const response = await fetch(worker.url, { method: "POST", body: JSON.stringify({ job, echoes }) });
		assert.equal(response.status, 200);
		return (await response.json()) as SandboxOutcome;
	});
});

describe("a reused engine", () => {
	const module = new WebAssembly.Module(metered);
	const setUp = buildImage(module);
	const control = { now: Date.now, elapsed: () => performance.now(), isAborted: () => false };
	let again = 0;

	/** Runs the attack on an engine restored from the image. Returns the image with its code compiled. */
	async function attackEngine(image: Image, attack: Attack): Promise<Image | null> {
		const engine = createEngine(module, image);
		const fresh = createEngine(module, image);
		const job = { ...toJob(attack), ...(attack.asks ? { http: echo } : {}) };
		let compiled: Image | null = null;
		const run = new Run(engine, image, job, control, (made) => {
			compiled = made;
		});
		await run.execute();
		if (run.isBroken || engine.bytes.length !== fresh.bytes.length) return compiled;
		again += 1;
		assert.notEqual(Buffer.compare(engine.bytes, fresh.bytes), 0);
		resetEngine(engine, image);
		assert.equal(Buffer.compare(engine.bytes, fresh.bytes), 0);
		for (const global of ["__stack_pointer", "fuel", "pages"] as const) {
			assert.equal(engine.quickJs[global].value, fresh.quickJs[global].value);
		}
		return compiled;
	}

	for (const attack of all) {
		test(`is restored byte for byte after ${attack.name}`, async () => {
			const compiled = await attackEngine(setUp, attack);
			if (compiled !== null) assert.equal(await attackEngine(compiled, attack), null);
		});
	}

	test("can be reused after most attacks", () => assert.ok(again > 160, `only ${again} did`));
});
