import { toFileName } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component, NodeCall, TypedNode } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { replaceFields, type Type } from "@tripline/engine/types/type";
import type { StatementResult } from "@tripline/platform/databases";
import * as z from "zod";
import { define } from "./define.ts";
import type { DatabasePlace, Effects, RunDatabases } from "./effects.ts";
import { fileOutput } from "./file-schemas.ts";
import { findFormat, findType } from "./make-file/formats.ts";
import { anyObject } from "./schemas.ts";
import { AUTH_RECIPES } from "./sql-query/database.ts";
import { DEFAULT_ROWS, MAX_FILE_ROWS, Params } from "./sql-query/params.ts";
import { encodeRows, type RowFormat, toObjects } from "./sql-query/write-file.ts";
import { withinTime } from "./within-time.ts";

type Call = NodeCall<Effects> & { readonly params: z.output<typeof Params> };

const MEBIBYTE = 1_048_576;
/** Of all rows, as the server sends them. */
const MAX_BYTES = 2 * MEBIBYTE;
/** The names of the columns come on top. */
const MAX_OUTPUT_BYTES = 4 * MEBIBYTE;
const LIMIT = { what: "the statement", timeoutMs: 30_000 };
const FILE_LIMIT = { ...LIMIT, timeoutMs: 300_000 };
const UNITS_PER_VALUE = 4;

const result = {
	rows: z.array(anyObject()).meta({ description: "Objects by column" }),
	changed: z.int().meta({ description: "Number of rows that were inserted, changed or deleted" }),
	more: z.boolean().meta({ description: "Whether there are more rows than `limit`" }),
};

const Output = z.object({
	rows: result.rows.optional(),
	changed: result.changed.optional(),
	more: result.more.optional(),
	file: fileOutput().optional().meta({ description: "With `into`: the file" }),
	count: z.int().optional().meta({ description: "With `into`: number of rows in the file" }),
	results: z
		.array(z.object(result))
		.optional()
		.meta({ description: "With `statements`: the result of each" }),
});

