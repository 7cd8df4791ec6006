import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hasProc, readResidentMb, startNode } from "../child.ts";
import { openInstance } from "../executor/instance.ts";
import { startLoad } from "../executor/load.ts";
import { triggerRequest } from "../executor/workflow.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { requestGraph } from "./calls.ts";
import { type Outside, readMaxConcurrent } from "./outside.ts";

const CALLS = 256;
/** Few, because a heap that has already grown would hide the memory of the slow calls. */
const WARM_CALLS = 40;
const SETTLE_MS = 500;
const LOOK_MS = 20;

/** Memory held by many concurrent calls that wait for an answer. */
export async function slowCalls(outside: Outside, onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	onProgress(`${CALLS} slow calls`);
	const rows = [toRow("http_request nodes", await measureInProcess(outside, folder.path))];
	if (!hasProc) return rows;
	onProgress(`${CALLS} slow calls of the service`);
	return [
		...rows,
		toRow("runs of the service", await measureInService(outside, join(folder.path, "service"))),
	];
}

interface Memory {
	readonly before: number;
	readonly most: number;
}

const toRow = (what: string, { before, most }: Memory): Row => ({
	what: `${CALLS} ${what} that wait, more than the ${before.toFixed(0)} MB before`,
	unit: "MB",
	ours: most - before,
	bar: { on: "ours", most: 60 },
});

async function measureInProcess(outside: Outside, folder: string): Promise<Memory> {
	const file = fileURLToPath(import.meta.resolve("./slow-calls-child.ts"));
	const args = [file, String(WARM_CALLS), String(CALLS), ...outside.urls];
	await using child = await startNode(args, { folder, env: {}, ready: " MB" });
	await checkParallel(outside);
	const [, before, most] = /memory (\S+) (\S+) MB/.exec(child.said) ?? [];
	return { before: Number(before), most: Number(most) };
}

async function measureInService(outside: Outside, folder: string): Promise<Memory> {
	await using instance = await openInstance(folder, { ALLOW_PRIVATE_HOSTS: "127.0.0.1" });
	await using load = startLoad();
	const buildRequests = async (path: string) =>
		Promise.all(
			outside.urls.map(async (url, nth) =>
				triggerRequest(await instance.webhook(requestGraph(`${url}${path}`, `${path.slice(1)}-${nth}`))),
			),
		);
	const [warming, requests] = [await buildRequests("/thing"), await buildRequests("/slow")];
	const job = { port: Number(new URL(instance.publicUrl).port), status: 200, firstNumber: 0 };
	await load.run({ ...job, connections: 4, count: WARM_CALLS, requests: warming });
	await wait(SETTLE_MS);
	const before = readResidentMb(instance);
	let most = before;
	const looking = setInterval(() => {
		most = Math.max(most, readResidentMb(instance));
	}, LOOK_MS);
	await load.run({ ...job, connections: CALLS, count: CALLS, requests });
	clearInterval(looking);
	await checkParallel(outside);
	return { before, most };
}

async function checkParallel(outside: Outside): Promise<void> {
	const most = await readMaxConcurrent(outside);
	if (most !== CALLS) throw new Error(`${most} calls waited at the same time, not ${CALLS}`);
}
