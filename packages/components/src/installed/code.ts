import type { Json } from "@tripline/contract/json";
import { toSchemaIssues } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Sandbox, SandboxJob } from "@tripline/platform/sandbox";
import type * as z from "zod";
import { serializeInput } from "../code-input.ts";
import { parseJson } from "../parse/json.ts";

const MIB = 1_048_576;
const LIMITS = { timeoutMs: 2_000, memoryBytes: 32 * MIB, outputBytes: MIB };

interface Surroundings {
	readonly sandbox: Pick<Sandbox, "run">;
	readonly http: SandboxJob["http"];
	log(line: string): void;
}

/** Runs a component's code with its parameters. Throws the error that fails the node. */
export async function runCode(
	code: string,
	params: { readonly [name: string]: Json },
	output: z.ZodType,
	{ sandbox, http, log }: Surroundings,
	signal: AbortSignal,
): Promise<Json> {
	const job = {
		code,
		input: () => serializeInput(params),
		limits: LIMITS,
		...(http === undefined ? {} : { http }),
	};
	const outcome = await sandbox.run(job, signal);
	for (const line of outcome.log) log(line);
	if (!outcome.ok) {
		// A thrown error may be temporary, such as a busy service; a limit would be exceeded again.
		throw outcome.reason === "threw"
			? new Error(stripErrorPrefix(outcome.error))
			: new TerminalError(outcome.error);
	}
	const value = parseJson(outcome.output);
	const read = output.safeParse(value);
	if (read.success) return value;
	const [issue] = toSchemaIssues(output, value, read.error.issues);
	const place = issue === undefined || issue.path.length === 0 ? "it" : issue.path.join(".");
	throw new TerminalError(
		`the component's output does not match its output schema: ${place} ${issue?.message}`,
	);
}

/** Strips the line number from an error that the author threw on purpose; other errors keep it. */
const stripErrorPrefix = (error: string): string =>
	/^Error: ([\s\S]+?)(?: \(line \d+\))?$/.exec(error)?.[1] ?? error;
