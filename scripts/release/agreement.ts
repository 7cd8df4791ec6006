import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
	CHANGELOG_VERSIONS,
	DEPENDENCIES,
	listWorkspaces,
	type Manifest,
	README_VERSION,
	readLock,
} from "./project.ts";

/** Lists what differs from the version in the root manifest, as `file: what`. */
export async function findMismatches(
	root: string,
	{ areBundlesLeftOut = false } = {},
): Promise<readonly string[]> {
	const workspaces = listWorkspaces(root);
	const version = workspaces[0]?.manifest.version ?? "";
	const names = new Set(workspaces.map(({ manifest }) => manifest.name));
	const manifests = workspaces.flatMap(({ folder, manifest }) =>
		checkManifest(folder === "" ? "package.json" : `${folder}/package.json`, manifest),
	);
	const lock = readLock(root);
	const locked = workspaces.flatMap(({ folder }) => {
		const entry = lock.packages[folder];
		const at = `package-lock.json: packages[${JSON.stringify(folder)}]`;
		return entry === undefined ? [`${at} is missing`] : checkManifest(at, entry);
	});
	return [
		...manifests,
		...compareVersion("package-lock.json", lock.version),
		...locked,
		...checkChangelog(),
		...compareVersion(
			'README.md: the line "This version, ..."',
			README_VERSION.exec(readText("README.md"))?.[0] ?? null,
		),
		...(
			await Promise.all([checkProgram("apps/cli/src/bin.ts"), areBundlesLeftOut ? [] : checkBundles()])
		).flat(),
	];

	function compareVersion(what: string, said: string | null): string[] {
		if (said === version) return [];
		return [`${what} ${said === null ? "has no version" : `is ${said}`}, not ${version}`];
	}

	function checkManifest(at: string, manifest: Manifest): string[] {
		const wanted = DEPENDENCIES.flatMap((kind) =>
			Object.entries((manifest[kind] ?? {}) as Record<string, string>),
		);
		return [
			...compareVersion(at, manifest.version),
			...wanted
				.filter(([name]) => names.has(name))
				.flatMap(([name, said]) => compareVersion(`${at}: ${name}`, said)),
		];
	}

	/** The newest entry must be the version's; each earlier release with the same minor number must have one too. */
	function checkChangelog(): string[] {
		const entries = [...readText("CHANGELOG.md").matchAll(CHANGELOG_VERSIONS)].map(
			([, entry]) => entry as string,
		);
		const [, line = "", patch = "0"] = /^(\d+\.\d+\.)(\d+)$/.exec(version) ?? [];
		const earlier = Array.from({ length: Number(patch) }, (_, index) => `${line}${index}`);
		return [
			...compareVersion("CHANGELOG.md: the newest entry", entries[0] ?? null),
			...earlier
				.filter((each) => !entries.includes(each))
				.map((each) => `CHANGELOG.md: ${each} has no entry`),
		];
	}

	/** Checked only if they are built. */
	async function checkBundles(): Promise<string[]> {
		const home = "dist/package";
		if (!existsSync(join(root, home))) return [];
		const stale = [
			...compareVersion(`${home}/package.json`, readVersion(`${home}/package.json`)),
			...compareVersion(`${home}/workers/bundles.json`, readVersion(`${home}/workers/bundles.json`)),
			...(await checkProgram(`${home}/cli/tripline.js`)),
		];
		return stale.map((line) => `${line}: run npm run bundle, or delete dist`);
	}

	function readVersion(file: string): string | null {
		const path = join(root, file);
		return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest).version : null;
	}

	function readText(file: string): string {
		return readFileSync(join(root, file), "utf8");
	}

	async function checkProgram(file: string): Promise<string[]> {
		return compareVersion(`${file}: --version`, await runForVersion(file));
	}

	async function runForVersion(file: string): Promise<string | null> {
		try {
			const args = ["--disable-warning=ExperimentalWarning", join(root, file), "--version"];
			const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 });
			return stdout.trim();
		} catch {
			return null;
		}
	}
}
