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
import { Failure, npm, say } from "./process.mjs";

/** What may be fetched: scripts/pin-node.ts writes it. */
const NODE_PINS = JSON.parse(readFileSync(new URL("node-pins.json", import.meta.url), "utf8"));
const NODE_VERSION = NODE_PINS.version;
const MINIMUM_MAJOR = 24;
const MINIMUM_SQLITE = "3.51.3";
const INSTALL_NODE = `install Node ${MINIMUM_MAJOR} or newer with SQLite ${MINIMUM_SQLITE} or newer, and run this again`;

const WORKSPACE_FOLDERS = ["packages", "services", "apps"];
const LOCK_POLL_MS = 250;
const LOCK_LIMIT_MS = 15 * 60_000;

/** Why this Node cannot run the project, or undefined when it can. */
export function whyUnfit({ node, sqlite }) {
	if (Number.parseInt(node, 10) < MINIMUM_MAJOR) return `Node ${node} is older than ${MINIMUM_MAJOR}`;
	if (sqlite === undefined) return `Node ${node} was built without SQLite`;
	const isOlder = sqlite.localeCompare(MINIMUM_SQLITE, "en", { numeric: true }) < 0;
	return isOlder ? `Node ${node} has SQLite ${sqlite}, older than ${MINIMUM_SQLITE}` : undefined;
}

/** The npm package that has Node's binary for a platform, with the binary's hash; undefined where there is none. */
export function nodePin(platform, arch, isMusl) {
	return isMusl ? undefined : NODE_PINS.platforms[`${platform}-${arch}`];
}

/** The path of the project's own Node, fetched when it is not there yet. */
export async function fetchedNode(root, reason) {
	const target = `${process.platform}-${process.arch}`;
	const home = join(root, ".node", NODE_VERSION, target);
	const node = join(home, process.platform === "win32" ? "node.exe" : "node");
	if (existsSync(node)) return node;
	const pin = nodePin(process.platform, process.arch, isMusl());
	if (pin === undefined) {
		throw new Failure(`${reason}, and none can be fetched for ${target}: ${INSTALL_NODE}`, { code: 2 });
	}
	await withLock(root, async () => {
		if (existsSync(node)) return;
		say(`${reason}: fetching Node ${NODE_VERSION} into .node …`);
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
	// Without a package.json here npm would climb to the project's.
	writeFileSync(join(staging, "package.json"), '{ "private": true }\n');
	const flags = ["--prefix", ".", "--no-save", "--no-package-lock"];
	await npm(["install", ...flags, `${pin.package}@${NODE_VERSION}`], {
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
		const why = (check.stderr || check.error?.message || `it says ${check.stdout}`).trim();
		throw new Failure(`the fetched Node does not run here (${why}): ${INSTALL_NODE}`, { code: 2 });
	}
	mkdirSync(dirname(home), { recursive: true });
	renameSync(kept, home);
}

/** A registry can serve anything under a name, with a checksum of its own beside it. */
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
		// What a developer has already installed stays when only `start` is run after a change.
		const all = dev || previous?.dev === true;
		const stamp = { ...describeInstall(root), dev: all };
		say(`installing dependencies (${whyInstall(root, previous)})…`);
		rmSync(stampPath(root), { force: true });
		// --include=dev because NODE_ENV=production would otherwise leave the development ones out.
		await npm(["ci", all ? "--include=dev" : "--omit=dev"], {
			cwd: root,
			whatFailed: "installing dependencies",
			fix: "check the network; if package.json was edited, run `npm install` to update package-lock.json",
		});
		mkdirSync(dirname(stampPath(root)), { recursive: true });
		writeFileSync(stampPath(root), `${JSON.stringify(stamp)}\n`);
	});
}

function isInstalled(root, dev) {
	const stamp = readStamp(root);
	return stamp !== undefined && (stamp.dev || !dev) && isCurrent(root, stamp);
}

function whyInstall(root, previous) {
	if (previous === undefined) return "first run, about a minute";
	return isCurrent(root, previous) ? "adding those for development" : "they changed";
}

function isCurrent(root, stamp) {
	return Object.entries(describeInstall(root)).every(([key, value]) => stamp[key] === value);
}

function readStamp(root) {
	try {
		return JSON.parse(readFileSync(stampPath(root), "utf8"));
	} catch {
		return undefined;
	}
}

function stampPath(root) {
	return join(root, "node_modules", ".tripline-install.json");
}

/** What an install depends on besides the choice of development dependencies. */
export function describeInstall(root) {
	const hash = createHash("sha256");
	for (const file of ["package-lock.json", "package.json", ...workspaceManifests(root)]) {
		const path = join(root, file);
		const content = existsSync(path) ? readFileSync(path) : "";
		hash.update(`${file}\n${content.length}\n`).update(content);
	}
	return { inputs: hash.digest("hex"), platform: process.platform, arch: process.arch };
}

function workspaceManifests(root) {
	return WORKSPACE_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
		readdirSync(join(root, folder))
			.sort()
			.map((name) => `${folder}/${name}/package.json`),
	);
}

/** One install or fetch at a time in this checkout, across processes. */
async function withLock(root, work) {
	const lock = join(root, ".node", "install.lock");
	mkdirSync(dirname(lock), { recursive: true });
	let waiting = false;
	while (!takeLock(lock)) {
		if (isAbandoned(lock)) {
			rmSync(lock, { force: true });
			continue;
		}
		if (!waiting) say("waiting for another install to end (.node/install.lock)…");
		waiting = true;
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

/** The age limit is for a pid that another process has taken over, as after a restart of the machine. */
function isAbandoned(lock) {
	try {
		if (Date.now() - statSync(lock).mtimeMs > LOCK_LIMIT_MS) return true;
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
