import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FileValue } from "@tripline/contract/files";
import { type Child, hasProc, readCpuSeconds, readPeakMb, readResidentMb, startNode } from "./child.ts";
import { download, MEBIBYTE, MULTIPART, RAW, type Sent, upload } from "./files/sending.ts";
import { alternate } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { type Service, startService } from "./service.ts";

const FILE_BYTES = 100 * MEBIBYTE;
/** A process's CPU time is known to a hundredth of a second, so several uploads are measured together. */
const UPLOADS = 4;
const ROUNDS = 5;
const AT_ONCE = 4;
/** One after the other in each of them. */
const TIMES = 3;
const SETTLE_MS = 3_000;
const NAMESPACE = "bench";
const TENANT = { "x-service-api-key": NAMESPACE };

export async function filesSuite(onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) {
		onProgress("CPU and memory of a process are read from /proc: left out on this platform");
		return [];
	}
	return [
		{
			title: "Upload of 100 MiB, CPU: the service / a bare node:http that writes the stream to a file",
			rows: await measureUploads(onProgress),
		},
		{ title: "Memory of the process", rows: await measureMemory(onProgress) },
	];
}

async function measureUploads(onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	await using service = await openService(join(folder.path, "service"));
	await using bare = await startNode([fileURLToPath(import.meta.resolve("./files/bare-server.ts"))], {
		folder: join(folder.path, "bare"),
		env: { DATA_DIR: join(folder.path, "bare") },
		ready: "is ready",
	});
	const [bareUrl = ""] = bare.said.split(" ");
	const rows: Row[] = [];
	for (const [what, sent] of [
		["as the body", RAW],
		["in a multipart form", MULTIPART],
	] as const) {
		onProgress(`uploads ${what}`);
		const { floor, ours, ratio } = await alternate({
			rounds: ROUNDS,
			warmups: 1,
			floor: () => measureCpu(bare, () => upload(bareUrl, FILE_BYTES, sent)),
			ours: async () => {
				const ids: string[] = [];
				const cost = await measureCpu(service, async () => void ids.push(await send(service, "take", sent)));
				for (const id of ids) await remove(service, id);
				return cost;
			},
		});
		rows.push({ what, unit: "ms", floor, ours, ratio, bar: { on: "ratio", most: 2 } });
	}
	return rows;
}

/** Milliseconds of CPU for one upload. */
async function measureCpu(child: Child, use: () => Promise<unknown>): Promise<number> {
	const before = readCpuSeconds(child);
	for (let nth = 0; nth < UPLOADS; nth++) await use();
	return ((readCpuSeconds(child) - before) * 1000) / UPLOADS;
}

async function measureMemory(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("memory");
	using folder = scratchFolder();
	await using service = await openService(folder.path);
	await wait(SETTLE_MS);
	const idle = readResidentMb(service);
	// Otherwise the peak would be that of the start.
	writeFileSync(`/proc/${service.pid}/clear_refs`, "5");
	await Promise.all(
		Array.from({ length: AT_ONCE }, async (_, nth) => {
			for (let time = 0; time < TIMES; time++)
				await keepAndDownload(service, nth % 2 === 0 ? RAW : MULTIPART);
		}),
	);
	const ours = readPeakMb(service) - idle;
	return [
		{ what: "resident, idle", unit: "MB", ours: idle },
		{
			what: `above it at most: 100 MiB uploaded, kept and downloaded, ${AT_ONCE} at a time`,
			unit: "MB",
			ours,
			bar: { on: "ours", most: 48 },
		},
	];
}

async function keepAndDownload(service: Service, sent: Sent): Promise<void> {
	const id = await send(service, "keep", sent);
	const length = await download(`${service.publicUrl}/files/${id}/content`, TENANT);
	if (length !== FILE_BYTES) throw new Error(`only ${length} bytes came back`);
	await remove(service, id);
}

/** Uploads a file to a workflow and returns its id. */
async function send(service: Service, workflow: string, sent: Sent): Promise<string> {
	const url = `${service.publicUrl}/webhooks/named/${NAMESPACE}/${workflow}/trigger`;
	const answer = (await upload(url, FILE_BYTES, sent)) as { data: { file: FileValue } };
	const { $file, size } = answer.data.file;
	if (size !== FILE_BYTES) throw new Error(`only ${size} bytes arrived`);
	return $file;
}

async function remove({ publicUrl }: Service, id: string): Promise<void> {
	const response = await fetch(`${publicUrl}/files/${id}`, { method: "DELETE", headers: TENANT });
	if (!response.ok) throw new Error(`DELETE /files/${id} answered ${response.status}`);
}

async function openService(folder: string): Promise<Service> {
	const service = await startService(folder, { env: { MAX_FILES_BYTES: String(8192 * MEBIBYTE) } });
	const take = { component: "set", values: { file: "{{input.file}}" } };
	const keep = { component: "file_keep", file: "{{input.file}}", name: "{{execution.id}}" };
	for (const [name, triplets, config] of [
		["take", ["input >> then >> take"], { take }],
		["keep", ["input >> then >> keep", "keep >> then >> take"], { keep, take }],
	] as const) {
		const trigger = { type: "webhook", accept: ["files", "bytes"], max_bytes: FILE_BYTES };
		const response = await fetch(`${service.publicUrl}/webhooks/named`, {
			method: "POST",
			headers: { ...TENANT, "content-type": "application/json" },
			body: JSON.stringify({ name, description: "Takes a file", version: "1", triplets, config, trigger }),
		});
		if (!response.ok) throw new Error(await response.text());
	}
	return service;
}
