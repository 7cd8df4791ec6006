import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type PostgresServer, startPostgres } from "../postgres.ts";
import { mountSmallDisk, type SmallDisk } from "./disk.ts";
import type { History } from "./history.ts";
import { OWNER, OWNER_SECRET } from "./load/logins.ts";
import type { Outside } from "./outside.ts";
import { ServiceProcess } from "./processes.ts";
import { startProxy, type TcpProxy } from "./proxy.ts";
import type { Random } from "./random.ts";

const MAX_START_MS = 120_000;
/** The clock of one process is right, one is ahead and one is behind. */
const SKEWS_MS = [0, 30_000, -30_000];
/** So that the log of the database stays small beside the small disk. */
const SMALL_LOG = ["max_wal_size=96MB", "min_wal_size=32MB", "checkpoint_timeout=30s"];

/** Three processes behind a balancer, and a database behind a proxy. */
export interface Deployment {
	readonly processes: readonly ServiceProcess[];
	readonly postgres: PostgresServer;
	/** Between the processes and the database. */
	readonly database: TcpProxy;
	/** Null where none can be mounted. */
	readonly disk: SmallDisk | null;
	/** Where callers reach the processes. */
	readonly ports: { readonly service: number; readonly store: number };
	/** Until every process is ready. */
	waitUntilReady(): Promise<void>;
	stop(): Promise<void>;
}

export async function startDeployment(
	history: History,
	random: Random,
	outside: Outside,
): Promise<Deployment> {
	const folder = mkdtempSync(join(tmpdir(), "tripline-chaos-"));
	const disk = mountSmallDisk();
	const postgres = await startPostgres({
		...(disk && { data: join(disk.folder, "data") }),
		settings: SMALL_LOG,
	});
	const url = new URL(postgres.url);
	const realPort = Number(url.port);
	const database = await startProxy(() => [realPort]);
	url.port = String(database.port);
	const processes: ServiceProcess[] = [];
	const listPorts = (api: "service" | "store") => () =>
		random.shuffle(processes.flatMap(({ ports }) => ports?.[api] ?? []));
	const service = await startProxy(listPorts("service"));
	const store = await startProxy(listPorts("store"));
	const settings = {
		PORT: "0",
		STORE_PORT: "0",
		BASE_URL: `http://127.0.0.1:${service.port}`,
		LOG_LEVEL: "warn",
		// A key that a killed process has claimed is free again soon after this.
		RUN_TIMEOUT_MS: "10000",
		DATABASE_URL: url.href,
		DATABASE_CONNECTIONS: "8",
		DATA_DIR: folder,
		MASTER_KEY: randomBytes(32).toString("base64"),
		MCP_OWNER_SECRET: OWNER_SECRET,
		MCP_OWNER_NAMESPACE: OWNER.name,
		ALLOW_PRIVATE_HOSTS: outside.host,
	};
	for (const [index, skewMs] of SKEWS_MS.entries())
		processes.push(new ServiceProcess({ name: String(index + 1), skewMs, settings, history }));
	for (const each of processes) each.start();
	return {
		processes,
		postgres,
		database,
		disk,
		ports: { service: service.port, store: store.port },
		async waitUntilReady() {
			const end = performance.now() + MAX_START_MS;
			while (processes.some(({ ports }) => ports === null)) {
				if (performance.now() > end) throw new Error("not all processes have started");
				await wait(50);
			}
		},
		async stop() {
			await Promise.all(processes.map((each) => each.stop()));
			for (const proxy of [service, store, database]) proxy.close();
			await postgres.stop();
			disk?.unmount();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
