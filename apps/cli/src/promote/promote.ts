import type { WorkflowDiff } from "@tripline/contract/workflow-versions";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { requireSetting } from "../config.ts";
import type { Io } from "../io.ts";
import { confirmPlan } from "../plan.ts";
import { toServiceProblem } from "../service-problem.ts";
import { createExecutor, selectService } from "../services.ts";
import { applyStyle } from "../style.ts";
import { readDeployed, toDocumentSource } from "../sync/deployed.ts";
import { compareTexts } from "../versions/compare.ts";
import { isStale } from "../versions/find.ts";
import { renderDiff } from "../versions/render-diff.ts";
import { type CheckedFile, checkSources, formatCount, renderDiagnostics } from "../workflows/check.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";
import { listMissing, type Missing, readInventory } from "./missing.ts";
import { readNeeds } from "./needs.ts";

/** A workflow at the source. */
interface Candidate {
	readonly name: string;
	readonly version: number | null;
	readonly text: string;
}

interface Planned extends Candidate, Pick<WorkflowDiff, "hunks" | "nodes"> {
	readonly change: "create" | "update" | "unchanged";
	/** The target's version; null if it has none. */
	readonly current: number | null;
}

interface Promoted extends Pick<Planned, "name"> {
	readonly from_version: number | null;
	readonly version_number: number | null;
	readonly result: string;
	readonly error?: string;
}

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io, progress } = invocation;
	const [from, to] = [selectService(io, flags.from as string | undefined), selectTarget(io, flags.to)];
	refuseSame(from, to);
	const [source, target] = [createExecutor(from), createExecutor(to)];
	const names = positionals.name as readonly string[] | undefined;
	const candidates = await callAt(from, () => readCandidates(source, names));
	progress(`checking ${formatCount(candidates.length, "workflow")} at ${requireSetting(to, "base_url")}`);
	const missing = listMissing(new Map(candidates.map(({ name, text }) => [name, readNeeds(text)])), {
		source: await callAt(from, () => readInventory(source)),
		target: await callAt(to, () => readInventory(target)),
		to: flags.to as string,
	});
	const refused = await callAt(to, () => checkAtTarget(to, candidates));
	if (missing.length > 0 || refused.length > 0) return refuse(io, missing, refused);
	const planned = await callAt(to, () => planPromotion(target, candidates));
	const isConfirmed = await confirm(invocation, planned);
	const promoted: Promoted[] = [];
	for (const each of planned) promoted.push(isConfirmed ? await promote(to, target, each) : toDryRun(each));
	return toOutcome(promoted);
}

function selectTarget(io: Io, to: Invocation["flags"][string]): Io {
	if (typeof to === "string") return selectService(io, to);
	throw new CliProblem("--to is missing", { code: 2, hint: "name the service: --to production" });
}

function refuseSame(from: Io, to: Io): void {
	const identify = (io: Io) => `${requireSetting(io, "base_url")} ${requireSetting(io, "namespace")}`;
	if (identify(from) !== identify(to)) return;
	throw new CliProblem("--from and --to are the same service and namespace", {
		code: 2,
		hint: "tripline config --service <name> shows what a name stands for",
	});
}

/** Failures are those of this service, so that its address is in the message. */
async function callAt<Result>(io: Io, call: () => Promise<Result>): Promise<Result> {
	try {
		return await call();
	} catch (error) {
		throw toServiceProblem(error, io) ?? error;
	}
}

async function readCandidates(
	source: TenantExecutor,
	names: readonly string[] | undefined,
): Promise<Candidate[]> {
	const deployed = new Map((await source.workflows.list()).workflows.map((each) => [each.name, each]));
	const candidates: Candidate[] = [];
	for (const name of new Set(names ?? deployed.keys())) {
		const found = deployed.get(name);
		if (found === undefined) throw await createUnknownWorkflow(source, "promote", name);
		const version = found.version_number ?? null;
		const text = await readDeployed(source, name, version);
		if (text !== null) candidates.push({ name, version, text });
	}
	return candidates;
}

