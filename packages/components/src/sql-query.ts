import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component, NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { replaceFields, type Type } from "@tripline/engine/types/type";
import type { StatementResult } from "@tripline/platform/databases";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { anyObject } from "./schemas.ts";
import { AUTH_RECIPES } from "./sql-query/database.ts";
import { Params } from "./sql-query/params.ts";

type Call = NodeCall<Effects> & { readonly params: z.output<typeof Params> };

const MEBIBYTE = 1_048_576;
/** Of all rows, as the server sends them. */
const MAX_BYTES = 2 * MEBIBYTE;
/** The names of the columns come on top. */
const MAX_OUTPUT_BYTES = 4 * MEBIBYTE;
const DEFAULT_TIMEOUT_MS = 30_000;
const UNITS_PER_VALUE = 4;
const ROWS_PER_TURN = 500;

const result = {
	rows: z.array(anyObject()).meta({ description: "Objects by column" }),
	changed: z.int().meta({ description: "Number of rows that were inserted, changed or deleted" }),
	more: z.boolean().meta({ description: "Whether there are more rows than `limit`" }),
};

const Output = z.object({
	rows: result.rows.optional(),
	changed: result.changed.optional(),
	more: result.more.optional(),
	results: z
		.array(z.object(result))
		.optional()
		.meta({ description: "With `statements`: the result of each" }),
});

const definition = define({
	id: "sql_query",
	title: "SQL query",
	description: `Runs a statement in a PostgreSQL database or a SQLite file, or several as one transaction.

The node's \`credential\` names the server, the database and the user. Connections are kept for a while and used again. The text of a statement is never a template and holds exactly one command: values are passed in \`params\`, in the order of \`$1\`, \`$2\`, and cannot become part of the statement. Lists are arrays or JSON, as the statement needs them; objects are JSON. Cast a value whose type the server cannot know: \`$1::int\`.

\`statements\` are all done, or none is. With \`read_only\` the server refuses changes. A statement has 30 seconds, or the node's \`timeout_ms\`; then it is cancelled at the server, and so it is if the run is cancelled.

Values keep all their digits: \`numeric\` is text, \`bigint\` is a number or, beyond 2^53, text. \`timestamptz\` is ISO 8601 in UTC, \`timestamp\` without a zone, \`interval\` an ISO 8601 duration, \`bytea\` base64. JSON and arrays are values; numbers in JSON that would lose digits are text. Everything else is text, as PostgreSQL writes it. A second column of the same name gets a number: \`id_2\`.

\`file\` is a SQLite file in a folder of \`ALLOW_FOLDERS\`; it must exist. Its integers beyond 2^53 are text, bytes are base64, lists and objects in \`params\` become JSON text. Other files, extensions and settings (\`ATTACH\`, \`VACUUM INTO\`, \`PRAGMA\`) are refused.

Rows beyond \`limit\` are not read, and \`more\` is true. All rows together have at most 2 MiB. The component runs on Node only.`,
	params: Params,
	verbatim: ["sql", "statements.sql"],
	output: Output,
	inferOutput: ({ output, has }) => inferResult(has("statements"), output),
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
		const { sql, params = [], statements, read_only: isReadOnly, limit: maxRows } = call.params;
		const job = {
			statements: statements ?? [{ sql: sql ?? "", params }],
			isReadOnly,
			maxRows,
			maxBytes: MAX_BYTES,
		};
		const found = await withinTime(call, (signal) => databases.run(where, job, signal));
		const results: JsonObject[] = [];
		for (const each of found) results.push(await toOutput(each, call));
		return statements === undefined ? (results[0] as JsonObject) : { results };
	},
});

export const sqlQuery: Component<Effects> = { ...definition, hosts: ["*"], authRecipes: AUTH_RECIPES };

function findPlace({ node: { credential }, params: { file } }: Call) {
	if (file !== undefined) return { file };
	if (credential !== undefined) return { credential };
	throw new TerminalError("the node needs a credential of a database, or file: set one of them");
}

function inferResult(isList: boolean, output: Type): Type {
	return isList
		? replaceFields(output, { rows: null, changed: null, more: null })
		: replaceFields(output, { results: null });
}

/** The node's own limit is part of its signal. */
async function withinTime<T>(call: Call, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	if (call.node.timeoutMs !== undefined) return work(call.signal);
	const timeout = AbortSignal.timeout(DEFAULT_TIMEOUT_MS);
	try {
		return await work(AbortSignal.any([call.signal, timeout]));
	} catch (error) {
		if (!timeout.aborted || call.signal.aborted) throw error;
		throw new TerminalError(
			`the statement took longer than ${DEFAULT_TIMEOUT_MS} ms; set timeout_ms for more`,
		);
	}
}

async function toOutput(
	{ columns, rows, changed, hasMore }: StatementResult,
	call: Call,
): Promise<JsonObject> {
	const objects: Json[] = [];
	for (const row of rows) {
		call.meter.spend(columns.length * UNITS_PER_VALUE);
		const object: Record<string, Json> = {};
		for (let index = 0; index < columns.length; index++) {
			object[columns[index] as string] = row[index] as Json;
		}
		objects.push(object);
		if (objects.length % ROWS_PER_TURN === 0 && call.needsTurn) await call.turn();
	}
	return { rows: objects, changed, more: hasMore };
}
