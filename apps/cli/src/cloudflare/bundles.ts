import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import type { Module } from "./api.ts";
import type { Asset } from "./assets.ts";
import type { Role } from "./plan.ts";

export interface Migration {
	readonly version: number;
	readonly file: string;
	readonly sql: string;
}

/** Everything that is deployed, independent of the account. */
export interface Bundles {
	readonly version: string;
	readonly modules: Readonly<Record<Role, readonly Module[]>>;
	/** Of the workers that have a database. */
	readonly migrations: Readonly<Partial<Record<Role, readonly Migration[]>>>;
	/** The web console. */
	readonly assets: readonly Asset[];
}

interface Listing {
	readonly version: string;
	readonly workers: Readonly<
		Record<Role, readonly { readonly name: string; readonly type: Module["type"]; readonly file: string }[]>
	>;
	/** The files by role. */
	readonly migrations: Readonly<Partial<Record<Role, readonly string[]>>>;
	/** The console's files by the paths they are served at. */
	readonly console: Readonly<Record<string, string>>;
}

/**
 * The published package contains its bundles; in a checkout they are built, after one install for all workers. The
 * environment variable names a folder with prepared bundles.
 */
export async function loadBundles(io: Io, progress: (what: string) => void): Promise<Bundles> {
	if (io.env.TRIPLINE_BUNDLES) return readBundles(io.env.TRIPLINE_BUNDLES);
	const packed = fileURLToPath(new URL("../workers/", import.meta.url));
	if (existsSync(join(packed, LISTING))) return readBundles(packed);
	const root = new URL("../../../../", import.meta.url);
	if (!existsSync(new URL(BUNDLER, root)))
		throw new CliProblem("the workers are not part of this installation", {
			hint: "install tripline again, or run it from a checkout",
		});
	return buildBundles(fileURLToPath(root), progress);
}

const LISTING = "bundles.json";
const BUNDLER = "scripts/bundle.ts";

async function buildBundles(root: string, progress: (what: string) => void): Promise<Bundles> {
	const folder = mkdtempSync(join(tmpdir(), "tripline-bundles-"));
	try {
		progress("bundling the workers");
		// The launcher is plain JavaScript and not a package.
		const launcher = (await import(pathToFileURL(join(root, "scripts/launch/prepare.mjs")).href)) as {
			installDependencies(root: string, dev: boolean): Promise<void>;
		};
		await launcher.installDependencies(root, true);
		const { CLOUDFLARE_API_TOKEN: _, ...env } = process.env;
		const args = [...process.execArgv, join(root, BUNDLER), "--workers", folder];
		await promisify(execFile)(process.execPath, args, { env });
		return readBundles(folder);
	} catch (error) {
		if (error instanceof CliProblem) throw error;
		const { stderr, message } = error as Error & { readonly stderr?: string };
		throw new CliProblem(`bundling the workers failed: ${(stderr || message).trim()}`, {
			hint: "the deployment was not changed: correct the code, then run this again",
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function readBundles(folder: string): Bundles {
	try {
		const listing = JSON.parse(readFileSync(join(folder, LISTING), "utf8")) as Listing;
		const modules = Object.fromEntries(
			Object.entries(listing.workers).map(([role, files]) => [
				role,
				files.map(({ name, type, file }) => ({ name, type, content: readBytes(join(folder, file)) })),
			]),
		) as Record<Role, Module[]>;
		const migrations = Object.fromEntries(
			Object.entries(listing.migrations).map(([role, files]) => [
				role,
				files.map((file) => ({
					version: Number(/\d+/.exec(file)?.[0]),
					file,
					sql: readFileSync(join(folder, file), "utf8"),
				})),
			]),
		);
		const assets = Object.entries(listing.console).map(([path, file]) => ({
			path,
			content: readBytes(join(folder, file)),
		}));
		return { version: listing.version, modules, migrations, assets };
	} catch (error) {
		throw new CliProblem(`the bundles in ${folder} are incomplete (${(error as Error).message})`, {
			hint: "install tripline again, or build them: node scripts/bundle.ts",
		});
	}
}

const readBytes = (path: string): Uint8Array<ArrayBuffer> => Uint8Array.from(readFileSync(path));
