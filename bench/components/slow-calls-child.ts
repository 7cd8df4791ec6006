import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compilePlan } from "../executor/engine.ts";
import { callInLanes, openCaller, requestGraph } from "./calls.ts";

const [warmCalls = "", calls = "", ...urls] = process.argv.slice(2);
const SETTLE_MS = 500;
const LOOK_MS = 20;
const MEGABYTE = 2 ** 20;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

await using caller = openCaller();
await callInLanes(Number(warmCalls), 4, createCalls("/thing"));
collect();
await wait(SETTLE_MS);
const before = measureMemory();
const most = { ...before };
const looking = setInterval(() => {
	const now = measureMemory();
	most.resident = Math.max(most.resident, now.resident);
	most.inUse = Math.max(most.inUse, now.inUse);
}, LOOK_MS);
await callInLanes(Number(calls), Number(calls), createCalls("/slow"));
clearInterval(looking);
// Memory freed after startup stays resident for a while and is reused, so the growth may show only in the heap.
const more = Math.max(most.resident - before.resident, most.inUse - before.inUse);
console.log(`memory ${before.resident} ${before.resident + more} MB`);

function createCalls(path: string): () => Promise<unknown> {
	const plans = urls.map((url) => compilePlan({ graph: requestGraph(`${url}${path}`) }));
	let nth = 0;
	return () => caller.run(plans[nth++ % plans.length] as (typeof plans)[number]);
}

function measureMemory(): { resident: number; inUse: number } {
	const { rss, heapUsed, external } = process.memoryUsage();
	return { resident: rss / MEGABYTE, inUse: (heapUsed + external) / MEGABYTE };
}
