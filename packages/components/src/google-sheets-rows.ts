import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component, NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { replaceFields } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { AUTH_RECIPES, HOST, openSpreadsheet, type Spreadsheet } from "./google-sheets/api.ts";
import { toComparable } from "./google-sheets/cells.ts";
import { buildDeletions } from "./google-sheets/changes.ts";
import { readTable, type Table } from "./google-sheets/columns.ts";
import { findRows, readWhere } from "./google-sheets/find-rows.ts";
import { readRows } from "./google-sheets/read.ts";
import { writeRows } from "./google-sheets/write.ts";
import { anyList, anyObject } from "./schemas.ts";

const ACTIONS = ["read", "append", "update", "append_or_update", "delete"] as const;
type Action = (typeof ACTIONS)[number];

const MAX_ROWS = 10_000;

/** The parameters that each action has, besides those that say which sheet; the first ones are required. */
const PARAMETERS: Readonly<
	Record<Action, { readonly required: readonly Name[]; readonly optional: readonly Name[] }>
> = {
	read: { required: [], optional: ["where", "limit"] },
	append: { required: ["rows"], optional: ["create_columns", "formulas", "dates"] },
	update: { required: ["rows", "match"], optional: ["create_columns", "formulas", "dates"] },
	append_or_update: { required: ["rows", "match"], optional: ["create_columns", "formulas", "dates"] },
	delete: { required: ["where"], optional: [] },
};
const NAMES = ["rows", "match", "where", "limit", "create_columns", "formulas", "dates"] as const;
type Name = (typeof NAMES)[number];

const ColumnName = z.string().min(1, "must not be empty").max(1_000);

const Params = z
	.strictObject({
		action: z.enum(ACTIONS).meta({ description: "What to do" }),
		spreadsheet_id: z
			.string()
			.regex(/^[\w-]{1,200}$/, "must be the part of the URL between /d/ and /edit")
			.meta({ description: "The spreadsheet's id: the part of its URL between /d/ and /edit" }),
		sheet: z.string().min(1, "must not be empty").max(200).optional().meta({
			description: "The sheet's title; default the first sheet",
		}),
		header_row: z
			.int()
			.min(1)
			.max(1_000_000)
			.default(1)
			.meta({ description: "The row with the names of the columns, from 1" }),
		rows: anyList()
			.refine((rows) => rows.length <= MAX_ROWS, `must be at most ${MAX_ROWS} rows`)
			.optional()
			.meta({
				description: "To write: the rows, each an object of values by column",
				examples: [[{ Email: "ada@example.com", Paid: true }]],
			}),
		match: z
			.union([ColumnName, z.array(ColumnName).min(1).max(10)])
			.optional()
			.meta({ description: "To update: the column, or the list of columns, that identifies a row" }),
		where: anyObject()
			.refine((where) => Object.keys(where).length > 0, "must name at least one column")
			.optional()
			.meta({
				description: "To read or delete: only rows with these values; a list means any of its values",
				examples: [{ Status: "open", Region: ["EU", "UK"] }],
			}),
		limit: z.int().min(1).max(MAX_ROWS).optional().meta({
			description: "To read: maximum number of rows; default 1000",
		}),
		create_columns: z.boolean().optional().meta({
			description: "To write: add columns that the sheet does not have; default false, which fails the node",
		}),
		formulas: z.boolean().optional().meta({
			description: "To write: a text that starts with `=` is a formula; default false, which stores the text",
		}),
		dates: z.boolean().optional().meta({
			description:
				"To write: ISO dates such as 2026-01-31 become dates; default false, which stores the text",
		}),
	})
	.superRefine((params, context) => {
		const { required, optional } = PARAMETERS[params.action];
		for (const name of NAMES) {
			const isGiven = params[name] !== undefined;
			const problem = (message: string) => context.addIssue({ code: "custom", path: [name], message });
			if (!isGiven && required.includes(name)) problem("is required");
			if (isGiven && !required.includes(name) && !optional.includes(name))
				problem(`has no use to ${describeAction(params.action)}`);
		}
	});

