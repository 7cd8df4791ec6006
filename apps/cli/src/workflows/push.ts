import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { IfVersion, TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { confirmPlan } from "../plan.ts";
import { toServiceProblem } from "../service-problem.ts";
import { createExecutor } from "../services.ts";
import { applyStyle, colourDiffLine } from "../style.ts";
import { type Bases, readBases } from "../sync/bases.ts";
import { isStale } from "../versions/find.ts";
import { readWorkflowFiles, type WorkflowFile } from "../workflow-files.ts";
import { type Checked, checkByService, formatCount, renderDiagnostics } from "./check.ts";
import { renderCurl, renderTest } from "./curl.ts";
import { listPrunable, type Prunable, prune } from "./prune.ts";
import { listConflicts, type PlannedPush, type Pushed, planPush } from "./push-plan.ts";
import { refuseConflicts, refuseInvalid } from "./push-refusals.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { flags, io, progress } = invocation;
	const files = readFiles(invocation);
	progress(`checking ${formatCount(files.length, "file")}`);
	const checked = await checkByService(io, files);
	if (checked.files.some(({ valid }) => !valid)) return refuseInvalid(io, checked);
	const executor = createExecutor(io);
	const bases = readBases(io);
	const planned = await planPush(executor, files, bases);
	const conflicts = listConflicts(planned);
	if (conflicts.length > 0 && flags.force !== true) return refuseConflicts(io, executor, conflicts);
	const prunable = flags.prune === true ? await listPrunable(executor, planned) : [];
	const diagnostics = checked.files.filter((file) => file.diagnostics.length > 0);
	for (const line of [...renderDiagnostics(io, diagnostics), ...renderDiffs(io, planned)]) progress(line);
	const isDryRun = !(await confirm(invocation, planned, prunable));
	const pushed: Pushed[] = [];
	for (const each of planned) pushed.push(isDryRun ? toDryRun(each) : await push(io, executor, each, bases));
	const isComplete = pushed.every(({ result }) => result !== "failed");
	if (isComplete) pushed.push(...(await prune(io, executor, prunable, { bases, isDryRun })));
	return toOutcome(pushed, planned, diagnostics);
}

function readFiles({ positionals, flags, io, progress }: Invocation): WorkflowFile[] {
	const paths = positionals.path as readonly string[];
	const unreadable: string[] = [];
	const files = readWorkflowFiles(io, paths, (path, why) => {
		if (why === "unreadable") unreadable.push(path);
		progress(`${path}: ${why}, skipped`);
	});
	if (flags.prune !== true) return files;
	if (!paths.every((path) => statSync(resolve(io.cwd, path)).isDirectory()))
		throw new CliProblem("--prune needs folders, not files", {
			code: 2,
			hint: "it deletes every deployed workflow that has no file in them",
		});
	// Its workflow would be deleted as one without a file.
	if (unreadable.length > 0)
		throw new CliProblem(`nothing was pushed: ${unreadable.join(", ")} cannot be read`, {
			hint: "with --prune every file must be readable",
		});
	return files;
}

function renderDiffs(io: Io, planned: readonly PlannedPush[]): string[] {
	return planned.flatMap(({ name, diff }) =>
		diff.length === 0
			? []
			: [applyStyle(io, "bold", `${name}:`), ...diff.map((line) => colourDiffLine(io, line))],
	);
}

/** Without a terminal, workflows are replaced without asking, but not deleted. False with `--dry-run`. */
async function confirm(
	invocation: Invocation,
	planned: readonly PlannedPush[],
	prunable: readonly Prunable[],
): Promise<boolean> {
	const { flags, io } = invocation;
	const replaced = planned.filter(({ change }) => change === "update").map(({ name }) => name);
	const replacing = replaced.length === 0 ? [] : [`replace ${replaced.join(", ")}`];
	if (prunable.length > 0) {
		const deleting = `delete ${prunable.map(({ name }) => name).join(", ")}`;
		return confirmPlan(invocation, {
			lines: prunable.map(
				({ name }) => `${name}: has no file, will be deleted; tripline restore brings it back`,
			),
			question: [...replacing, deleting].join(" and "),
			refusal: "nothing was pushed",
		});
	}
	if (flags["dry-run"] === true) return false;
	if (flags.yes === true || replaced.length === 0) return true;
	const answer = await io.ask(`${replacing[0]}? (y/N)`);
	if (answer === null || /^y(?:es)?$/i.test(answer.trim())) return true;
	throw new CliProblem("nothing was pushed", { hint: "--yes replaces without asking" });
}

function toDryRun({ file, name, diff, change, current }: PlannedPush): Pushed {
	const result = change === "unchanged" ? change : (`would ${change}` as const);
	return { file: file.path, name, diff, result, version_number: current, webhook_url: null };
}

async function push(
	io: Io,
	{ workflows }: TenantExecutor,
	planned: PlannedPush,
	bases: Bases,
): Promise<Pushed> {
	const { file, name, change, diff } = planned;
	const about = { file: file.path, name, diff };
	try {
		if (change === "unchanged") {
			const described = await workflows.describe(name);
			const version = described?.version_number ?? null;
			if (version !== null && version === planned.current) keepBase(version);
			return {
				...about,
				result: change,
				version_number: version,
				webhook_url: described?.webhook_url ?? null,
			};
		}
		const ifVersion = getCondition(planned);
		const { created, webhook_url, version_number } = await workflows.save(file.source, { name, ifVersion });
		keepBase(version_number);
		return { ...about, result: created ? "created" : "updated", version_number, webhook_url };
	} catch (error) {
		const problem = toServiceProblem(error, io);
		if (problem === null) throw error;
		const message = isStale(error) ? "changed meanwhile; push again to see how" : problem.message;
		return { ...about, result: "failed", version_number: null, webhook_url: null, error: message };
	}

	function keepBase(version: number): void {
		bases.keep(name, { version, path: file.absolute, text: file.text });
	}
}

/** What was planned must still hold: with `--force` too, only what was shown is overwritten. */
function getCondition({ change, current }: PlannedPush): IfVersion | undefined {
	return change === "create" ? "none" : (current ?? undefined);
}

function toOutcome(
	pushed: readonly Pushed[],
	planned: readonly PlannedPush[],
	files: Checked["files"],
): Outcome {
	const failed = pushed.filter(({ result }) => result === "failed").length;
	const calls = pushed.flatMap(({ name, webhook_url }, nth) => {
		if (webhook_url === null) return [];
		const call = planned[nth]?.isPlain === true ? renderCurl(webhook_url) : renderTest(name);
		return [`${name}:\n  ${call}`];
	});
	return {
		code: failed > 0 ? 1 : 0,
		json: { workflows: pushed, failed, files },
		text: {
			columns: ["workflow", "file", "result"],
			rows: pushed.map(({ name, file, result, error }) => [
				name,
				file ?? "",
				error === undefined ? result : `${result}: ${error}`,
			]),
			empty: "",
			...(calls.length > 0 && { after: calls.join("\n") }),
		},
	};
}
