import { execFile } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { openInstance } from "./executor/instance.ts";
import { type LoadJob, startLoad } from "./executor/load.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { ROOT } from "./service.ts";
import { copyDatabase } from "./store/data.ts";

const COUNT = 1_000_000;
const CONNECTIONS = 8;
/** Without a backup, before and after it. */
const QUIET_BATCHES = 15;
const WARMUPS = 5;
const SETTLE_MS = 3000;
const MB = 1_048_576;

interface Made {
	readonly bytes: number;
	readonly paused_ms: number;
	readonly rows: number;
	readonly databases: Readonly<Record<string, { readonly bytes: number }>>;
}

/** How much slower triggers are while a backup is made, and how long it takes. */
export async function backupSuite(
	onProgress: (what: string) => void,
	{ count = COUNT }: { readonly count?: number },
): Promise<Section[]> {
	using folder = scratchFolder();
	const data = join(folder.path, "data");
	mkdirSync(data);
	onProgress(`a database of ${count} entries (made once, then kept in bench/data)`);
	renameSync(await copyDatabase(count, data), join(data, "store.db"));
	// Its entries are still to be embedded, which is not to be measured.
	await using instance = await openInstance(data, { EMBED: "off" });
	await using load = startLoad();
	await wait(SETTLE_MS);
	const target = await instance.webhook(threeNodes("backup"));
	const port = Number(new URL(instance.publicUrl).port);
	const toJob = (count: number, status: number, headers = {}): LoadJob => ({
		...{ port, connections: CONNECTIONS, count, firstNumber: 0, status },
		requests: [triggerRequest(target, headers)],
	});
	const rows: Row[] = [];
	for (const [what, job] of [
		["p99 of a trigger", toJob(1000, 200)],
		["p99 of a trigger that is accepted for later", toJob(300, 202, { prefer: "respond-async" })],
	] as const) {
		onProgress(what);
		const runBatches = async (hasNext: (done: number) => boolean): Promise<number[]> => {
			const found: number[] = [];
			while (hasNext(found.length)) found.push((await load.run(job)).p99);
			return found;
		};
		await runBatches((done) => done < WARMUPS);
		const before = await runBatches((done) => done < QUIET_BATCHES);
		let isMaking = true;
		const began = performance.now();
		const making = makeBackup(data, join(folder.path, "backups")).finally(() => {
			isMaking = false;
		});
		const during = await runBatches(() => isMaking);
		const made = await making;
		const seconds = (performance.now() - began) / 1000;
		const after = await runBatches((done) => done < QUIET_BATCHES);
		const [floor, ours] = [median([...before, ...after]), median(during)];
		rows.push(
			{ what, unit: "ms", floor, ours, ratio: ours / floor, bar: { on: "ratio", most: 2 } },
			{
				what: "  the worst batch",
				unit: "ms",
				floor: Math.max(...before, ...after),
				ours: Math.max(...during),
			},
			{ what: "  the backup", unit: "s", ours: seconds },
			{ what: "  writers wait", unit: "ms", ours: made.paused_ms },
			{ what: "  databases", unit: "MB", ours: sumBytes(made) / MB },
			{ what: "  archive", unit: "MB", ours: made.bytes / MB },
		);
		onProgress(
			`${made.rows} rows in ${seconds.toFixed(1)} s, ${during.length * job.count} triggers meanwhile: ${ours.toFixed(1)} ms instead of ${floor.toFixed(1)} ms`,
		);
	}
	return [{ title: `Backup of ${count} entries while serving, ${CONNECTIONS} connections`, rows }];
}

const sumBytes = ({ databases }: Made): number =>
	Object.values(databases).reduce((sum, { bytes }) => sum + bytes, 0);

async function makeBackup(data: string, to: string): Promise<Made> {
	const program = join(ROOT, "apps", "node", "src", "backup.ts");
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["--disable-warning=ExperimentalWarning", program, "create", "--to", to, "--json"],
		{ cwd: data, env: { DATA_DIR: data, BACKUP_PASSPHRASE: "passphrase of the benchmark" } },
	);
	return JSON.parse(stdout) as Made;
}
