import * as z from "zod";
import { AnyJson } from "./json.ts";
import { Cursor, limit, NextCursor } from "./paging.ts";
import { Keep } from "./workflows.ts";

/** Of one value, as JSON. */
export const MAX_KEPT_VALUE_BYTES = 64 * 1024;

export const KeptValue = z
	.union([
		z.object({ json: AnyJson }),
		z.object({
			text: z.string().meta({ description: "The beginning of its JSON, at most 64 KiB; may be empty" }),
			bytes: z.int().meta({ description: "The size of its JSON" }),
		}),
	])
	.meta({ id: "KeptValue", description: "A value, or the beginning of one that is too large" });
export type KeptValue = z.infer<typeof KeptValue>;

export const KeptStep = z.object({
	id: z.string().meta({ description: "The node's name" }),
	place: z.string().meta({
		description: "Its place in the loops around it: the number of each element or turn, such as `0.2`",
	}),
	attempt: z.int().meta({ description: "From 1" }),
	status: z.enum(["retried", "success", "failed", "cancelled"]).meta({
		description: "`retried`: the attempt failed, and another one followed",
	}),
	duration_ms: z.number().optional().meta({ description: "Of all attempts" }),
	error: z.string().optional(),
	output: KeptValue.optional(),
	called: z.string().optional().meta({
		description: "The run of the workflow that the node called, if it has a record of its own",
	}),
});
export type KeptStep = z.infer<typeof KeptStep>;

export const KeptNode = KeptStep.extend({
	input: KeptValue.optional().meta({
		description:
			"Its parameters, rendered again from the document and the kept data; those of a step of an agent as they were. Expressions appear as they are written, credentials as {{credential.NAME}}",
	}),
	input_error: z.string().optional().meta({ description: "Why the input cannot be rendered again" }),
}).meta({ id: "KeptNode" });
export type KeptNode = z.infer<typeof KeptNode>;

export const KeptData = z
	.object({
		execution_id: z.string(),
		workflow: z.string(),
		version_number: z.int().optional(),
		kept: z.enum(["memory", "stored"]).meta({
			description: "`memory`: until the process ends or needs the memory for other runs",
		}),
		expires_at: z.string().optional().meta({ description: "ISO 8601, UTC; only if it is stored" }),
		input: KeptValue,
		nodes: z.array(KeptNode),
		is_cut: z.boolean().meta({ description: "Whether values or nodes are missing because of their size" }),
		next_cursor: NextCursor,
	})
	.meta({ id: "KeptData" });
export type KeptData = z.infer<typeof KeptData>;

export const KeptDataQuery = z.strictObject({
	node: z.string().min(1).max(256).optional().meta({ description: "Only this node" }),
	place: z
		.string()
		.max(256)
		.regex(/^(\d{1,9}(\.\d{1,9})*)?$/, "must be numbers joined by dots, such as 0.2")
		.optional()
		.meta({ description: "Only this place in the loops; empty: outside loops" }),
	only: z.enum(["agents"]).optional().meta({
		description: "`agents`: only agents and their steps, such as calls of a model and of tools",
	}),
	order: z.enum(["ended", "failed_first"]).default("ended").meta({
		description:
			"In the order in which they ended, or those that failed before the others; default `ended`. A cursor continues the order that it came from",
	}),
	limit: limit(200, 200),
	cursor: Cursor.optional(),
});

export const ExecutionSettings = z
	.strictObject({
		keep: Keep.meta({ description: "What is kept of runs whose workflow has no options.keep" }),
	})
	.meta({ id: "ExecutionSettings" });
export type ExecutionSettings = z.infer<typeof ExecutionSettings>;
