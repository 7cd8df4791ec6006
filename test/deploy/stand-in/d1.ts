import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { createRoute, D1, pageQuery, paginate } from "./api.ts";
import { splitSqlStatements } from "./sql-statements.ts";

const DATABASES = "/d1/database";
const READ = { permission: "D1 Read", product: D1 } as const;
const WRITE = { permission: "D1 Write", product: D1 } as const;

const MAX_PARAMETERS = 100;
const MAX_STATEMENT_BYTES = 100_000;

const list = createRoute({
	...READ,
	method: "GET",
	path: DATABASES,
	query: pageQuery({ least: 10, most: 10_000, usual: 1000 }),
	handle({ account, query }) {
		// The provider matches the name as a substring.
		const found = [...account.databases.values()].filter(({ name }) => name.includes(query.name ?? ""));
		const { rows, info } = paginate(found, query, account.mostPerPage);
		return { result: rows.map((database) => ({ ...database, version: "production" })), info };
	},
});

const create = createRoute({
	...WRITE,
	method: "POST",
	path: DATABASES,
	body: z.strictObject({
		name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "Invalid database name"),
		primary_location_hint: z.enum(["wnam", "enam", "weur", "eeur", "apac", "oc"]).optional(),
	}),
	handle({ account, body: { name } }) {
		if ([...account.databases.values()].some((database) => database.name === name)) {
			throw new Refusal(400, 7502, `Database with name '${name}' already exists`);
		}
		const database = { uuid: randomUUID(), name, created_at: new Date().toISOString() };
		account.databases.set(database.uuid, database);
		account.runtime.changed();
		return { result: { ...database, version: "production", num_tables: 0, file_size: 0 } };
	},
});

const get = createRoute({
	...READ,
	method: "GET",
	path: `${DATABASES}/:id`,
	handle({ account, param }) {
		const named = [...account.databases.values()].find(({ name }) => name === param("id"));
		return { result: { ...(named ?? findDatabase(account, param("id"))), version: "production" } };
	},
});

const remove = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${DATABASES}/:id`,
	handle({ account, param }) {
		account.databases.delete(findDatabase(account, param("id")).uuid);
		account.runtime.changed();
		return { result: null };
	},
});

const querySchema = z.strictObject({
	sql: z.string().min(1),
	params: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});

const query = createRoute({
	...WRITE,
	method: "POST",
	path: `${DATABASES}/:id/query`,
	body: z.union([querySchema, z.strictObject({ batch: z.array(querySchema).min(1) })]),
	async handle({ account, param, body }) {
		const { uuid } = findDatabase(account, param("id"));
		const statements = ("batch" in body ? body.batch : [body]).flatMap(parseStatements);
		const database = await account.runtime.d1(uuid);
		try {
			// Atomic, like one call at the provider.
			const bound = statements.map(({ sql, params }) => database.prepare(sql).bind(...params));
			return { result: await database.batch(bound) };
		} catch (error) {
			throw new Refusal(400, 7500, String((error as Error).message).replace(/^D1_ERROR: /, ""));
		}
	},
});

export const d1Routes = [list, create, get, remove, query];

function parseStatements({ sql, params = [] }: z.infer<typeof querySchema>) {
	const statements = splitSqlStatements(sql);
	if (statements.length === 0) throw new Refusal(400, 7500, "No SQL statements detected.");
	if (statements.length > 1 && params.length > 0) {
		throw new Refusal(400, 7500, "A query with params must have a single statement");
	}
	if (params.length > MAX_PARAMETERS) throw new Refusal(400, 7500, "too many SQL variables: SQLITE_ERROR");
	if (statements.some((text) => Buffer.byteLength(text) > MAX_STATEMENT_BYTES)) {
		throw new Refusal(400, 7500, "statement too long: SQLITE_TOOBIG");
	}
	return statements.map((text) => ({ sql: text, params }));
}

function findDatabase(account: Account, id: string) {
	const isUuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id);
	if (!isUuid) throw new Refusal(400, 7400, "The request is malformed: failed to decode id");
	const database = account.databases.get(id);
	if (database === undefined) throw new Refusal(404, 7404, `The database ${id} could not be found`);
	return database;
}
