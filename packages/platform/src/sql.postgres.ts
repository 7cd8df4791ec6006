import { createHash } from "node:crypto";
import { Client, type ClientConfig, Pool, type QueryResult } from "pg";
import { BadDatabaseUrl, readConnection } from "./postgres-connection.node.ts";
import { type PostgresStatement, readPostgres, toPostgres } from "./postgres-dialect.ts";
import { isStalePlan, isTransactionConflict, translateError } from "./postgres-errors.ts";
import { chooseType, getTypeParser, toParameter } from "./postgres-values.node.ts";
import { type Outcome, postgresStatement, type Row, type Sql, type Statement } from "./sql.ts";

/** Each connection keeps as many prepared. */
const MAX_PREPARED_STATEMENTS = 512;
/** Bounds how long other processes wait for the lock of a commit. */
const MAX_UNITS_PER_COMMIT = 100;
const MAX_CONFLICTS = 5;

export interface PostgresOptions {
	/** The schema that corresponds to one SQLite file. It is created if it does not exist. */
	readonly schema: string;
	/** Connections that read at the same time. One more writes. */
	readonly maxReaders?: number;
	readonly statementTimeoutMs?: number;
}

interface PendingUnit {
	readonly unit: readonly Statement[];
	readonly resolve: (outcomes: Outcome[]) => void;
	readonly reject: (error: unknown) => void;
}

interface Query {
	/** Absent for a statement that is not prepared. */
	readonly name?: string;
	readonly text: string;
	readonly values: unknown[];
}

/**
 * Units of work of all processes are executed one after the other, as in SQLite: each transaction first takes the lock of
 * its schema, so that no condition of a statement is overtaken by another process. What is waiting in this process shares
 * a transaction, which is sent in one round trip unless a statement needs the result of the one before.
 */
export async function openPostgres(
	url: string,
	{ schema, maxReaders = 4, statementTimeoutMs = 30_000 }: PostgresOptions,
): Promise<Sql & { close(): Promise<void> }> {
	const config: ClientConfig = {
		...readConnection(url),
		types: { getTypeParser },
		statement_timeout: statementTimeoutMs,
		idle_in_transaction_session_timeout: statementTimeoutMs,
		keepAlive: true,
	};
	await createSchema(config, schema);
	const searchPath = { ...config, options: `-c search_path=${schema} -c jit=off` };
	const readers = new Pool({ ...searchPath, max: maxReaders });
	// A connection that ends while nobody uses it is replaced by the next read.
	readers.on("error", () => {});
	const variants = new Map<string, Variants>();
	let prepared = 0;
	const begin = `begin; select pg_advisory_xact_lock(hashtext('tripline'), hashtext('${schema}'))`;
	let writer: Promise<Client> | null = null;
	const pending: PendingUnit[] = [];
	let writing: Promise<void> | null = null;

	return {
		dialect: "postgres",
		shortenKey,
		read: (statement) => read(statement),
		write(unit) {
			const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
			pending.push({ unit, resolve, reject });
			writing ??= commitPending();
			return promise;
		},
		// PostgreSQL reclaims space by itself.
		async compact() {},
		async size() {
			const [row] = await read<{ bytes: number }>(postgresStatement(SIZE));
			return row?.bytes ?? null;
		},
		async close() {
			await writing;
			await writer?.then(
				(client) => client.end(),
				() => {},
			);
			await readers.end();
		},
	};

	async function read<R>(statement: Statement, isRetry = false): Promise<R[]> {
		try {
			const result = await readers.query(prepare(statement));
			return result.rows as R[];
		} catch (error) {
			if (!isRetry && isStalePlan(error)) {
				forgetPrepared();
				return read(statement, true);
			}
			throw translateError(error);
		}
	}

	/** All statements are prepared again, under new names. */
	function forgetPrepared(): void {
		variants.clear();
	}

	async function commitPending(): Promise<void> {
		// The units of this turn of the event loop share the first transaction.
		await null;
		while (pending.length > 0) {
			const units = pending.splice(0, MAX_UNITS_PER_COMMIT);
			await commit(units);
		}
		writing = null;
	}

	/** The failure of a unit rolls back those that share its transaction, so that each is tried again on its own. */
	async function commit(units: readonly PendingUnit[], conflicts = 0): Promise<void> {
		try {
			const outcomes = await runTransaction(await connectWriter(), units);
			for (const [nth, { resolve }] of units.entries()) resolve(outcomes[nth] as Outcome[]);
		} catch (error) {
			if (isStalePlan(error)) forgetPrepared();
			if ((isTransactionConflict(error) || isStalePlan(error)) && conflicts < MAX_CONFLICTS)
				return commit(units, conflicts + 1);
			const reason = translateError(error);
			const isRejected = reason === error;
			if (isRejected && units.length > 1) for (const unit of units) await commit([unit]);
			else for (const { reject } of units) reject(reason);
		}
	}

	async function runTransaction(client: Client, units: readonly PendingUnit[]): Promise<Outcome[][]> {
		const sent: Promise<unknown>[] = [];
		const send = <T>(query: Promise<T>): Promise<T> => {
			sent.push(query);
			query.catch(() => {});
			return query;
		};
		const outcomes: Promise<Outcome>[][] = [];
		let problem: unknown;
		send(client.query(begin));
		try {
			for (const { unit } of units) outcomes.push(await sendUnit(unit));
		} catch (error) {
			problem = error;
		}
		// A commit rolls back if a statement has failed.
		send(client.query(problem === undefined ? "commit" : "rollback"));
		const results = await Promise.allSettled(sent);
		// After the first statement that fails all others do.
		const failed = results.find((result) => result.status === "rejected");
		if (failed !== undefined) throw failed.reason;
		if (problem !== undefined) throw problem;
		return Promise.all(outcomes.map((unit) => Promise.all(unit)));

		async function sendUnit(unit: readonly Statement[]): Promise<Promise<Outcome>[]> {
			const answers: Promise<Outcome>[] = [];
			for (const statement of unit) {
				const previous = usesChanges(statement) ? await answers.at(-1) : undefined;
				answers.push(send(client.query(prepare(statement, previous?.changes)).then(toOutcome)));
			}
			return answers;
		}
	}

	function connectWriter(): Promise<Client> {
		if (writer !== null) return writer;
		const opening: Promise<Client> = connect(() => {
			// Not the one that has replaced it meanwhile.
			if (writer === opening) writer = null;
		});
		writer = opening;
		return opening;
	}

	async function connect(onLost: () => void): Promise<Client> {
		const client = new Client({ ...searchPath, pipeline: true });
		client.on("error", onLost);
		client.on("end", onLost);
		try {
			await client.connect();
			return client;
		} catch (error) {
			onLost();
			throw error;
		}
	}

	function usesChanges(statement: Statement): boolean {
		return findVariants(statement).statement.usesChanges;
	}

	function prepare(given: Statement, changes?: number): Query {
		const { statement, byTypes } = findVariants(given);
		const { values } = given;
		const types = values.map((value, at) => (statement.uses(at + 1) ? chooseType(value) : null));
		const key = types.join();
		let variant = byTypes.get(key);
		if (variant === undefined) {
			const built = statement.build(types);
			variant =
				prepared < MAX_PREPARED_STATEMENTS ? { name: `s${prepared++}`, text: built } : { text: built };
			byTypes.set(key, variant);
		}
		const bound = values.filter((_, at) => types[at] !== null).map(toParameter);
		if (statement.usesChanges) bound.push(changes ?? 0);
		return { ...variant, values: bound };
	}

	function findVariants({ text, dialect }: Statement): Variants {
		const known = variants.get(text);
		if (known !== undefined) return known;
		const statement = dialect === "postgres" ? readPostgres(text) : toPostgres(text);
		const fresh: Variants = { statement, byTypes: new Map() };
		if (variants.size < MAX_PREPARED_STATEMENTS) variants.set(text, fresh);
		return fresh;
	}
}

