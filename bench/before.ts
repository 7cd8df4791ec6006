import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { hasProc } from "./child.ts";
import { type Instance, openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { compareServed, informationOf, recordsOf, type Served } from "./executor/served.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { ROOT, serviceOf } from "./service.ts";

/** What one change may cost the plain trigger. */
const MOST = 1.03;
const PAIRS = 20;
const PACE = { rounds: PAIRS, warmups: 4, count: 10_000, connections: 32 };
const WORKSPACES = "@tripline";

/** The plain trigger of this checkout against the same of a commit before it, in turn. */
export async function beforeSuite(
	onProgress: (what: string) => void,
	{ base = "HEAD~1" }: { readonly base?: string },
): Promise<Section[]> {
	if (!hasProc) throw new Error("a server's CPU is read from /proc, which this platform does not have");
	using folder = scratchFolder();
	const commit = git("rev-parse", "--verify", "--end-of-options", `${base}^{commit}`).toString().trim();
	onProgress(`against ${git("log", "-1", "--format=%h %s", commit).toString().trim()}`);
	const then = join(folder.path, "checkout");
	checkOut(commit, then);
	await using load = startLoad();
	await using now = await openInstance(join(folder.path, "now"));
	await using before = await openInstance(join(folder.path, "before"), {}, serviceOf(then));
	const served = async (instance: Instance): Promise<Served> => ({
		...instance,
		url: instance.publicUrl,
		requests: [triggerRequest(await instance.webhook(threeNodes("plain")))],
		settle: recordsOf(instance, "plain").settle,
	});
	const sides = { floor: await served(before), ours: await served(now) };
	onProgress(`${PAIRS} pairs of ${PACE.count} triggers`);
	const compared = await compareServed(load, PACE, sides);
	return [
		{
			title: `Plain trigger, CPU per request: this checkout / ${base}`,
			rows: [
				{
					what: "set, template, if by token",
					unit: "µs",
					floor: compared.floor,
					ours: compared.ours,
					ratio: compared.ratio,
					bar: { on: "ratio", most: MOST },
				},
				...informationOf("the same", compared),
			],
		},
	];
}

/** The files of the commit, with the dependencies of this checkout and the packages of its own. */
function checkOut(commit: string, folder: string): void {
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
}

function git(...args: readonly string[]): Buffer {
	return execFileSync("git", args, { cwd: ROOT, maxBuffer: 1 << 30 });
}
