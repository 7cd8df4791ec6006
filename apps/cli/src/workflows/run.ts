import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { createExecutor } from "../services.ts";
import { renderText } from "../table.ts";
import { readWorkflowFile } from "../workflow-files.ts";
import { checkByService, countSeverity, formatCount, renderDiagnostics } from "./check.ts";
import { buildPortableDocument } from "./document.ts";
import { buildTraceTable } from "./trace.ts";
import { readTriggerContext } from "./trigger-context.ts";
import { createUnknownWorkflow } from "./unknown-workflow.ts";

const USAGE = 2;

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const name = positionals.name as string | undefined;
	const file = flags.file as string | undefined;
	if ((name === undefined) === (file === undefined))
		throw new CliProblem(name === undefined ? "<name> is missing" : "pass either a name or --file", {
			code: USAGE,
			hint: "tripline run <name>, or tripline run --file <path>",
		});
	const input = await readTriggerContext(io, (flags.input as string | undefined) ?? "{}");
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

async function runSaved(executor: TenantExecutor, name: string, input: JsonObject): Promise<RunResult> {
	const result = await executor.workflows.run(name, input);
	if (result === null) throw await createUnknownWorkflow(executor, "run", name);
	return result;
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
