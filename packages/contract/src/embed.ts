import * as z from "zod";

export const EmbedStatus = z
	.object({
		provider: z.string().nullable().meta({ description: "The embedder; null if there is none" }),
		model: z.string().nullable(),
		dimensions: z.int().nullable().meta({ description: "Null until the first vector is known" }),
		pending: z.int().meta({ description: "Entries still to be embedded" }),
		done: z.int(),
		failed: z.int().meta({ description: "Entries whose last attempt failed; they are retried" }),
		last_error: z
			.object({ message: z.string(), time: z.iso.datetime() })
			.nullable()
			.meta({ description: "The most recent failure" }),
	})
	.meta({ id: "EmbedStatus" });
