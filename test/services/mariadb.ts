import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { findFreePort } from "../postgres.ts";

/** MariaDB refuses to run as root; this user has no rights anywhere. */
const NOBODY = { name: "nobody", id: 65534 };
const START_TIMEOUT_MS = 60_000;
const SERVER = "/usr/sbin/mariadbd";

export interface MariadbServer {
	readonly port: number;
	stop(): Promise<void>;
}

/** Debian's own package, which is installed if it is missing. Its files are in a folder of their own. */
export async function startMariadb(
	sql: readonly string[],
	certificate?: { readonly cert: string; readonly key: string },
): Promise<MariadbServer> {
	if (!existsSync(SERVER))
		execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "mariadb-server"], {
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
			stdio: "ignore",
		});
	// Not in the folder of the tests, which only this user can enter.
	const folder = mkdtempSync("/tmp/tripline-mariadb-");
	const isRoot = process.getuid?.() === 0;
	if (isRoot) chownSync(folder, NOBODY.id, NOBODY.id);
	const env = { ...process.env, TMPDIR: folder };
	const user = isRoot ? [`--user=${NOBODY.name}`] : [];
	const data = join(folder, "data");
	execFileSync(
		"mariadb-install-db",
		[
			"--no-defaults",
			...user,
			`--datadir=${data}`,
			"--auth-root-authentication-method=normal",
			"--skip-test-db",
		],
		{ env, stdio: "ignore" },
	);
	const tls = Object.entries(certificate ?? {}).map(([name, text]) => {
		const path = join(folder, `${name}.pem`);
		writeFileSync(path, text, { mode: 0o600 });
		if (isRoot) chownSync(path, NOBODY.id, NOBODY.id);
		return `--ssl-${name}=${path}`;
	});
	const port = await findFreePort();
	const server = spawn(
		SERVER,
		[
			"--no-defaults",
			...user,
			`--datadir=${data}`,
			`--socket=${join(folder, "socket")}`,
			`--port=${port}`,
			"--bind-address=127.0.0.1",
			"--innodb-flush-method=nosync",
			"--innodb-flush-log-at-trx-commit=0",
			"--skip-name-resolve",
			...tls,
		],
		{ env, stdio: "ignore" },
	);
	await waitForPort(server, port);
	execFileSync("mariadb", [
		"--no-defaults",
		`--socket=${join(folder, "socket")}`,
		"-uroot",
		"-e",
		sql.join(";"),
	]);
	return {
		port,
		async stop() {
			const ended = once(server, "exit");
			server.kill("SIGTERM");
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function waitForPort(server: ChildProcess, port: number): Promise<void> {
	const until = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		if (server.exitCode !== null || Date.now() > until) throw new Error("MariaDB did not start");
		const socket = connect(port, "127.0.0.1");
		const isOpen = await new Promise((resolve) => {
			socket.once("connect", () => resolve(true));
			socket.once("error", () => resolve(false));
		});
		socket.destroy();
		if (isOpen) return;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
