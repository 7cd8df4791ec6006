import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";

/** Servers refuse to run as root; this user has no rights anywhere. */
export const NOBODY = { name: "nobody", group: "nogroup", id: 65534 };

const START_TIMEOUT_MS = 60_000;

/** Installs Debian's own package if its program is missing, without starting the service that it brings. */
export function installPackage(program: string, name: string): void {
	if (existsSync(program)) return;
	execFileSync("apt-get", ["install", "-y", "--no-install-recommends", name], {
		env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
		stdio: "ignore",
	});
}

export async function waitForPort(server: ChildProcess, port: number): Promise<void> {
	const until = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		if (server.exitCode !== null || Date.now() > until) throw new Error(`${server.spawnfile} did not start`);
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

export async function stopServer(server: ChildProcess): Promise<void> {
	if (server.exitCode !== null) return;
	const ended = once(server, "exit");
	server.kill("SIGTERM");
	await ended;
}
