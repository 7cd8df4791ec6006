import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Client, type ClientConfig, Connection } from "pg";
import { type Database, DatabaseProblem, type DatabaseStatement, type StatementResult } from "./databases.ts";
import { byteMeter, catchErrors, MAX_OTHER_BYTES } from "./databases-bytes.node.ts";
import { type Portal, PortalQuery, type RawRows } from "./databases-postgres-query.node.ts";
import { findParser, isKnownType, type Parse, type ServerType } from "./databases-postgres-values.node.ts";
import {
	createTooLargeProblem,
	type DatabaseSession,
	MAX_PART_BYTES,
	nameColumns,
	type ReadLimits,
} from "./databases-session.ts";
import { describeCommand } from "./sql-command.ts";

/** How values are written, and limits in case the server is not told to stop. */
const SETTINGS = [
	"set timezone = 'UTC'",
	"set datestyle = 'ISO, YMD'",
	"set intervalstyle = 'iso_8601'",
	"set bytea_output = 'hex'",
	"set statement_timeout = '15min'",
	"set idle_in_transaction_session_timeout = '5min'",
].join("; ");

/** After it a statement that does not end loses its connection. */
const CANCEL_MS = 2_000;

/** Opens a connection to the server's checked address. */
type OpenSocket = (signal: AbortSignal) => Promise<Socket>;

/** Types that servers were asked about, by the key of the database. */
export type FoundTypes = Map<number, ServerType | null>;

export async function openPostgres(
	database: Database,
	openSocket: OpenSocket,
	types: FoundTypes,
	signal: AbortSignal,
): Promise<DatabaseSession> {
	const meter = byteMeter();
	const config = buildConfig(database, await openSocket(signal));
	const client = new Client(config);
	let isOpen = true;
	let isClean = true;
	let isCancelled = false;
	let isInTransaction = false;
	client.on("error", () => {
		isOpen = false;
	});
	client.on("end", () => {
		isOpen = false;
	});
	const { connection } = client as unknown as { readonly connection: Connection };
	guardParser(connection);
	meter.watch(config.socket);
	connection.on("sslconnect", () => meter.watch(connection.stream));
	const stop = () => connection.stream.destroy();
	signal.addEventListener("abort", stop, { once: true });
	try {
		await client.connect();
		await client.query(SETTINGS);
	} catch (error) {
		close();
		throw signal.aborted ? signal.reason : toProblem(explainTls(error, database));
	} finally {
		signal.removeEventListener("abort", stop);
	}

	return {
		get isReusable() {
			return isOpen && isClean && !isCancelled && client.getTransactionStatus() === "I";
		},
		async begin(isReadOnly) {
			// After the first query a transaction cannot be made writable again.
			await command(isReadOnly ? "begin read only; select 1" : "begin");
			isInTransaction = true;
		},
		commit: () => end("commit"),
		rollBack: () => end("rollback"),
		run: (statement, limits) => run(statement, limits, false),
		runReadOnly: (statement, limits) => run(statement, limits, true),
		open(statement) {
			noteState(statement);
			let next: DatabaseStatement | null = statement;
			let fields: RawRows["fields"] = [];
			return {
				async next(maxRows) {
					let bytes = 0;
					const read = await exchange(MAX_PART_BYTES, {
						...{ statement: next, name: "rows", maxRows },
						onBytes: (more) => {
							bytes += more;
						},
					});
					if (next !== null) fields = read.fields;
					next = null;
					await findTypes(fields);
					const { columns, rows } = convert({ ...read, fields }, maxRows);
					return { columns, rows, bytes, isEnd: read.tag !== null };
				},
			};
		},
		async cancel() {
			isCancelled = true;
			const timer = setTimeout(close, CANCEL_MS);
			timer.unref();
			client.once("end", () => clearTimeout(timer));
			await sendCancel().catch(close);
		},
		close,
	};

	function close(): void {
		isOpen = false;
		client.end().catch(() => {});
		connection.stream.destroy();
	}

	async function command(text: string): Promise<void> {
		meter.allow(MAX_OTHER_BYTES);
		try {
			await client.query(text);
		} catch (error) {
			throw toProblem(error);
		}
	}

	async function end(text: "commit" | "rollback"): Promise<void> {
		isInTransaction = false;
		await command(text);
	}

	async function run(
		statement: DatabaseStatement,
		limits: ReadLimits,
		isReadOnly: boolean,
	): Promise<StatementResult> {
		noteState(statement);
		const read = await send(statement, limits, isReadOnly);
		// What followed would last, even if it should be undone or was to be read-only.
		if (isInTransaction && client.getTransactionStatus() !== "T")
			throw new DatabaseProblem(
				"the statement ended the transaction, so that the following ones were not run",
			);
		if (!read.fields.every(isKnown)) await findTypes(read.fields);
		return convert(read, limits.maxRows);
	}

	function noteState({ sql }: DatabaseStatement): void {
		if (!describeCommand(sql).leavesNoState) isClean = false;
	}

	function send(
		statement: DatabaseStatement,
		{ maxRows, takeBytes, bytesLeft }: ReadLimits,
		isReadOnly: boolean,
	): Promise<RawRows> {
		// One more than wanted, to know whether there are more.
		const portal = { statement, name: "", maxRows: maxRows + 1, onBytes: takeBytes, isReadOnly };
		return exchange(bytesLeft(), portal);
	}

	async function exchange(maxBytes: number, portal: Portal): Promise<RawRows> {
		meter.allow(maxBytes + MAX_OTHER_BYTES);
		const query = new PortalQuery(portal);
		client.query(query);
		try {
			return await query.result;
		} catch (error) {
			if (meter.isExceeded()) throw createTooLargeProblem();
			throw toProblem(error);
		}
	}

	function convert({ fields, rows, tag }: RawRows, maxRows: number): StatementResult {
		const parsers = fields.map(({ dataTypeID }) => findParser(dataTypeID, types));
		const kept = rows.length > maxRows ? rows.slice(0, maxRows) : rows;
		return {
			columns: nameColumns(fields.map(({ name }) => name)),
			rows: kept.map((row) =>
				row.map((text, index) => (text === null ? null : (parsers[index] as Parse)(text))),
			),
			changed: /^(?:INSERT|UPDATE|DELETE|MERGE|COPY) (?:\d+ )?(\d+)$/.test(tag ?? "")
				? Number(tag?.split(" ").at(-1))
				: 0,
			hasMore: rows.length > maxRows,
		};
	}

	function isKnown({ dataTypeID }: RawRows["fields"][number]): boolean {
		return isKnownType(dataTypeID) || types.has(dataTypeID);
	}

	/** Asks the server about types that are not built in; a list of an enum is one. */
	async function findTypes(fields: RawRows["fields"]): Promise<void> {
		const ids = fields.filter((field) => !isKnown(field)).map(({ dataTypeID }) => dataTypeID);
		if (ids.length === 0) return;
		const statement = {
			sql: "select oid, typelem, typdelim from pg_catalog.pg_type where oid = any($1::oid[]) and typelem <> 0 and typlen = -1",
			params: [[...ids]],
		};
		const limits = { maxRows: ids.length, takeBytes: () => {}, bytesLeft: () => 0 };
		const found = await send(statement, limits, false);
		for (const id of ids) types.set(id, null);
		for (const [id, element, delimiter] of found.rows)
			types.set(Number(id), { element: Number(element), delimiter: delimiter ?? "," });
	}

	/** A request of its own connection, which needs no login. */
	async function sendCancel(): Promise<void> {
		const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
		const control = AbortSignal.timeout(CANCEL_MS);
		const asking = new Connection(
			buildConfig(database, await openSocket(control)) as never,
		) as unknown as Asking;
		guardParser(asking);
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const ask = () => {
			asking.cancel(processID, secretKey);
			asking.stream.end();
		};
		asking.on("connect", () => (database.usesTls ? asking.requestSsl() : ask()));
		asking.on("sslconnect", ask);
		asking.on("error", reject);
		asking.on("end", () => resolve());
		control.addEventListener("abort", () => reject(control.reason), { once: true });
		asking.connect(database.port, database.hostname);
		try {
			await promise;
		} finally {
			asking.stream.destroy();
		}
	}
}

