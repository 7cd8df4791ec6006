import { join, resolve } from "node:path";
import type { TenantExecutor } from "@tripline/executor/client";
import type { Invocation, Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { confirmPlan } from "../plan.ts";
import { findProjectFolder } from "../project.ts";
import { replaceFile } from "../replace-file.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import { type Described, findWorkflow } from "../versions/find.ts";
import { renderDiff } from "../versions/render-diff.ts";
import { formatCount } from "../workflows/check.ts";
import { type Bases, readBases } from "./bases.ts";
import { type PlannedPull, planPull } from "./pull-plan.ts";

const DEFAULT_FOLDER = "workflows";
const RESULTS = {
	create: "created",
	update: "updated",
	unchanged: "unchanged",
	keep: "local changes kept",
	conflict: "conflict",
} as const;

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io, progress } = invocation;
	const names = positionals.name as readonly string[] | undefined;
	const executor = createExecutor(io);
	const bases = readBases(io);
	const workflows = await listWorkflows(executor, names);
	progress(`reading ${formatCount(workflows.length, "workflow")}`);
	const to = flags.to as string | undefined;
	const planned = await planPull(io, executor, workflows, {
		place: {
			folder: to === undefined ? join(findProjectFolder(io), DEFAULT_FOLDER) : resolve(io.cwd, to),
			isGiven: to !== undefined,
		},
		bases,
		isForced: flags.force === true,
	});
	const gone = names === undefined ? listGone(bases, workflows) : [];
	const conflicts = planned.filter(({ change }) => change === "conflict");
	if (conflicts.length > 0) return toRefusal(io, conflicts);
	const isDone = await confirm(invocation, planned);
	if (isDone) for (const each of planned) write(bases, each);
	return toOutcome(planned, gone, isDone);
}

async function listWorkflows(
	executor: TenantExecutor,
	names: readonly string[] | undefined,
): Promise<readonly Described[]> {
	if (names === undefined) return (await executor.workflows.list()).workflows;
	const found: Described[] = [];
	for (const name of new Set(names)) found.push(await findWorkflow(executor, "pull", name));
	return found;
}

/** Workflows whose file is there, but which are no longer deployed. Pulling deletes no file. */
const listGone = (bases: Bases, workflows: readonly Described[]): string[] => {
	const deployed = new Set(workflows.map(({ name }) => name));
	return bases.names().filter((name) => !deployed.has(name) && bases.findFile(name) !== null);
};

/** Asks only before files are replaced. */
async function confirm(invocation: Invocation, planned: readonly PlannedPull[]): Promise<boolean> {
	for (const { file, change } of planned) if (change === "create") invocation.progress(`${file}: new`);
	const replaced = planned.filter(({ change }) => change === "update");
	if (replaced.length === 0) return invocation.flags["dry-run"] !== true;
	return confirmPlan(invocation, {
		lines: replaced.flatMap((each) => renderChange(invocation.io, each)),
		question: `replace ${replaced.map(({ file }) => file).join(", ")}`,
		refusal: "nothing was pulled",
	});
}

const renderChange = (io: Io, { file, hunks }: PlannedPull): string[] => [
	applyStyle(io, "bold", `${file}:`),
	...renderDiff(io, { hunks, nodes: null }),
];

function write(bases: Bases, { name, version, text, absolute, change }: PlannedPull): void {
	if (change === "keep") return;
	if (change !== "unchanged") replaceFile(absolute, text);
	if (version !== null) bases.keep(name, { version, path: absolute, text });
}

function toRefusal(io: Io, conflicts: readonly PlannedPull[]): Outcome {
	const error = `nothing was pulled: ${formatCount(conflicts.length, "file")} would be overwritten`;
	const hint = "move your changes away, or commit them, and pass --force to overwrite";
	return {
		code: 1,
		json: {
			error,
			hint,
			workflows: conflicts.map(({ name, file, version, reason }) => ({
				...{ name, file, version, result: "conflict", reason },
			})),
		},
		text: [
			...conflicts.flatMap((each) => [...renderChange(io, each), `${each.file}: ${each.reason}`]),
			error,
			`  ${hint}`,
		].join("\n"),
	};
}

function toOutcome(planned: readonly PlannedPull[], gone: readonly string[], isDone: boolean): Outcome {
	const rows = planned.map(({ name, file, version, change }) => {
		const isChange = change === "create" || change === "update";
		return { name, file, version, result: isChange && !isDone ? `would ${change}` : RESULTS[change] };
	});
	return {
		json: { workflows: rows, not_deployed: gone },
		text: {
			columns: ["workflow", "version", "file", "result"],
			rows: rows.map(({ name, version, file, result }) => [name, String(version ?? ""), file, result]),
			empty: "no workflows are deployed",
			...(gone.length > 0 && { after: `no longer deployed, files kept: ${gone.join(", ")}` }),
		},
	};
}