const describeAction = (action: Action): string => `${action.replaceAll("_", " ")} rows`;

const count = (description: string) => z.int().min(0).optional().meta({ description });

const Output = z.object({
	rows: z
		.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
		.optional()
		.meta({
			description: "After `read`: the rows, each an object of values by column; empty cells are null",
		}),
	row_numbers: z
		.array(z.int())
		.optional()
		.meta({ description: "After `read`: where these rows are in the sheet, from 1" }),
	columns: z.array(z.string()).optional().meta({ description: "After `read`: the names of the columns" }),
	more: z
		.boolean()
		.optional()
		.meta({ description: "After `read`: whether there are more rows than `limit`" }),
	appended: count("After writing: number of new rows"),
	updated: count("After writing: number of changed rows"),
	created_columns: z
		.array(z.string())
		.optional()
		.meta({ description: "After writing: the columns that were added" }),
	deleted: count("After `delete`: number of deleted rows"),
});

const READ_FIELDS = ["rows", "row_numbers", "columns", "more"] as const;
const WRITE_FIELDS = ["appended", "updated", "created_columns"] as const;
const DELETE_FIELDS = ["deleted"] as const;
const OTHER_FIELDS: Readonly<Record<Action, readonly string[]>> = {
	read: [...WRITE_FIELDS, ...DELETE_FIELDS],
	append: [...READ_FIELDS, ...DELETE_FIELDS],
	update: [...READ_FIELDS, ...DELETE_FIELDS],
	append_or_update: [...READ_FIELDS, ...DELETE_FIELDS],
	delete: [...READ_FIELDS, ...WRITE_FIELDS],
};

const EXAMPLE_ID = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";