const definition = define({
	id: "sql_query",
	title: "SQL query",
	description: `Runs a statement in a PostgreSQL, MySQL or MariaDB database or a SQLite file, or several as one transaction.

The node's \`credential\` names the server, the database and the user. Connections are kept for a while and used again. The text of a statement is never a template and holds exactly one command: values are passed in \`params\`, in the order of \`$1\`, \`$2\` in PostgreSQL and of \`?\` elsewhere, and cannot become part of the statement. Lists are arrays or JSON, as the statement needs them; objects are JSON. Cast a value whose type the server cannot know: \`$1::int\`.

\`statements\` are all done, or none is. With \`read_only\` the server refuses changes. A statement has 30 seconds, or the node's \`timeout_ms\`; then it is cancelled at the server, and so it is if the run is cancelled.

Values keep all their digits. Of PostgreSQL: \`numeric\` is text, \`bigint\` is a number or, beyond 2^53, text. \`timestamptz\` is ISO 8601 in UTC, \`timestamp\` without a zone, \`interval\` an ISO 8601 duration, \`bytea\` base64. JSON and arrays are values; numbers in JSON that would lose digits are text. Everything else is text, as PostgreSQL writes it. A second column of the same name gets a number: \`id_2\`.

Of MySQL and MariaDB: \`decimal\` is text, \`bigint\` is a number or text, \`timestamp\` is ISO 8601 in UTC and \`datetime\` without a zone, bytes are base64. \`load data local\` is refused. A statement that changes the schema commits what was done before it.

\`file\` is a SQLite file in a folder of \`ALLOW_FOLDERS\`; it must exist. Its integers beyond 2^53 are text, bytes are base64, lists and objects in \`params\` become JSON text. Other files, extensions and settings (\`ATTACH\`, \`VACUUM INTO\`, \`PRAGMA\`) are refused.

Rows beyond \`limit\` are not read, and \`more\` is true. All rows together have at most 2 MiB.

\`into\` writes the rows into a file, some at a time, so that there may be a million: as CSV, with the names of the columns first and text that a spreadsheet would evaluate with a leading apostrophe, or as JSON lines. The output is then \`file\`, \`count\` and \`more\`, and the statement has 5 minutes.

The component runs on Node only.`,
	params: Params,
	verbatim: ["sql", "statements.sql"],
	anyInside: ["params"],
	output: Output,
	inferOutput: inferResult,
	maxOutputBytes: MAX_OUTPUT_BYTES,
	examples: [
		{
			title: "Read rows",
			input: { customer: 7 },
			params: {
				credential: "shop",
				sql: "select id, total from orders where customer = $1",
				params: ["{{input.customer}}"],
				read_only: true,
			},
			output: { rows: [{ id: 1, total: "12.50" }], changed: 0, more: false },
		},
		{
			title: "Two changes, or none",
			input: { from: 1, to: 2, amount: "10.00" },
			params: {
				credential: "shop",
				statements: [
					{
						sql: "update accounts set balance = balance - $1 where id = $2",
						params: ["{{input.amount}}", "{{input.from}}"],
					},
					{
						sql: "update accounts set balance = balance + $1 where id = $2",
						params: ["{{input.amount}}", "{{input.to}}"],
					},
				],
			},
			output: {
				results: [
					{ rows: [], changed: 1, more: false },
					{ rows: [], changed: 1, more: false },
				],
			},
		},
		{
			title: "Many rows into a file",
			params: { credential: "shop", sql: "select id, total from orders", into: "orders.csv" },
		},
		{
			title: "Values are not part of the text",
			input: { name: "Ada" },
			params: { credential: "shop", sql: "select * from people where name = '{{input.name}}'" },
			error:
				'parameter "sql" is not a template: write $1 in its place (? for other databases than PostgreSQL) and pass the value in params',
		},
	],
	async run(call) {
		const { databases } = call.effects;
		if (databases === null) throw new TerminalError("databases can be reached only by a service on Node");
		const where = findPlace(call);
		const {
			sql,
			params = [],
			statements,
			read_only: isReadOnly,
			limit: maxRows = DEFAULT_ROWS,
		} = call.params;
		if (call.params.into !== undefined) return writeFile(call, databases, where);
		const job = {
			statements: statements ?? [{ sql: sql ?? "", params }],
			isReadOnly,
			maxRows,
			maxBytes: MAX_BYTES,
		};
		const found = await withinTime(call, LIMIT, (signal) => databases.run(where, job, signal));
		const results = found.map((each) => toOutput(each, call));
		return statements === undefined ? (results[0] as JsonObject) : { results };
	},
});

export const sqlQuery: Component<Effects> = {
	...definition,
	hosts: ["*"],
	targets: ["sql", "statements", "file"],
	authRecipes: AUTH_RECIPES,
	insteadOfCredential: "file",
};

function findPlace({ node: { credential }, params: { file } }: Call) {
	if (file !== undefined) return { file };
	if (credential !== undefined) return { credential };
	throw new TerminalError("the node needs a credential of a database, or file: set one of them");
}

function inferResult({ output, has }: TypedNode): Type {
	if (has("into")) return replaceFields(output, { rows: null, changed: null, results: null });
	return has("statements")
		? replaceFields(output, { rows: null, changed: null, more: null, file: null, count: null })
		: replaceFields(output, { results: null, file: null, count: null });
}

async function writeFile(call: Call, databases: RunDatabases, where: DatabasePlace): Promise<Json> {
	const {
		sql = "",
		params = [],
		read_only: isReadOnly,
		limit: maxRows = MAX_FILE_ROWS,
		into = "",
	} = call.params;
	const name = toFileName(into);
	const format = findFormat(name, "rows") as RowFormat;
	return withinTime(call, FILE_LIMIT, async (signal) => {
		let count = 0;
		let more = false;
		async function* countRows() {
			const job = { statement: { sql, params }, isReadOnly, maxRows };
			for await (const batch of databases.read(where, job, signal)) {
				count += batch.rows.length;
				more = batch.hasMore;
				yield batch;
			}
		}
		const content = encodeRows(countRows(), format, call);
		const file = await call.effects.files.create({ name, type: findType(format, name) }, content, call);
		return { file: { ...file }, count, more };
	});
}

function toOutput(result: StatementResult, { meter }: Call): JsonObject {
	meter.spend(result.rows.length * result.columns.length * UNITS_PER_VALUE);
	return { rows: toObjects(result), changed: result.changed, more: result.hasMore };
}
