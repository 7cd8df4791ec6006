import { type CallFacts, describeCall, takesBody } from "@tripline/contract/calling/facts";
import type { JsonObject } from "@tripline/contract/workflows";
import type { DocumentSource, TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { diffLines } from "../diff.ts";
import type { Io } from "../io.ts";
import { toServiceProblem } from "../service-problem.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import { readWorkflowFiles, type WorkflowFile } from "../workflow-files.ts";
import { type Checked, checkByService, countSeverity, formatCount, renderDiagnostics } from "./check.ts";
import { renderCurl, renderTest } from "./curl.ts";
import { buildPortableDocument, renderCanonical } from "./document.ts";

type Change = "create" | "update" | "unchanged";

interface Planned {
	readonly file: string;
	readonly name: string;
	readonly source: DocumentSource;
	readonly change: Change;
	readonly diff: readonly string[];
	/** Whether anyone can call it with JSON by POST. */
	readonly isPlain: boolean;
}

interface Pushed extends Pick<Planned, "file" | "name" | "diff"> {
	readonly result: "created" | "updated" | "unchanged" | "failed" | "would create" | "would update";
	readonly webhook_url: string | null;
	readonly error?: string;
}

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const files = readWorkflowFiles(io, positionals.path as readonly string[], (path) =>
		progress(`${path}: not a workflow document, skipped`),
	);
	progress(`checking ${formatCount(files.length, "file")}`);
	const checked = await checkByService(io, files);
	if (checked.files.some(({ valid }) => !valid)) return toRefusal(io, checked);
	const executor = createExecutor(io);
	const planned = await planPush(executor, files);
	const diagnostics = checked.files.filter((file) => file.diagnostics.length > 0);
	for (const line of [...renderDiagnostics(io, diagnostics), ...renderDiffs(io, planned)]) progress(line);
	const isDryRun = flags["dry-run"] === true;
	if (!isDryRun && flags.yes !== true) await confirm(io, planned);
	const pushed: Pushed[] = [];
	for (const each of planned) pushed.push(isDryRun ? toDryRun(each) : await push(io, executor, each));
	return toOutcome(pushed, planned, diagnostics);
}

function toRefusal(io: Io, { files }: Checked): Outcome {
	const error = `nothing was pushed: ${formatCount(countSeverity(files, "error"), "error")} in ${formatCount(files.filter(({ valid }) => !valid).length, "file")}`;
	return {
		code: 1,
		json: { error, hint: null, workflows: [], files },
		text: [...renderDiagnostics(io, files), error].join("\n"),
	};
}

async function planPush({ workflows }: TenantExecutor, files: readonly WorkflowFile[]): Promise<Planned[]> {
	const planned: Planned[] = [];
	for (const { path, source } of files) {
		const document = buildPortableDocument(source, { named: true });
		const name = document?.name;
		if (document === null || typeof name !== "string") throw new CliProblem(`${path} cannot be read`);
		const twin = planned.find((each) => each.name === name);
		if (twin !== undefined)
			throw new CliProblem(`${twin.file} and ${path} are both named ${JSON.stringify(name)}`, {
				hint: "give each workflow a name of its own; nothing was pushed",
			});
		const deployed = await workflows.document(name);
		const diff = diffLines(
			deployed === null ? [] : renderCanonical(deployed as JsonObject),
			renderCanonical(document),
		);
		const change = deployed === null ? "create" : diff.length === 0 ? "unchanged" : "update";
		const isPlain = takesPlainJson(describeCall("", document as Parameters<typeof describeCall>[1]));
		planned.push({ file: path, name, source, change, diff: change === "update" ? diff : [], isPlain });
	}
	return planned;
}

const takesPlainJson = (call: CallFacts): boolean =>
	takesBody(call, "json") && call.methods.includes("POST") && call.auth === null && call.signature === null;

function renderDiffs(io: Io, planned: readonly Planned[]): string[] {
	return planned.flatMap(({ name, diff }) =>
		diff.length === 0
			? []
			: [applyStyle(io, "bold", `${name}:`), ...diff.map((line) => colourLine(io, line))],
	);
}

function colourLine(io: Io, line: string): string {
	if (line.startsWith("+")) return applyStyle(io, "green", line);
	return line.startsWith("-") ? applyStyle(io, "red", line) : line;
}

/** Without a terminal, workflows are replaced without asking. */
async function confirm(io: Io, planned: readonly Planned[]): Promise<void> {
	const replaced = planned.filter(({ change }) => change === "update");
	if (replaced.length === 0) return;
	const names = replaced.map(({ name }) => name).join(", ");
	const answer = await io.ask(`replace ${names}? (y/N)`);
	if (answer === null || /^y(?:es)?$/i.test(answer.trim())) return;
	throw new CliProblem("nothing was pushed", { hint: "--yes replaces without asking" });
}

function toDryRun({ file, name, diff, change }: Planned): Pushed {
	const result = change === "unchanged" ? change : (`would ${change}` as const);
	return { file, name, diff, result, webhook_url: null };
}

async function push(io: Io, { workflows }: TenantExecutor, planned: Planned): Promise<Pushed> {
	const { file, name, source, change, diff } = planned;
	try {
		if (change === "unchanged") {
			const described = await workflows.describe(name);
			return { file, name, diff, result: "unchanged", webhook_url: described?.webhook_url ?? null };
		}
		const { created, webhook_url } = await workflows.save(source, name);
		return { file, name, diff, result: created ? "created" : "updated", webhook_url };
	} catch (error) {
		const problem = toServiceProblem(error, io);
		if (problem === null) throw error;
		return { file, name, diff, result: "failed", webhook_url: null, error: problem.message };
	}
}

function toOutcome(pushed: readonly Pushed[], planned: readonly Planned[], files: Checked["files"]): Outcome {
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
				file,
				error === undefined ? result : `${result}: ${error}`,
			]),
			empty: "",
			...(calls.length > 0 && { after: calls.join("\n") }),
		},
	};
}
