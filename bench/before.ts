import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { hasProc } from "./child.ts";
import { openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { comparePlainTriggers } from "./executor/plain-trigger.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { buildServiceArgs, ROOT } from "./service.ts";

/** How much one change may slow down the plain trigger. */
const MAX_RATIO = 1.03;
const WORKSPACES = "@tripline";

/** The plain trigger of this checkout against that of an earlier commit, measured alternately. */
export async function beforeSuite(
	onProgress: (what: string) => void,
	{ base = "HEAD~1" }: { readonly base?: string },
): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	const then = join(folder.path, "checkout");
	onProgress(`against ${checkOut(base, then)}`);
	await using load = startLoad();
	const sides = {
		floor: (nth: number) => openInstance(join(folder.path, `before-${nth}`), {}, buildServiceArgs(then)),
		ours: (nth: number) => openInstance(join(folder.path, `now-${nth}`)),
		maxRatio: MAX_RATIO,
	};
	return [
		{
			title: `Plain trigger, CPU per request: this checkout / ${base}`,
			rows: await comparePlainTriggers(load, sides, onProgress),
		},
	];
}

/** Extracts a commit's files, with the dependencies of this checkout and its own workspaces. Returns the commit's name. */
export function checkOut(base: string, folder: string): string {
	const commit = git("rev-parse", "--verify", "--end-of-options", `${base}^{commit}`).toString().trim();
	mkdirSync(join(folder, "node_modules"), { recursive: true });
	execFileSync("tar", ["-x", "-C", folder], { input: git("archive", commit) });
	for (const name of readdirSync(join(ROOT, "node_modules"))) {
		if (name !== WORKSPACES)
			symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
	}
	mkdirSync(join(folder, "node_modules", WORKSPACES));
	for (const group of ["packages", "services", "apps"]) {
		for (const name of readdirSync(join(folder, group))) {
			symlinkSync(join(folder, group, name), join(folder, "node_modules", WORKSPACES, name));
		}
	}
	return git("log", "-1", "--format=%h %s", commit).toString().trim();
}

function git(...args: readonly string[]): Buffer {
	return execFileSync("git", args, { cwd: ROOT, maxBuffer: 1 << 30 });
}
