import * as z from "zod";
import { fileParam } from "../file-schemas.ts";
import { BINARY_FORMATS, describeUnused, FORMATS, listUnused } from "./formats.ts";
import { PAGES } from "./pdf.ts";
import { createSelectType } from "./select-type.ts";
import { RANGE } from "./xlsx-range.ts";

const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_ROWS = 10_000_000;

const MAX_PATTERNS = 100;
const Pattern = z.string().min(1).max(500);

export const Params = z
	.strictObject({
		format: z.enum(FORMATS).optional().meta({
			description: "Format; for a file by default what its name's suffix or its type says",
		}),
		text: z
			.string()
			.max(MAX_CHARACTERS, `must be at most ${MAX_CHARACTERS} characters`)
			.optional()
			.meta({ description: "The text" }),
		file: fileParam().optional().meta({ description: "The file, in place of `text`" }),
		encoding: z.string().max(40).optional().meta({
			description:
				"Character encoding of a file, such as windows-1252; default the charset of its type, else utf-8. A byte order mark wins",
		}),
		delimiter: z
			.string()
			.regex(/^[^"\r\n]$/, "must be one character, and not a quote or a line break")
			.optional()
			.meta({ description: "csv: separator between values; default a comma" }),
		header: z
			.boolean()
			.optional()
			.meta({ description: "csv, tsv, xlsx: whether the first row holds the column names; default true" }),
		offset: z
			.int()
			.min(0)
			.max(MAX_ROWS)
			.optional()
			.meta({ description: "csv, tsv, jsonl, xlsx: how many rows to skip, not counting the column names" }),
		limit: z
			.int()
			.min(1)
			.max(MAX_ROWS)
			.optional()
			.meta({ description: "csv, tsv, jsonl, xlsx: how many rows to read at most; default all" }),
		select: createSelectType().optional().meta({
			description:
				"html: what to take from the page, by name: a CSS selector, or an object with `first` or `all` and optionally `attribute`, `html: true` or `fields`",
		}),
		sheet: z
			.union([z.string().min(1).max(200), z.int().min(1)])
			.optional()
			.meta({
				description:
					"xlsx: the sheet's name or its number; default 1, the first. With `*` the output has the rows of every sheet by its name",
			}),
		range: z
			.string()
			.regex(RANGE, "must be like B2:D100, or B:D for whole columns")
			.optional()
			.meta({ description: "xlsx: the cells to read, such as B2:D100 or B:D; default all" }),
		pages: z
			.string()
			.regex(PAGES, "must be page numbers and ranges, such as 1-5, 8, 10-")
			.optional()
			.meta({ description: "pdf: the pages to read, such as `1-5, 8, 10-`; default all" }),
		extract: z
			.union([Pattern, z.array(Pattern).min(1).max(MAX_PATTERNS)])
			.optional()
			.meta({
				description:
					"zip: which entries to make files of: a path, or a list of them, where * stands for any characters; default none, the archive is only listed",
			}),
	})
	.superRefine((given, context) => {
		const { format, text, file } = given;
		const report = (name: string, message: string) =>
			context.addIssue({ code: "custom", path: [name], message });
		if (text !== undefined && file !== undefined)
			report("file", "must be left out, or text: it parses one of them");
		if (text === undefined && file === undefined)
			context.addIssue({ code: "custom", path: [], message: "must have text or file" });
		if (format === undefined) {
			if (text !== undefined) report("format", "must be given with text");
			return;
		}
		const isBinary = BINARY_FORMATS.includes(format);
		for (const name of listUnused(format, given))
			report(
				name,
				name === "text" && isBinary
					? `must be left out: ${format} is read from a file`
					: describeUnused(format),
			);
		if (text !== undefined && given.encoding !== undefined)
			report("encoding", "is used for files only; leave it out");
	});
