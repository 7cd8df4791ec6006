import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { hasProc } from "./child.ts";
import { type Instance, openInstance } from "./executor/instance.ts";
import { startLoad } from "./executor/load.ts";
import { compareServed, countRecords, type Served, type ServedComparison } from "./executor/served.ts";
import { threeNodes, triggerRequest } from "./executor/workflow.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { buildServiceArgs, ROOT } from "./service.ts";

/** How much one change may slow down the plain trigger. */
const MAX_RATIO = 1.03;
/** Processes with the same code differ by a few percent for as long as they run, so several are measured. */
const STARTS = 5;
const PACE = { rounds: 4, warmups: 3, count: 10_000, connections: 32 };
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
	const compared: ServedComparison[] = [];
	for (let nth = 1; nth <= STARTS; nth++) {
		onProgress(`start ${nth} of ${STARTS}: ${PACE.rounds} pairs of ${PACE.count} triggers`);
		await using now = await openInstance(join(folder.path, `now-${nth}`));
		await using before = await openInstance(join(folder.path, `before-${nth}`), {}, buildServiceArgs(then));
		compared.push(
			await compareServed(load, PACE, { floor: await startServed(before), ours: await startServed(now) }),
		);
	}
	const computeMedian = (read: (each: ServedComparison) => number) => median(compared.map(read));
	return [
		{
			title: `Plain trigger, CPU per request: this checkout / ${base}`,
			rows: [
				{
					what: "set, template, if by token",
					unit: "µs",
					floor: computeMedian(({ floor }) => floor),
					ours: computeMedian(({ ours }) => ours),
					ratio: computeMedian(({ ratio }) => ratio),
					bar: { on: "ratio", most: MAX_RATIO },
				},
				...compared.map(
					({ floor, ours, ratio }, nth): Row => ({
						what: `start ${nth + 1}`,
						unit: "µs",
						floor,
						ours,
						ratio,
					}),
				),
			],
		},
	];
}

async function startServed(instance: Instance): Promise<Served> {
	return {
		...instance,
		url: instance.publicUrl,
		requests: [triggerRequest(await instance.webhook(threeNodes("plain")))],
		settle: countRecords(instance, "plain").settle,
	};
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
