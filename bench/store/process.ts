import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { measureIdleMemory, measureSettledMemory, type Service, startService } from "../service.ts";
import { copyDatabase, getPlace, OWNERS, RUNNER, randomNumbers, TYPES, WORDS, WORKFLOWS } from "./data.ts";
import { MANY } from "./growth.ts";
import { type Call, get, post, put } from "./requests.ts";

const REQUESTS = 2000;
const CLIENTS = 8;

/** Resident memory of the real process: idle, and after work on a million entries. */
export async function measureMemory(onProgress: (what: string) => void): Promise<Row[]> {
	const [idle] = await measureIdleMemory(onProgress);
	if (idle === undefined) return [];
	using folder = scratchFolder();
	const dataFolder = join(folder.path, "million");
	mkdirSync(dataFolder);
	renameSync(await copyDatabase(MANY, dataFolder), join(dataFolder, "store.db"));
	const ours = await measureSettledMemory(await startService(dataFolder), serveMixed);
	const what = `resident, after ${REQUESTS} requests on ${MANY} entries`;
	return [idle, { ...idle, what, ours, bar: { on: "ours", most: 220 } }];
}

async function serveMixed({ storeUrl }: Service): Promise<void> {
	const random = randomNumbers(5);
	const calls = Array.from({ length: REQUESTS }, (_, nth) => mixedCall(nth, random));
	await Promise.all(
		Array.from({ length: CLIENTS }, async () => {
			for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
				const response = await fetch(`${storeUrl}${call.target}`, {
					method: call.method,
					headers: { "content-type": "application/json" },
					...(call.body !== undefined && { body: JSON.stringify(call.body) }),
				});
				const text = await response.text();
				if (!response.ok)
					throw new Error(`${call.method} ${call.target} answered ${response.status}: ${text}`);
			}
		}),
	);
}

function mixedCall(nth: number, random: () => number): Call {
	const existing = getPlace(Math.floor((random() * MANY) / 2));
	const owner_id = OWNERS[nth % OWNERS.length] as string;
	const workflow = WORKFLOWS[nth % WORKFLOWS.length] as string;
	const kinds: readonly (() => Call)[] = [
		() => put("/entries", { ...existing, content: WORDS }),
		() => put("/entries", { ...getPlace(MANY + nth), content: WORDS }),
		() => get("/entries", existing),
		() => get("/entries", { owner_id, entry_type: TYPES[nth % TYPES.length] as string }),
		() => get("/entries", { owner_id, limit: "1000" }),
		() => post("/execution-log", { owner_id: RUNNER, workflow, verdict: "success", duration_ms: nth }),
		() => get("/execution-log", { owner_id: RUNNER, verdict: "failed" }),
		() => get("/execution-log/latest", { owner_id: RUNNER }),
	];
	return (kinds[nth % kinds.length] as () => Call)();
}
