import type * as z from "zod";
import type { ToolContext } from "../tools/tool.ts";
import type { ErrorDescription } from "./problems.ts";

/** What a method gets besides its parameters. */
export interface MethodContext {
	readonly context: ToolContext;
	/** Revision 2026-07-28: results say how long they may be cached. */
	readonly isModern: boolean;
	/** Describes an error for the client. */
	describeError(error: unknown): ErrorDescription;
}

/** A protocol method; its parameters are validated before it is called. */
export interface Method {
	readonly params: z.ZodType;
	handle(params: never, served: MethodContext): Promise<Record<string, unknown>>;
}

/** Infers the handler's parameters from the schema. */
export const method = <Params extends z.ZodType>(
	params: Params,
	handle: (params: z.output<Params>, served: MethodContext) => Promise<Record<string, unknown>>,
): Method => ({ params, handle });
