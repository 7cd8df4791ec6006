import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../postgres.ts";
import { installPackage, NOBODY, stopServer, waitForPort } from "./debian.ts";

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
	installPackage(SERVER, "mariadb-server");
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
			await stopServer(server);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
