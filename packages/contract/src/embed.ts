import * as z from "zod";

export const EmbedStatus = z
	.object({
		provider: z.string().nullable().meta({ description: "What makes the vectors; null: nothing does" }),
		model: z.string().nullable(),
		dimensions: z.int().nullable().meta({ description: "Null until the first vector tells" }),
		pending: z.int().meta({ description: "Entries still to be embedded" }),
		done: z.int(),
		failed: z.int().meta({ description: "Entries whose last attempt failed; they are tried again" }),
		last_error: z
			.object({ message: z.string(), time: z.iso.datetime() })
			.nullable()
			.meta({ description: "Why the latest of the failed ones failed" }),
	})
	.meta({ id: "EmbedStatus" });
