import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { postgresStatement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { type PostgresServer, startPostgres } from "../../test/postgres.ts";
import { readCpuSeconds } from "../child.ts";
import { NAMESPACE } from "../executor/instance.ts";
import { type Service, startService } from "../service.ts";

const RECORDS_LIMIT_MS = 60_000;

/** Processes of the service that share a database. */
export interface Deployment extends AsyncDisposable {
	readonly processes: readonly Service[];
	/** Waits until there are so many records of a workflow. */
	settle(workflow: string, expected: number): Promise<void>;
}

/** A real server, whose own processor time can be read. */
export async function startDatabase(): Promise<PostgresServer & AsyncDisposable> {
	const server = await startPostgres({ settings: ["fsync=on"] });
	return Object.assign(server, { [Symbol.asyncDispose]: () => server.stop() });
}

export async function openDeployment(
	server: PostgresServer,
	folder: string,
	count: number,
): Promise<Deployment> {
	await using opening = new AsyncDisposableStack();
	const schema = `bench_${randomBytes(6).toString("hex")}`;
	const env = {
		DATABASE_URL: server.url,
		DATABASE_SCHEMA: schema,
		MASTER_KEY: randomBytes(32).toString("base64"),
		MCP_OWNER_SECRET: "the owner of the benchmark",
	};
	const processes: Service[] = [];
	for (let nth = 0; nth < count; nth++)
		processes.push(opening.use(await startService(join(folder, `${count}-${nth}`), { env })));
	const database = await openPostgres(server.url, { schema: `${schema}_store`, maxReaders: 1 });
	opening.defer(() => database.close());
	const opened = opening.move();
	return {
		processes,
		async settle(workflow, expected) {
			const until = Date.now() + RECORDS_LIMIT_MS;
			for (;;) {
				const [row] = await database.read<{ count: number }>(
					postgresStatement(
						"select count(*) as count from entries where owner_id = ?1 and entry_type = 'execution_log' and page_name = ?2",
						NAMESPACE,
						workflow,
					),
				);
				if (row?.count === expected) return;
				if (Date.now() > until) throw new Error(`${row?.count} of ${expected} runs left a record`);
				await wait(50);
			}
		},
		[Symbol.asyncDispose]: () => opened.disposeAsync(),
	};
}

/** In seconds, of a process and all that descend from it, with those that have ended. */
export function readTreeCpuSeconds(pid: number): number {
	const children = new Map<number, number[]>();
	for (const name of readdirSync("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		try {
			const stat = readFileSync(`/proc/${name}/stat`, "utf8");
			const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
			children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
		} catch {
			// It has ended meanwhile.
		}
	}
	const read = (each: number): number =>
		readCpuWithEnded(each) + (children.get(each) ?? []).reduce((sum, child) => sum + read(child), 0);
	return read(pid);
}

const TICKS_PER_SECOND = 100;

function readCpuWithEnded(pid: number): number {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return (
			(Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND +
			readCpuSeconds({ pid, async [Symbol.asyncDispose]() {} })
		);
	} catch {
		return 0;
	}
}

/** In seconds, of all its processes. */
export const readServiceCpu = ({ processes }: Deployment): number =>
	processes.reduce((sum, each) => sum + readCpuSeconds(each), 0);
