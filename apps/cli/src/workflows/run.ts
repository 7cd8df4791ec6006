import type { AcceptedRun } from "@tripline/contract/executor";
import { listFileValues } from "@tripline/contract/file-values";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import { ExecutorRefused, type TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { isObject } from "../data-file.ts";
import { describeFile, renderDownload } from "../files/describe.ts";
import type { Io } from "../io.ts";
import { createExecutor } from "../services.ts";
import { renderText } from "../table.ts";
import { readWorkflowFile } from "../workflow-files.ts";
import { checkByService, countSeverity, formatCount, renderDiagnostics } from "./check.ts";
import { buildPortableDocument } from "./document.ts";
import { describeNow } from "./execution.ts";
import { checkFileInputs, parseFileInputs, sendFileInputs } from "./file-inputs.ts";
import { buildTraceTable } from "./trace.ts";
import { readTriggerContext } from "./trigger-context.ts";
import { createUnknownWorkflow } from "./unknown-workflow.ts";

const USAGE = 2;

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io, progress } = invocation;
	const name = positionals.name as string | undefined;
	const file = flags.file as string | undefined;
	if ((name === undefined) === (file === undefined))
		throw new CliProblem(name === undefined ? "<name> is missing" : "pass either a name or --file", {
			code: USAGE,
			hint: "tripline run <name>, or tripline run --file <path>",
		});
	const input = await readTriggerContext(io, (flags.input as string | undefined) ?? "{}");
	const fileInputs = parseFileInputs(io, (flags["file-input"] as readonly string[] | undefined) ?? [], input);
	const executor = createExecutor(io);
	const target =
		name === undefined ? await openFile(io, executor, file as string) : openSaved(executor, name);
	const result = await runWithFiles(target, input, fileInputs);
	if (!("success" in result)) return describeContinuing(executor, result);
	if (flags.json !== true) {
		if (flags.trace === true) io.err(`${renderText(buildTraceTable(result.nodes ?? []), io)}\n`);
		if (!result.success) printFailure(io, result);
		for (const each of listFileValues(result.data))
			progress(`file: ${describeFile(each)}\n  ${renderDownload(each.$file)}`);
	}
	return { code: result.success ? 0 : 1, json: result, text: result.success ? renderData(result) : "" };

	async function runWithFiles(
		{ readSchema, start }: Target,
		input: JsonObject,
		files: ReturnType<typeof parseFileInputs>,
	): Promise<RunResult | AcceptedRun> {
		if (files.length === 0) {
			progress(`running ${name ?? file}`);
			return start(input);
		}
		const schema = await readSchema();
		checkFileInputs(files, schema);
		const { values, discard } = await sendFileInputs(invocation, executor, files, schema);
		progress(`running ${name ?? file}`);
		try {
			return await start({ ...input, ...values });
		} catch (error) {
			// A refused run has no use for its files; one that may have started has.
			if (error instanceof ExecutorRefused || error instanceof CliProblem) await discard();
			throw error;
		}
	}
}

/** The run goes on without its caller, because it waits or takes long. */
async function describeContinuing({ executions }: TenantExecutor, accepted: AcceptedRun): Promise<Outcome> {
	const { execution_id: id } = accepted;
	const detail = await executions.get(id).catch(() => null);
	const unfinished = detail?.unfinished ?? null;
	const now = unfinished === null ? "" : `, ${describeNow(unfinished)}`;
	return {
		json: { ...accepted, unfinished },
		text: `the run goes on by itself${now}\n  tripline executions watch ${id}`,
	};
}

/** A workflow that can be run. */
interface Target {
	/** Null if it has none. */
	readSchema(): Promise<JsonObject | null>;
	start(input: JsonObject): Promise<RunResult | AcceptedRun>;
}

const openSaved = (executor: TenantExecutor, name: string): Target => ({
	async readSchema() {
		const document = await executor.workflows.document(name);
		if (document === null) throw await createUnknownWorkflow(executor, "run", name);
		return document.options?.input_schema ?? null;
	},
	async start(input) {
		const result = await executor.workflows.run(name, input);
		if (result === null) throw await createUnknownWorkflow(executor, "run", name);
		return result;
	},
});

/** Runs the document through a temporary webhook, which is deleted afterwards. */
async function openFile(io: Io, { webhooks }: TenantExecutor, path: string): Promise<Target> {
	const file = readWorkflowFile(io, path);
	const { files } = await checkByService(io, [file]);
	const document = buildPortableDocument(file.source, { named: true });
	if (document === null || files.some(({ valid }) => !valid)) {
		const errors = formatCount(countSeverity(files, "error"), "error");
		throw new CliProblem(
			`${file.path} does not compile: ${errors}\n${renderDiagnostics(io, files).join("\n")}`,
		);
	}
	return {
		async readSchema() {
			const { options } = document;
			return isObject(options) && isObject(options.input_schema) ? options.input_schema : null;
		},
		async start(input) {
			const { token } = await webhooks.create({ json: stripConditions(document) });
			let isContinuing = false;
			try {
				const result = await webhooks.run(token, input);
				isContinuing = !("success" in result);
				return result;
			} finally {
				// Without it the run could not go on.
				if (isContinuing)
					io.err("the temporary webhook of this run is kept\n  tripline webhooks list shows it\n");
				else
					await webhooks.delete(token).catch(() => {
						io.err(
							"tripline: the temporary webhook of this run could not be deleted\n  tripline webhooks list shows it\n",
						);
					});
			}
		},
	};
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
