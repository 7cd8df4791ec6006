import { randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "../apps/console/build.ts";
import { bundleService } from "../scripts/bundle/programs.ts";
import { CACHE, hashFiles, listConfiguration, ROOT } from "./bundle-inputs.ts";

const FOLDER = join(CACHE, "service");
const STORED = join(FOLDER, "stored.json");

/** What the service and the console are made of, besides the modules that the bundler finds. */
const OTHER_INPUTS = [
	"test/service-bundle.ts",
	"scripts/bundle/programs.ts",
	"services/store/data/word-vectors.bin",
	"apps/console/build.ts",
	"apps/console/src/**/*.*",
	"packages/*/src/**/*.ts",
];

interface Stored {
	/** The files it depends on, relative to the root. */
	readonly files: readonly string[];
	/** Of their contents. */
	readonly hash: string;
}

let bundle: Promise<string> | undefined;

/**
 * The programs of the published package in a folder, which start twice as fast as the sources. They are bundled once
 * for all tests, and again after one of their files has changed.
 */
export function bundleServiceOnce(): Promise<string> {
	bundle ??= bundleUnlessStored();
	return bundle;
}

async function bundleUnlessStored(): Promise<string> {
	const stored = readStored();
	if (stored !== undefined && hashFiles(stored.files) === stored.hash) {
		const folder = join(FOLDER, stored.hash);
		if (existsSync(folder)) return join(folder, "service");
	}
	const draft = join(FOLDER, randomUUID());
	mkdirSync(draft, { recursive: true });
	const modules = await bundleService(join(draft, "service"), join(draft, "data"));
	await buildConsole(join(draft, "console"));
	const others = globSync(OTHER_INPUTS, { cwd: ROOT }).sort();
	const files = [...new Set([...listConfiguration(), ...others, ...modules])];
	const hash = hashFiles(files) ?? "";
	storeBundle(draft, { files, hash });
	if (stored !== undefined && stored.hash !== hash)
		rmSync(join(FOLDER, stored.hash), { recursive: true, force: true });
	return join(FOLDER, hash, "service");
}

function readStored(): Stored | undefined {
	try {
		return JSON.parse(readFileSync(STORED, "utf8")) as Stored;
	} catch {
		return undefined;
	}
}

/** Renamed when complete, because several test processes read and write at the same time. */
function storeBundle(draft: string, stored: Stored): void {
	const folder = join(FOLDER, stored.hash);
	try {
		renameSync(draft, folder);
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		// Another process was faster; its bundle is equal.
		if (!existsSync(folder)) throw error;
	}
	const list = `${STORED}.${randomUUID()}`;
	writeFileSync(list, JSON.stringify(stored));
	renameSync(list, STORED);
}
