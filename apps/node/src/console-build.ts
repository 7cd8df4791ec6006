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
	if (readStamp(kept) === stamp) return readFolder(kept);
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

/** Copies to a temporary folder and renames it. If another process was faster, its equal copy is used. */
function saveBuild(made: string, kept: string, stamp: string): void {
	mkdirSync(dirname(kept), { recursive: true });
	const beside = mkdtempSync(`${kept}-`);
	try {
		cpSync(made, beside, { recursive: true });
		writeFileSync(join(beside, STAMP), stamp);
		rmSync(kept, { recursive: true, force: true });
		renameSync(beside, kept);
	} catch (error) {
		rmSync(beside, { recursive: true, force: true });
		if (readStamp(kept) !== stamp) throw error;
	}
}