interface Asking {
	readonly stream: Duplex;
	connect(port: number, hostname: string): void;
	requestSsl(): void;
	cancel(processId: number, secretKey: number): void;
	on(event: string, listener: (error: Error) => void): void;
}

/** Its parser throws at lengths that are wrong. */
function guardParser(connection: object): void {
	const inside = connection as { attachListeners(stream: Duplex): void };
	const attach = inside.attachListeners.bind(inside);
	inside.attachListeners = (stream) => {
		attach(stream);
		catchErrors(stream);
	};
}

/** The driver connects sockets by name; this one is connected already, to an address that was checked. */
function buildConfig(database: Database, socket: Socket): ClientConfig & { readonly socket: Socket } {
	socket.connect = () => {
		setImmediate(() => socket.emit("connect"));
		return socket;
	};
	return {
		socket,
		stream: () => socket,
		host: database.hostname,
		port: database.port,
		database: database.database,
		user: database.user,
		password: database.password,
		ssl: database.usesTls
			? { rejectUnauthorized: true, ...(database.trust !== undefined && { ca: database.trust }) }
			: false,
		application_name: "tripline",
	};
}

function explainTls(error: unknown, { hostname }: Database): unknown {
	if (!(error instanceof Error && error.message === "The server does not support SSL connections"))
		return error;
	return new DatabaseProblem(
		`${hostname} does not support TLS: for a server on a private network set the credential's field tls to off`,
	);
}

/** Classes of errors that may pass: conflict, too few resources, intervention of an operator, lock. */
const TEMPORARY = /^(?:40|53|57|55P03)/;
/** The server ends the connection. */
const ENDING = /^(?:08|57P0)/;

function toProblem(error: unknown): unknown {
	const { code, severity, message } = error as { code?: unknown; severity?: unknown; message: string };
	if (typeof code !== "string" || severity === undefined) return error;
	const text = `PostgreSQL: ${message} (${code})`;
	if (ENDING.test(code)) return Object.assign(new Error(text), { code });
	return TEMPORARY.test(code) ? new Error(text) : new DatabaseProblem(text);
}
