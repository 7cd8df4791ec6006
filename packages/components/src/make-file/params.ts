import { FileName, FileType } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import { describeType } from "@tripline/engine/issues";
import * as z from "zod";
import { isZone } from "../datetime/zone.ts";
import { anything } from "../schemas.ts";
import { checkTogether, isNamed } from "./check-params.ts";
import { FORMATS } from "./formats.ts";

const MAX_COLUMN_NAME = 1000;
const MAX_COLUMNS = 1000;
const MAX_SHEETS = 100;
const MAX_FILES = 1000;
const MAX_INDENT = 8;

const Column = z.strictObject({
	field: z
		.union([z.string(), z.int().min(0)])
		.optional()
		.meta({ description: "Field of the rows; if they are lists, a position from 0" }),
	name: z
		.string()
		.max(MAX_COLUMN_NAME)
		.optional()
		.meta({ description: "Name in the first row; default the field's" }),
	type: z
		.enum(["text", "number", "boolean", "date", "datetime"])
		.optional()
		.meta({ description: "xlsx: type of the cells; default that of each value" }),
	width: z
		.number()
		.min(1)
		.max(255)
		.optional()
		.meta({ description: "xlsx: width in characters; default by the content" }),
});

/** A template is no list before the run, which must not keep the other parameters from being checked. */
const anyRows = () =>
	z
		.custom<Json[]>(Array.isArray, {
			abort: false,
			error: ({ input }) => `must be a list, but is ${describeType(input)}`,
		})
		.meta({ type: "array" });

const columns = () =>
	z
		.array(z.union([z.string().max(MAX_COLUMN_NAME), Column]))
		.min(1)
		.max(MAX_COLUMNS);
export type ColumnParam = z.output<ReturnType<typeof columns>>[number];

const Sheet = z.strictObject({
	name: z.string().meta({ description: "Name of the sheet, at most 31 characters" }),
	rows: anyRows().meta({ description: "Rows of the sheet" }),
	columns: columns().optional().meta({ description: "Columns of the sheet" }),
});

/** Checked when the file is made: it may hold many. */
const files = () =>
	anyRows().refine(
		(list) => !Array.isArray(list) || list.length <= MAX_FILES,
		`must have at most ${MAX_FILES} files; make several zip files`,
	);

export const Params = z
	.strictObject({
		name: FileName.meta({ description: "Name of the file, such as `report.xlsx`" }),
		format: z
			.enum(FORMATS)
			.optional()
			.meta({ description: "Format; needed only if the suffix of the name and the content do not tell it" }),
		type: FileType.optional().meta({ description: "Media type; default by the format and the suffix" }),
		text: z.string().optional().meta({ description: "text, html: the text, encoded as UTF-8" }),
		data: anything().optional().meta({ description: "json: any value" }),
		indent: z
			.int()
			.min(0)
			.max(MAX_INDENT)
			.optional()
			.meta({ description: "json: spaces per level; default 0, all on one line" }),
		rows: anyRows().optional().meta({
			description: "csv, tsv, xlsx: a list of objects or of lists; jsonl: a list of any values",
		}),
		sheets: z
			.array(Sheet)
			.min(1)
			.max(MAX_SHEETS)
			.optional()
			.meta({ description: "xlsx: several sheets, each with `name`, `rows` and optionally `columns`" }),
		columns: columns().optional().meta({
			description:
				"csv, tsv, xlsx: which fields to write, in order: a name, or an object with `field`, `name`, `type`, `width`; default all fields. If the rows are lists, the names of their positions",
		}),
		header: z.boolean().optional().meta({
			description: "csv, tsv, xlsx: whether the first row holds the names; default true if there are names",
		}),
		delimiter: z
			.string()
			.regex(/^[^"\r\n]$/, "must be one character, and not a quote or a line break")
			.optional()
			.meta({ description: "csv: separator between values; default a comma" }),
		formulas: z.boolean().optional().meta({
			description:
				"csv, tsv: whether text that a spreadsheet would read as a formula is written as it is; default false",
		}),
		bom: z.boolean().optional().meta({
			description:
				"csv, tsv: whether to start with a byte order mark, so that Excel reads UTF-8; default false",
		}),
		timezone: z
			.string()
			.refine(isZone, "must be a time zone such as Europe/Berlin")
			.optional()
			.meta({ description: "xlsx: zone in which times with an offset are shown; default UTC" }),
		files: files().optional().meta({
			description: "zip: a list of files, or of objects with `file` and its `path` in the zip file",
		}),
		base64: z.string().optional().meta({ description: "base64: the bytes as base64" }),
		compress: z.boolean().optional().meta({
			description:
				"zip: whether to compress the files; default all but those that are compressed already, such as photos",
		}),
	})
	// Also if other parameters are wrong: those with a template always are, before the run.
	.superRefine(checkTogether, { when: ({ value }) => isNamed(value) });
export type Params = z.output<typeof Params>;
