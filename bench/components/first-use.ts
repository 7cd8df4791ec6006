import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startNode } from "../child.ts";
import { openInstance } from "../executor/instance.ts";
import { threeNodes } from "../executor/workflow.ts";
import { median } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { codeGraph, ORDER } from "./order.ts";

const STARTS = 3;
const BAR = { on: "ours", most: 300 } as const;
const NONE = { on: "ours", most: 0 } as const;
/** The engine has some 600 KB; the modules of Node and its HTTP client have a tenth of that. */
const ENGINE_BYTES = 300_000;

export async function firstUse(onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	onProgress("first use of the sandbox");
	const [fresh, again]: [number[], number[]] = [[], []];
	for (let nth = 0; nth < STARTS; nth++) {
		// The second time Node uses its compile cache, if the thread knows where it is.
		const cache = join(folder.path, `compiled-${nth}`);
		fresh.push(await measureInFreshProcess(folder.path, cache));
		again.push(await measureInFreshProcess(folder.path, cache));
	}
	onProgress("first use in the service");
	const services: InService[] = [];
	for (let nth = 0; nth < STARTS; nth++)
		services.push(await measureInService(join(folder.path, `service-${nth}`)));
	const before = services.map(({ before }) => before);
	return [
		{
			what: "sandbox in a fresh process, nothing kept of one before",
			unit: "ms",
			ours: median(fresh),
			bar: BAR,
		},
		{ what: "the same, compiled code kept", unit: "ms", ours: median(again), bar: BAR },
		{
			what: "first trigger of a code node in a fresh service / second",
			unit: "ms",
			floor: median(services.map(({ second }) => second)),
			ours: median(services.map(({ first }) => first)),
			bar: BAR,
		},
		{
			what: "threads in a started service before / after",
			unit: "threads",
			floor: services[0]?.after.threads as number,
			ours: Math.max(...before.map(({ threads }) => threads)),
			bar: NONE,
		},
		{
			what: "engines compiled in a started service before / after",
			unit: "modules",
			floor: services[0]?.after.engines as number,
			ours: Math.max(...before.map(({ engines }) => engines)),
			bar: NONE,
		},
	];
}

async function measureInFreshProcess(folder: string, cache: string): Promise<number> {
	const file = fileURLToPath(import.meta.resolve("./first-use-child.ts"));
	await using child = await startNode([file], {
		folder,
		env: { NODE_COMPILE_CACHE: cache },
		ready: "done",
	});
	return Number(/first use (\S+) ms/.exec(child.said)?.[1]);
}

interface Watched {
	readonly threads: number;
	readonly engines: number;
}

interface InService {
	readonly first: number;
	readonly second: number;
	readonly before: Watched;
	readonly after: Watched;
}

async function measureInService(folder: string): Promise<InService> {
	const file = `${folder}.watched`;
	writeFileSync(file, "");
	const watch = new URL("./watch-start.ts", import.meta.url);
	watch.searchParams.set("file", file);
	await using instance = await openInstance(folder, { NODE_OPTIONS: `--import=${watch.href}` });
	const target = await instance.webhook(codeGraph("first"));
	// Warms up the connection and the trigger path without code, because they are not part of the sandbox's cost.
	await instance.answer(await instance.webhook(threeNodes("warm")));
	const before = readWatched(file);
	const first = await measureTime(() => instance.answer(target, ORDER));
	const after = readWatched(file);
	if (after.threads === 0 || after.engines === 0) throw new Error("the watch saw no thread and no engine");
	return { first, second: await measureTime(() => instance.answer(target, ORDER)), before, after };
}

function readWatched(file: string): Watched {
	const lines = readFileSync(file, "utf8").split("\n");
	return {
		threads: lines.filter((line) => line.startsWith("thread ")).length,
		engines: lines.filter((line) => line.startsWith("wasm ") && Number(line.slice(5)) > ENGINE_BYTES).length,
	};
}

async function measureTime(call: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await call();
	return performance.now() - began;
}