const definition = define({
	id: "google_sheets_rows",
	title: "Google Sheets rows",
	description: `Reads and writes rows of a Google sheet as objects by the names of its columns, which are in \`header_row\`. The node's \`credential\` is one of \`google_oauth\` or \`google_service_account\` with the scope https://www.googleapis.com/auth/spreadsheets.

\`action\` is one of:

- \`read\`: returns \`rows\`, without empty ones, of which \`where\` leaves those with the given values.
- \`append\`: adds rows after the last row of the sheet that has a value.
- \`update\`: changes the rows that \`match\` identifies. Columns that are left out stay, null clears a cell.
- \`append_or_update\`: changes the rows that \`match\` identifies, and adds the others.
- \`delete\`: deletes all rows with the values of \`where\`.

**Columns.** Names are compared exactly, without spaces around them. Columns without a name are ignored. A name that occurs twice fails the node, and so does a column that the sheet does not have, unless \`create_columns\` is true: it is then added behind the last one.

**Matching.** Values are compared as text: the number 7 is the same as the text 7; upper and lower case differ; null is an empty cell. The node fails, and nothing is changed, if a row to update is not found, if \`match\` fits several rows of the sheet, if two of \`rows\` are the same row, or if a value of \`match\` is empty. The cells of \`match\` themselves are not changed.

**Values.** Numbers, true and false are stored as such, and all text as text: \`007\` stays as it is, and so does a text that starts with \`=\`, unless \`formulas\` is true. With \`dates\`, a text such as \`2026-01-31\` or \`2026-01-31T09:30:00\`, also with Z, becomes a date, and its column is shown in that form. Reading returns numbers, true, false and results of formulas as values, dates as the sheet shows them, and empty cells as null.

All changes of a node are made in one call, all or none of them. Rows are found by a call just before: do not move rows at the same time. 429 and 503 are retried, with three attempts in total.`,
	params: Params,
	output: Output,
	inferOutput({ output, constant }) {
		const action = constant("action");
		const others = ACTIONS.includes(action as Action) ? OTHER_FIELDS[action as Action] : [];
		return replaceFields(output, Object.fromEntries(others.map((name) => [name, null])));
	},
	examples: [
		{
			title: "Read open orders",
			params: {
				action: "read",
				spreadsheet_id: EXAMPLE_ID,
				sheet: "Orders",
				where: { Status: "open" },
				credential: "google",
			},
		},
		{
			title: "Add a row, or update the one with the same e-mail address",
			input: { email: "ada@example.com", plan: "pro" },
			params: {
				action: "append_or_update",
				spreadsheet_id: EXAMPLE_ID,
				sheet: "Customers",
				match: "Email",
				rows: [{ Email: "{{input.email}}", Plan: "{{input.plan}}", Since: "2026-01-31" }],
				dates: true,
				credential: "google",
			},
		},
		{
			title: "Add the rows of another node, and the columns that are missing",
			params: {
				action: "append",
				spreadsheet_id: EXAMPLE_ID,
				rows: "{{input.orders}}",
				create_columns: true,
				credential: "google",
			},
		},
		{
			title: "Delete rows",
			params: {
				action: "delete",
				spreadsheet_id: EXAMPLE_ID,
				where: { Order: [17, 18] },
				credential: "google",
			},
		},
		{
			title: "An update says what identifies a row",
			params: {
				action: "update",
				spreadsheet_id: EXAMPLE_ID,
				rows: [{ Email: "ada@example.com", Plan: "pro" }],
				credential: "google",
			},
			error: 'parameter "match" is required',
		},
	],
	async run(node) {
		const {
			action,
			sheet: title,
			header_row,
			rows = [],
			match = [],
			where = {},
			limit = 1_000,
		} = node.params;
		const { create_columns = false, formulas = false, dates = false } = node.params;
		const isWriting = action === "append" || action === "update" || action === "append_or_update";
		if (isWriting && rows.length === 0) return { appended: 0, updated: 0, created_columns: [] };
		const spreadsheet = openSpreadsheet(node, node.params.spreadsheet_id);
		const table = await openTable(spreadsheet, title, header_row - 1);
		if (action === "read") return readRows(node, spreadsheet, table, { where, limit });
		if (action === "delete") return deleteRows(node, spreadsheet, table, where);
		return writeRows(node, spreadsheet, table, {
			rows,
			match: typeof match === "string" ? [match] : match,
			mayAppend: action !== "update",
			mayCreateColumns: create_columns,
			formulas,
			dates,
		});
	},
});

export const googleSheetsRows: Component<Effects> = {
	...definition,
	hosts: [HOST],
	targets: ["spreadsheet_id"],
	authRecipes: AUTH_RECIPES,
};

async function openTable(
	spreadsheet: Spreadsheet,
	title: string | undefined,
	headerRow: number,
): Promise<Table> {
	const sheet = await spreadsheet.findSheet(title);
	if (headerRow >= sheet.rowCount)
		throw new TerminalError(
			`the sheet ${JSON.stringify(sheet.title)} has only ${sheet.rowCount} rows; is header_row right?`,
		);
	return readTable(sheet, headerRow, await spreadsheet.readRow(sheet, headerRow));
}

async function deleteRows(
	node: NodeCall<Effects>,
	spreadsheet: Spreadsheet,
	table: Table,
	where: JsonObject,
): Promise<Json> {
	const conditions = readWhere(where, table);
	const found: number[] = [];
	// A row without any value is none, even if it has the wanted empty cell.
	const others = conditions.some(({ values }) => values.has("")) ? [...table.columns.values()] : [];
	const columns = [...conditions.map(({ column }) => column), ...others];
	await findRows(node, spreadsheet, table, columns, (cells, row) => {
		const texts = cells.map(toComparable);
		if (texts.every((text) => text === "")) return;
		if (conditions.every(({ values }, nth) => values.has(texts[nth] ?? ""))) found.push(row);
	});
	await spreadsheet.change(buildDeletions(table.sheet.id, found));
	return { deleted: found.length };
}