/** The errors of the target's compiler, without unknown components, which are listed as missing. */
async function checkAtTarget(io: Io, candidates: readonly Candidate[]): Promise<CheckedFile[]> {
	const files = candidates.map(({ name, text }) => ({ path: name, source: toDocumentSource(text) }));
	const checked = await checkSources(io, files);
	return checked
		.map((file) => ({
			...file,
			diagnostics: file.diagnostics.filter(
				({ severity, code }) => severity === "error" && code !== "unknown_component",
			),
		}))
		.filter(({ diagnostics }) => diagnostics.length > 0);
}

function refuse(io: Io, missing: readonly Missing[], refused: readonly CheckedFile[]): Outcome {
	const errors = refused.flatMap(({ diagnostics }) => diagnostics);
	const found = [
		...(missing.length > 0 ? [`${missing.length} missing there`] : []),
		...(errors.length > 0 ? [formatCount(errors.length, "error")] : []),
	];
	const error = `nothing was promoted: ${found.join(", ")}`;
	return {
		code: 1,
		json: { error, hint: null, workflows: [], missing, files: refused },
		text: [
			...missing.flatMap(({ kind, name, needed_by, hint }) => [
				`${applyStyle(io, "red", "missing")} ${kind} ${name}, needed by ${needed_by.join(", ")}`,
				`  ${hint}`,
			]),
			...renderDiagnostics(io, refused),
			error,
		].join("\n"),
	};
}

async function planPromotion(target: TenantExecutor, candidates: readonly Candidate[]): Promise<Planned[]> {
	const planned: Planned[] = [];
	for (const candidate of candidates) {
		const described = await target.workflows.describe(candidate.name);
		const current = described?.version_number ?? null;
		const text = described === null ? null : await readDeployed(target, candidate.name, current);
		const diff = text === null ? { hunks: [], nodes: null } : compareTexts(text, candidate.text);
		const change = text === null ? "create" : diff.hunks.length === 0 ? "unchanged" : "update";
		planned.push({ ...candidate, ...diff, current, change });
	}
	return planned;
}

async function confirm(invocation: Invocation, planned: readonly Planned[]): Promise<boolean> {
	const changed = planned.filter(({ change }) => change !== "unchanged");
	if (changed.length === 0) return invocation.flags["dry-run"] !== true;
	return confirmPlan(invocation, {
		lines: changed.flatMap((each) => [
			applyStyle(invocation.io, "bold", `${each.name}: ${describeChange(each)}`),
			...renderDiff(invocation.io, each),
		]),
		question: `promote ${changed.map(({ name }) => name).join(", ")} to ${invocation.flags.to}`,
		refusal: "nothing was promoted",
	});
}

const describeChange = ({ change, current }: Planned): string =>
	change === "create"
		? "new there"
		: current === null
			? "replaced there"
			: `replaces version ${current} there`;

function toDryRun({ name, version, current, change }: Planned): Promoted {
	const result = change === "unchanged" ? change : `would ${change}`;
	return { name, from_version: version, version_number: current, result };
}

async function promote(io: Io, { workflows }: TenantExecutor, planned: Planned): Promise<Promoted> {
	const { name, version, text, change, current } = planned;
	const about = { name, from_version: version };
	if (change === "unchanged") return { ...about, version_number: current, result: change };
	try {
		const ifVersion = change === "create" ? "none" : (current ?? undefined);
		const { version_number, created } = await workflows.save(toDocumentSource(text), { name, ifVersion });
		return { ...about, version_number, result: created ? "created" : "updated" };
	} catch (error) {
		const problem = toServiceProblem(error, io);
		if (problem === null) throw error;
		const message = isStale(error) ? "changed there meanwhile; promote again to see how" : problem.message;
		return { ...about, version_number: null, result: "failed", error: message };
	}
}

function toOutcome(promoted: readonly Promoted[]): Outcome {
	const failed = promoted.filter(({ result }) => result === "failed").length;
	return {
		code: failed > 0 ? 1 : 0,
		json: { workflows: promoted, failed, missing: [] },
		text: {
			columns: ["workflow", "from version", "version", "result"],
			rows: promoted.map(({ name, from_version, version_number, result, error }) => [
				name,
				String(from_version ?? ""),
				String(version_number ?? ""),
				error === undefined ? result : `${result}: ${error}`,
			]),
			empty: "no workflows to promote",
		},
	};
}
