import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DBOS = "@dbos-inc/dbos-sdk@5.3.0";
const FOLDER = join(import.meta.dirname, "../data/dbos-5.3.0");

/** One process of DBOS, which makes runs of so many steps side by side. */
export interface DbosProcess extends AsyncDisposable {
	readonly pid: number;
	run(work: { readonly runs: number; readonly steps: number }): Promise<void>;
}

/** It is installed once, and kept in bench/data. */
export async function startDbos(databaseUrl: string): Promise<DbosProcess> {
	if (!existsSync(join(FOLDER, "node_modules"))) install();
	const child = fork(fileURLToPath(import.meta.resolve("./dbos-child.ts")), {
		env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DBOS_FOLDER: FOLDER },
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	const killWithUs = () => child.kill("SIGKILL");
	process.on("exit", killWithUs);
	await receive(child);
	return {
		pid: child.pid as number,
		async run(work) {
			child.send(work);
			await receive(child);
		},
		async [Symbol.asyncDispose]() {
			process.off("exit", killWithUs);
			child.kill("SIGKILL");
			await once(child, "exit");
		},
	};
}

function install(): void {
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, "package.json"), "{}");
	const { status } = spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", DBOS], {
		cwd: FOLDER,
		stdio: ["ignore", "ignore", "inherit"],
	});
	if (status !== 0) throw new Error(`${DBOS} could not be installed`);
}

async function receive(child: ChildProcess): Promise<void> {
	const [message] = await Promise.race([
		once(child, "message"),
		once(child, "exit").then(() => ["it has ended"]),
	]);
	if (message !== "done") throw new Error(`DBOS: ${message}`);
}
