import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
	CHANGELOG_VERSIONS,
	DEPENDENCIES,
	lockOf,
	type Manifest,
	README_VERSION,
	workspacesOf,
} from "./project.ts";

/** Lists what differs from the version in the root manifest, as `file: what`. */
export async function disagreements(
	root: string,
	{ areBundlesLeftOut = false } = {},
): Promise<readonly string[]> {
	const workspaces = workspacesOf(root);
	const version = workspaces[0]?.manifest.version ?? "";
	const names = new Set(workspaces.map(({ manifest }) => manifest.name));
	const manifests = workspaces.flatMap(({ folder, manifest }) =>
		inManifest(folder === "" ? "package.json" : `${folder}/package.json`, manifest),
	);
	const lock = lockOf(root);
	const locked = workspaces.flatMap(({ folder }) => {
		const entry = lock.packages[folder];
		const at = `package-lock.json: packages[${JSON.stringify(folder)}]`;
		return entry === undefined ? [`${at} is missing`] : inManifest(at, entry);
	});
	return [
		...manifests,
		...compared("package-lock.json", lock.version),
		...locked,
		...inChangelog(),
		...compared(
			'README.md: the line "This version, ..."',
			README_VERSION.exec(textOf("README.md"))?.[0] ?? null,
		),
		...(await Promise.all([inProgram("apps/cli/src/bin.ts"), areBundlesLeftOut ? [] : inBundles()])).flat(),
	];

	function compared(what: string, said: string | null): string[] {
		if (said === version) return [];
		return [`${what} ${said === null ? "has no version" : `is ${said}`}, not ${version}`];
	}

	function inManifest(at: string, manifest: Manifest): string[] {
		const wanted = DEPENDENCIES.flatMap((kind) =>
			Object.entries((manifest[kind] ?? {}) as Record<string, string>),
		);
		return [
			...compared(at, manifest.version),
			...wanted
				.filter(([name]) => names.has(name))
				.flatMap(([name, said]) => compared(`${at}: ${name}`, said)),
		];
	}

	/** The newest entry must be the version's; each earlier release with the same minor number must have one too. */
	function inChangelog(): string[] {
		const entries = [...textOf("CHANGELOG.md").matchAll(CHANGELOG_VERSIONS)].map(
			([, entry]) => entry as string,
		);
		const [, line = "", patch = "0"] = /^(\d+\.\d+\.)(\d+)$/.exec(version) ?? [];
		const earlier = Array.from({ length: Number(patch) }, (_, index) => `${line}${index}`);
		return [
			...compared("CHANGELOG.md: the newest entry", entries[0] ?? null),
			...earlier
				.filter((each) => !entries.includes(each))
				.map((each) => `CHANGELOG.md: ${each} has no entry`),
		];
	}

	/** Checked only if they are built. */
	async function inBundles(): Promise<string[]> {
		const home = "dist/package";
		if (!existsSync(join(root, home))) return [];
		const stale = [
			...compared(`${home}/package.json`, versionIn(`${home}/package.json`)),
			...compared(`${home}/workers/bundles.json`, versionIn(`${home}/workers/bundles.json`)),
			...(await inProgram(`${home}/cli/tripline.js`)),
		];
		return stale.map((line) => `${line}: run npm run bundle, or delete dist`);
	}

	function versionIn(file: string): string | null {
		const path = join(root, file);
		return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest).version : null;
	}

	function textOf(file: string): string {
		return readFileSync(join(root, file), "utf8");
	}

	async function inProgram(file: string): Promise<string[]> {
		return compared(`${file}: --version`, await printed(file));
	}

	async function printed(file: string): Promise<string | null> {
		try {
			const args = ["--disable-warning=ExperimentalWarning", join(root, file), "--version"];
			const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 });
			return stdout.trim();
		} catch {
			return null;
		}
	}
}
