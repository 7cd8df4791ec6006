import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The last commit of each release, for those that have no tag. */
export const RELEASES = {
	"1.3.0": "c4ba3ea4",
	"1.3.1": "06073e4a",
} as const;

export type Release = keyof typeof RELEASES;

/** Fixtures are named after releases. */
export const fixtureUrl = (release: Release): URL => new URL(`fixtures/${release}.tar.gz`, import.meta.url);

/** Whether the history is here: a shallow clone or an archive has none. */
export function hasHistory(release: Release): boolean {
	try {
		execFileSync("git", ["cat-file", "-e", `${RELEASES[release]}^{commit}`], { cwd: ROOT, stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

/** Writes the sources of a release to the folder, with the dependencies of this checkout. */
export function checkOut(release: Release, folder: string): void {
	mkdirSync(folder, { recursive: true });
	const archive = execFileSync("git", ["archive", RELEASES[release]], { cwd: ROOT, maxBuffer: 2 ** 30 });
	execFileSync("tar", ["x", "-C", folder], { input: archive });
	const scope = join(folder, "node_modules", "@tripline");
	mkdirSync(scope, { recursive: true });
	const modules = join(ROOT, "node_modules");
	for (const name of readdirSync(modules))
		if (name !== "@tripline" && !name.startsWith("."))
			symlinkSync(join(modules, name), join(folder, "node_modules", name));
	for (const kind of ["packages", "services", "apps"])
		for (const name of readdirSync(join(folder, kind)))
			symlinkSync(relative(scope, join(folder, kind, name)), join(scope, name));
}

/** Starts the sources in the folder on a data folder. The URLs are empty if it refused to start. */
export async function startRelease(
	folder: string,
	dataFolder: string,
	variables: Record<string, string> = {},
) {
	const child = spawn(
		process.execPath,
		["--disable-warning=ExperimentalWarning", join(folder, "apps/node/src/main.ts")],
		{
			cwd: folder,
			env: { PATH: process.env.PATH, PORT: "0", STORE_PORT: "0", DATA_DIR: dataFolder, ...variables },
			stdio: ["ignore", "pipe", "pipe"],
		},
	);
	let stdout = "";
	let stderr = "";
	child.stderr.on("data", (chunk) => {
		stderr += chunk;
	});
	const exit = once(child, "exit");
	const ready = new Promise<void>((resolve) => {
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
			if (stdout.includes("Try it:")) resolve();
		});
	});
	await Promise.race([ready, once(child, "close")]);
	const url = (name: string) => new RegExp(`${name} +(http://\\S+)`).exec(stdout)?.[1] ?? "";
	return {
		publicUrl: url("service"),
		storeUrl: url("store"),
		stderr: () => stderr,
		async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
			child.kill(signal);
			await exit;
		},
	};
}
