import type { TenantExecutor } from "@tripline/executor/client";
import type { StoreClient } from "@tripline/store/client";
import type * as z from "zod";
import type { Content } from "../protocol/content.ts";
import type { HeldOutputs } from "./held-outputs.ts";

/** What a tool can use: the APIs, on behalf of the calling tenant. */
export interface ToolContext {
	readonly namespace: string;
	/** The server's own origin, for URLs in answers. */
	readonly origin: string;
	readonly executor: TenantExecutor;
	readonly store: StoreClient;
	/** Long outputs of runs, to be read in parts. */
	readonly outputs: HeldOutputs;
	/** Aborted when the client cancels or disconnects. */
	readonly signal: AbortSignal | undefined;
	/** Reports progress to clients that requested it. */
	progress(done: number, total: number | undefined, message: string): Promise<void>;
}

/** The four tool annotations of MCP; all of them are always sent. */
interface Hints {
	readonly readOnly: boolean;
	readonly destructive: boolean;
	readonly idempotent: boolean;
	/** Reaches beyond the tenant's own data. */
	readonly openWorld: boolean;
}

export interface Tool {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly hints: Hints;
	/** JSON Schema 2020-12 of an object. */
	readonly inputSchema: JsonSchema;
	readonly outputSchema: JsonSchema;
	/** Throws `ToolProblem` for errors that the model can fix. */
	call(args: unknown, context: ToolContext): Promise<ToolAnswer>;
}

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

export interface ToolAnswer {
	/** Matches the output schema; the text copy is built from it. */
	readonly structured: Readonly<Record<string, unknown>>;
	/** Replaces the text copy. */
	readonly content?: readonly Content[];
	/** Follows the text copy, such as links to files. */
	readonly attachments?: readonly Content[];
	/** The call worked, but its outcome is a failure, for example a failed run. */
	readonly isError?: boolean;
}

/** The call is invalid or cannot be served. The message says what to do; it becomes a result with `isError`. */
export class ToolProblem extends Error {
	override readonly name = "ToolProblem";
}

/** A tool with its zod schemas, which also validate the arguments. */
export type ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
	Tool,
	"inputSchema" | "outputSchema" | "call"
> & {
	readonly input: Input;
	readonly output: Output;
	call(
		args: z.output<Input>,
		context: ToolContext,
	): Promise<{
		readonly structured: z.input<Output>;
		readonly attachments?: readonly Content[];
		readonly isError?: boolean;
	}>;
};
