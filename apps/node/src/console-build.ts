import { createHash } from "node:crypto";
import {
	cpSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ConsoleFiles } from "@tripline/mcp/http/console-files";
import type { Log } from "@tripline/platform/log";
import { readFolder } from "./console-folder.ts";

/** The location of the built files in the published package, set by the bundler. Null in a checkout. */
const PACKED: URL | null = null as URL | null;

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const STAMP = ".stamp";

/** The inputs of a build. Installed packages are covered by the lock file. */
const SOURCES = [
	"apps/console/build.ts",
	"apps/console/package.json",
	"apps/console/src/**/*.*",
	"packages/*/src/**/*.ts",
	"package-lock.json",
];

interface Checkout {
	readonly root: string;
	/** Writes the files to a folder. */
	build(folder: string): Promise<void>;
}

/** The console's files. In a checkout they are built if they are missing or older than their sources. */
export async function loadConsoleFiles(log: Log, checkout: Checkout = thisCheckout): Promise<ConsoleFiles> {
	if (PACKED !== null) return readFolder(fileURLToPath(PACKED));
	const kept = join(checkout.root, "dist", "console");
	const stamp = computeStamp(checkout.root);
	const stored = readStored(kept, stamp);
	if (stored !== null) return stored;
	const started = Date.now();
	const made = mkdtempSync(join(tmpdir(), "tripline-console-"));
	try {
		await checkout.build(made);
		saveBuild(made, kept, stamp);
		log("info", "the console was built", { duration_ms: Date.now() - started });
		return readFolder(made);
	} finally {
		rmSync(made, { recursive: true, force: true });
	}
}

const thisCheckout: Checkout = {
	root: ROOT,
	async build(folder) {
		// Imported by URL, so that the build script is loaded only here and is not bundled.
		const source = pathToFileURL(join(ROOT, "apps/console/build.ts")).href;
		const { buildConsole } = (await import(source)) as { buildConsole: Checkout["build"] };
		await buildConsole(folder);
	},
};

/** Changes with any of the sources. Uses their times and sizes, so that no file is read. */
function computeStamp(root: string): string {
	const hash = createHash("sha256");
	for (const path of globSync(SOURCES, { cwd: root }).sort()) {
		const { size, mtimeMs } = statSync(join(root, path));
		hash.update(`${path} ${size} ${mtimeMs}\n`);
	}
	return hash.digest("hex");
}

function readStamp(folder: string): string | null {
	try {
		return readFileSync(join(folder, STAMP), "utf8");
	} catch {
		return null;
	}
}

/** Null if the folder is missing or older than the sources, or is being replaced by another process. */
function readStored(kept: string, stamp: string): ConsoleFiles | null {
	try {
		return readStamp(kept) === stamp ? readFolder(kept) : null;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}

/** Other processes that read the folder meanwhile find all of its files or none, so whole folders are renamed. */
function saveBuild(made: string, kept: string, stamp: string): void {
	mkdirSync(dirname(kept), { recursive: true });
	const beside = mkdtempSync(`${kept}-`);
	try {
		const complete = join(beside, "new");
		cpSync(made, complete, { recursive: true });
		writeFileSync(join(complete, STAMP), stamp);
		if (readStamp(kept) === stamp) return;
		renameUnless(["ENOENT"], kept, join(beside, "old"));
		// Another process was faster.
		renameUnless(["ENOTEMPTY", "EEXIST", "EPERM"], complete, kept);
	} finally {
		rmSync(beside, { recursive: true, force: true });
	}
}

function renameUnless(expected: readonly string[], from: string, to: string): void {
	try {
		renameSync(from, to);
	} catch (error) {
		if (!expected.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
	}
}
