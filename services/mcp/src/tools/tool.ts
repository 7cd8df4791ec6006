import type { TenantExecutor } from "@tripline/executor/client";
import type { StoreClient } from "@tripline/store/client";
import type * as z from "zod";
import type { Content } from "../protocol/content.ts";
import type { HeldOutputs } from "./held-outputs.ts";

/** What a tool works with: the APIs, as the tenant that calls. */
export interface ToolContext {
	readonly namespace: string;
	/** The server's own, for addresses in answers. */
	readonly origin: string;
	readonly executor: TenantExecutor;
	readonly store: StoreClient;
	/** Long outputs of runs, to be read page by page. */
	readonly outputs: HeldOutputs;
	/** Aborted when the client cancels or hangs up. */
	readonly signal: AbortSignal | undefined;
	/** Tells a client that asked for it how far the work is. */
	progress(done: number, total: number | undefined, message: string): Promise<void>;
}

/** The four hints of MCP, all of them always said. */
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
	/** Throws `ToolProblem` for what the model can mend. */
	call(args: unknown, context: ToolContext): Promise<ToolAnswer>;
}

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

export interface ToolAnswer {
	/** Matches the output schema; its text copy is made from it. */
	readonly structured: Readonly<Record<string, unknown>>;
	/** Instead of the text copy, where text would not do. */
	readonly content?: readonly Content[];
	/** The tool did its work, and what came of it is a failure, for example of a run. */
	readonly isError?: boolean;
}

/** The call was wrong or cannot be served: says what is wrong and what to do next. Becomes a result with `isError`. */
export class ToolProblem extends Error {
	override readonly name = "ToolProblem";
}

/** Ties a tool's function to its schemas, which also check the arguments. */
export type DescribedTool<Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
	Tool,
	"inputSchema" | "outputSchema" | "call"
> & {
	readonly input: Input;
	readonly output: Output;
	call(
		args: z.output<Input>,
		context: ToolContext,
	): Promise<{ readonly structured: z.input<Output>; readonly isError?: boolean }>;
};
