import * as z from "zod";
import { createSelectType } from "./select-type.ts";

const MAX_CHARACTERS = 4 * 1024 * 1024;
/** The formats that use a parameter. */
const USED_BY = { delimiter: ["csv"], header: ["csv", "tsv"], select: ["html"] } as const;

export const Params = z
	.strictObject({
		format: z
			.enum(["json", "jsonl", "csv", "tsv", "xml", "html", "ics"])
			.meta({ description: "Format of the text" }),
		text: z
			.string()
			.max(MAX_CHARACTERS, `must be at most ${MAX_CHARACTERS} characters`)
			.meta({ description: "The text" }),
		delimiter: z
			.string()
			.regex(/^[^"\r\n]$/, "must be one character, and not a quote or a line break")
			.optional()
			.meta({ description: "csv: separator between values; default a comma" }),
		header: z
			.boolean()
			.optional()
			.meta({ description: "csv, tsv: whether the first row holds the column names; default true" }),
		select: createSelectType().optional().meta({
			description:
				"html: what to take from the page, by name: a CSS selector, or an object with `first` or `all` and optionally `attribute`, `html: true` or `fields`",
		}),
	})
	.superRefine(({ format, ...given }, context) => {
		for (const [name, formats] of Object.entries(USED_BY)) {
			if (given[name as keyof typeof USED_BY] === undefined || formats.some((used) => used === format))
				continue;
			context.addIssue({ code: "custom", path: [name], message: `is not used by ${format}; leave it out` });
		}
	});