/** The texts of one statement: the types of the bound values are part of the text. */
interface Variants {
	readonly statement: PostgresStatement;
	readonly byTypes: Map<string, Omit<Query, "values">>;
}

/** An index holds 2,704 bytes, of which other columns need some. */
const MAX_KEY_BYTES = 1000;

function shortenKey(text: string): string {
	if (text.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(text) <= MAX_KEY_BYTES) return text;
	return `${[...text].slice(0, 64).join("")}#${createHash("sha256").update(text).digest("hex")}`;
}

const SIZE = `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
where relnamespace = cast(current_schema() as regnamespace) and relkind = 'r'`;

const toOutcome = ({ rows, rowCount }: QueryResult): Outcome => ({
	rows: rows as Row[],
	changes: rowCount ?? 0,
});

interface Found {
	readonly version: string;
	readonly encoding: string;
}

const OLDEST_VERSION = 15;

export function checkServer({ version, encoding }: Found): void {
	const major = Math.floor(Number(version) / 10_000);
	if (major < OLDEST_VERSION)
		throw new BadDatabaseUrl(`PostgreSQL ${OLDEST_VERSION} or newer is required, and this is ${major}`);
	if (encoding !== "UTF8")
		throw new BadDatabaseUrl(`the database must have the encoding UTF8, and this one has ${encoding}`);
}

async function createSchema(config: ClientConfig, schema: string): Promise<void> {
	const client = new Client(config);
	client.on("error", () => {});
	try {
		await client.connect();
		const { rows } = await client.query<Found>(
			"select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
		);
		for (const found of rows) checkServer(found);
		// Without the lock, processes that start together create it twice, which fails.
		await client.query(`select pg_advisory_lock(hashtext('tripline'), hashtext('${schema}'))`);
		await client.query(`create schema if not exists ${schema}`);
	} catch (error) {
		throw translateError(error);
	} finally {
		await client.end().catch(() => {});
	}
}
