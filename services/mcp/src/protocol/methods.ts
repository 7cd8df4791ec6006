import type * as z from "zod";
import type { ToolContext } from "../tools/tool.ts";
import type { Told } from "./problems.ts";

/** What a method works with besides its parameters. */
export interface Served {
	readonly context: ToolContext;
	/** Revision 2026-07-28: results say how long they may be kept. */
	readonly isModern: boolean;
	/** What the client is told of an error. */
	told(error: unknown): Told;
}

/** A method of the protocol: its parameters are checked before it is called. */
export interface Method {
	readonly params: z.ZodType;
	handle(params: never, served: Served): Promise<Record<string, unknown>>;
}

/** Ties a method's function to its schema. */
export const method = <Params extends z.ZodType>(
	params: Params,
	handle: (params: z.output<Params>, served: Served) => Promise<Record<string, unknown>>,
): Method => ({ params, handle });
