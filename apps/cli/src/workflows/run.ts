import { resolve } from "node:path";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { findNearest } from "../nearest.ts";
import { createExecutor } from "../services.ts";
import { renderText } from "../table.ts";
import { readTextFile } from "../text-file.ts";
import { readWorkflowFile } from "../workflow-files.ts";
import { checkByService, countSeverity, formatCount, renderDiagnostics } from "./check.ts";
import { buildPortableDocument } from "./document.ts";
import { buildTraceTable } from "./trace.ts";

const USAGE = 2;

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const name = positionals.name as string | undefined;
	const file = flags.file as string | undefined;
	if ((name === undefined) === (file === undefined))
		throw new CliProblem(name === undefined ? "<name> is missing" : "pass either a name or --file", {
			code: USAGE,
			hint: "tripline run <name>, or tripline run --file <path>",
		});
	const input = await readTriggerContext(io, flags.input as string | undefined);
	const executor = createExecutor(io);
	progress(`running ${name ?? file}`);
	const result =
		name === undefined
			? await runFile(io, executor, file as string, input)
			: await runSaved(executor, name, input);
	if (flags.json !== true) {
		if (flags.trace === true) io.err(`${renderText(buildTraceTable(result.nodes ?? []), io)}\n`);
		if (!result.success) printFailure(io, result);
	}
	return { code: result.success ? 0 : 1, json: result, text: result.success ? renderData(result) : "" };
}

/** Reads the trigger context: JSON, `@file`, or `-` for standard input. */
async function readTriggerContext(io: Io, given: string | undefined): Promise<JsonObject> {
	if (given === undefined) return {};
	if (given === "-") return parseObject(await io.stdin(), "standard input");
	if (!given.startsWith("@")) return parseObject(given, "--input");
	const path = given.slice(1);
	return parseObject(readTextFile(resolve(io.cwd, path), path, USAGE), path);
}

function parseObject(text: string, from: string): JsonObject {
	try {
		const value = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {
		// Reported below.
	}
	throw new CliProblem(`${from} is not a JSON object`, {
		code: USAGE,
		hint: `--input '{"name":"value"}', --input @file.json, or --input - for standard input`,
	});
}

async function runSaved({ workflows }: TenantExecutor, name: string, input: JsonObject): Promise<RunResult> {
	const result = await workflows.run(name, input);
	if (result !== null) return result;
	const { workflows: saved } = await workflows.list();
	const near = findNearest(
		name,
		saved.map((each) => each.name),
	);
	throw new CliProblem(`there is no workflow ${JSON.stringify(name)}`, {
		hint: near === null ? "save it with: tripline push <path>" : `did you mean: tripline run ${near}`,
	});
}

/** Runs the document through a temporary webhook, which is deleted afterwards. */
async function runFile(
	io: Io,
	{ webhooks }: TenantExecutor,
	path: string,
	input: JsonObject,
): Promise<RunResult> {
	const file = readWorkflowFile(io, path);
	const { files } = await checkByService(io, [file]);
	const document = buildPortableDocument(file.source, { named: true });
	if (document === null || files.some(({ valid }) => !valid)) {
		const errors = formatCount(countSeverity(files, "error"), "error");
		throw new CliProblem(
			`${file.path} does not compile: ${errors}\n${renderDiagnostics(io, files).join("\n")}`,
		);
	}
	const { token } = await webhooks.create({ json: stripConditions(document) });
	try {
		return await webhooks.run(token, input);
	} finally {
		await webhooks.delete(token).catch(() => {
			io.err(
				"tripline: the temporary webhook of this run could not be deleted\n  tripline webhooks list shows it\n",
			);
		});
	}
}

/** Removes the trigger and the signature, because the owner runs the document directly. */
function stripConditions({ trigger: _, ...document }: JsonObject): JsonObject {
	const { signature: __, ...options } = (document.options ?? {}) as JsonObject;
	return { ...document, options };
}

function renderData({ data }: RunResult): string {
	return typeof data === "string" ? data : JSON.stringify(data, null, 2);
}

function printFailure(io: Io, { error, nodes = [], execution_id }: RunResult): void {
	const failed = nodes.find(({ status }) => status === "failed");
	const where = failed === undefined ? "" : ` at node ${JSON.stringify(failed.id)} (${failed.component})`;
	io.err(`tripline: the run failed${where}: ${error}\n`);
	io.err(`  tripline executions show ${execution_id}\n`);
}
