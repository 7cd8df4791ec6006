import * as z from "zod";
import { anyList } from "../schemas.ts";

const MAX_SQL_CHARACTERS = 65_536;
const MAX_VALUES = 1_000;
const MAX_STATEMENTS = 50;
export const DEFAULT_ROWS = 1_000;
export const MAX_FILE_ROWS = 1_000_000;
const MAX_ROWS = 10_000;

/** A reference of a template. The text of an array in PostgreSQL, such as `{{1,2},{3,4}}`, is none. */
const TEMPLATE = /\{\{\s*[\w.[\]"-]+\s*(?:\|[^{}]*)?\}\}/;

/** Values in the text would be SQL injection, so it is never a template. */
const Sql = z
	.string()
	.min(1, "must not be empty")
	.max(MAX_SQL_CHARACTERS)
	.refine((sql) => !sql.includes("\0"), "must not contain NUL")
	.refine(
		(sql) => !TEMPLATE.test(sql),
		"is not a template: write $1 in its place (? for other databases than PostgreSQL) and pass the value in params",
	);

const Values = anyList().refine(
	({ length }) => length <= MAX_VALUES,
	`must have at most ${MAX_VALUES} values`,
);

const Statement = z.strictObject({
	sql: Sql.meta({ description: "The statement" }),
	params: Values.default([]).meta({ description: "Its values" }),
});

export const Params = z
	.strictObject({
		sql: Sql.optional().meta({
			description: "One statement, with `$1`, `$2` where values are. Not a template",
			examples: ["select * from orders where customer = $1"],
		}),
		params: Values.optional().meta({
			description: "The values, in order. Templates belong here",
			examples: [["{{input.customer}}"]],
		}),
		statements: z.array(Statement).min(1).max(MAX_STATEMENTS).optional().meta({
			description: "Instead of `sql` and `params`: statements with these two, run as one transaction",
		}),
		file: z
			.string()
			.min(1, "must not be empty")
			.max(4_096)
			.optional()
			.meta({
				description: "Instead of a credential: the absolute path of a SQLite file",
				examples: ["/srv/shop/orders.db"],
			}),
		read_only: z
			.boolean()
			.default(false)
			.meta({ description: "Whether the database refuses every change, by a read-only transaction" }),
		limit: z.int().min(1).max(MAX_FILE_ROWS).optional().meta({
			description: "Maximum number of rows of a statement: default 1000, at most 10000; in a file 1000000",
		}),
		into: z
			.string()
			.max(255)
			.regex(/\.(?:csv|tsv|jsonl|ndjson)$/i, "must end in .csv, .tsv or .jsonl")
			.optional()
			.meta({
				description: "Name of a file to write the rows to, which may be many: `.csv`, `.tsv` or `.jsonl`",
				examples: ["orders.csv"],
			}),
	})
	.refine(({ limit = 1, into }) => into !== undefined || limit <= MAX_ROWS, {
		path: ["limit"],
		error: `must be at most ${MAX_ROWS}, unless the rows are written into a file`,
	})
	.refine(({ into, statements }) => into === undefined || statements === undefined, {
		path: ["into"],
		error: "takes the rows of one statement: use sql",
	})
	.refine(({ sql, statements }) => (sql === undefined) !== (statements === undefined), {
		path: ["sql"],
		error: "or statements is required; set exactly one",
	})
	.refine(({ params, statements }) => params === undefined || statements === undefined, {
		path: ["params"],
		error: "belongs into each of the statements",
	});
