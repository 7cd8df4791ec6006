import { isIP, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { toBase64 } from "@tripline/contract/bytes";
import type { Json } from "@tripline/contract/json";
import { type Connection, type ConnectionOptions, createConnection, type FieldPacket } from "mysql2";
import { type Database, DatabaseProblem, type DatabaseStatement, type StatementResult } from "./databases.ts";
import { byteMeter, catchErrors, MAX_OTHER_BYTES } from "./databases-bytes.node.ts";
import {
	createTooLargeProblem,
	type DatabaseSession,
	MAX_PART_BYTES,
	nameColumns,
	type ReadLimits,
} from "./databases-session.ts";
import { parseJson } from "./json-digits.ts";
import { describeCommand } from "./sql-command.ts";

/** After it a statement that does not end loses its connection. */
const CANCEL_MS = 2_000;
const MAX_PREPARED_STATEMENTS = 100;
/** Rows that the driver may hold before it stops reading. */
const WAITING_ROWS = 64;
/** Parts of comments that some servers execute. */
const EXECUTABLE_COMMENT = /\/\*M?!/;

type OpenSocket = (signal: AbortSignal) => Promise<Socket>;
/** A row, or the counts of a statement without rows. */
type Received = unknown[] | { readonly affectedRows: number };

/** MySQL and MariaDB. */
export async function openMysql(
	database: Database,
	openSocket: OpenSocket,
	signal: AbortSignal,
): Promise<DatabaseSession> {
	const { connection, meter, close: closeConnection } = await connect(database, openSocket, signal);
	let isOpen = true;
	let isClean = true;
	let isReadOnly = false;
	connection.on("error", () => {
		isOpen = false;
	});
	connection.on("end", () => {
		isOpen = false;
	});

	return {
		get isReusable() {
			return isOpen && isClean;
		},
		begin,
		commit,
		async rollBack() {
			await command("rollback");
			isReadOnly = false;
		},
		run,
		async runReadOnly(statement, limits) {
			await begin(true);
			const result = await run(statement, limits);
			await commit();
			return result;
		},
		open(statement) {
			const reading = start(statement, MAX_PART_BYTES);
			return {
				async next(maxRows) {
					const part = await reading.next(maxRows);
					if (!part.isEnd && part.rows.length < maxRows) throw createTooLargeProblem();
					return part;
				},
			};
		},
		async cancel() {
			isClean = false;
			const timer = setTimeout(close, CANCEL_MS);
			timer.unref();
			connection.once("end", () => clearTimeout(timer));
			await kill().catch(close);
		},
		close,
	};

	function close(): void {
		const wasOpen = isOpen;
		isOpen = false;
		closeConnection();
		if (!wasOpen) return;
		// The driver would leave what is under way without an answer.
		connection.emit("error", Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" }));
	}

	async function begin(readOnly: boolean): Promise<void> {
		isReadOnly = readOnly;
		await command(readOnly ? "start transaction read only" : "start transaction");
	}

	async function commit(): Promise<void> {
		await command("commit");
		isReadOnly = false;
	}

	async function run(
		statement: DatabaseStatement,
		{ maxRows, takeBytes, bytesLeft }: ReadLimits,
	): Promise<StatementResult> {
		const reading = start(statement, bytesLeft());
		const read = await reading.next(maxRows + 1);
		takeBytes(read.bytes);
		// The server would send the others before it takes the next statement.
		if (!read.isEnd) await reading.stop();
		const rows = read.rows.slice(0, maxRows);
		return { columns: read.columns, rows, changed: read.changed, hasMore: read.rows.length > maxRows };
	}

	function command(sql: string): Promise<void> {
		meter.allow(MAX_OTHER_BYTES);
		return new Promise((resolve, reject) => {
			connection.once("error", reject);
			connection.query(sql, (error) => {
				connection.off("error", reject);
				if (error === null) resolve();
				else reject(toProblem(error));
			});
		});
	}

	/** A statement whose rows are asked for. Each part has a limit of bytes. */
	function start({ sql, params }: DatabaseStatement, maxBytes: number) {
		assertPlain(sql);
		if (!describeCommand(sql).leavesNoState) isClean = false;
		meter.allow(maxBytes + MAX_OTHER_BYTES);
		const sent = connection.execute({ sql, values: params.map(toParameter), rowsAsArray: true });
		let fields: readonly FieldPacket[] = [];
		sent.on("fields", (described: FieldPacket[] | undefined) => {
			fields = described ?? [];
		});
		// It may fail after its rows were enough.
		sent.on("error", () => {});
		const stream: Readable = sent.stream({ highWaterMark: WAITING_ROWS });
		// The driver tells a lost connection to the connection only.
		const fail = (error: Error) => stream.destroy(error);
		connection.once("error", fail);
		stream.once("close", () => connection.off("error", fail));
		const received = stream[Symbol.asyncIterator]() as AsyncIterator<Received>;
		return {
			async next(maxRows: number) {
				meter.allow(maxBytes + MAX_OTHER_BYTES);
				const rows: Json[][] = [];
				let [bytes, changed, isEnd] = [0, 0, false];
				while (rows.length < maxRows && !isEnd) {
					const { value, done = false } = await takeNext();
					isEnd = done;
					if (done) break;
					if (!Array.isArray(value)) {
						changed = value.affectedRows;
						continue;
					}
					rows.push(value.map((cell, index) => toJson(cell, fields[index])));
					bytes += measure(value);
				}
				return { columns: nameColumns(fields.map(({ name }) => name)), rows, bytes, changed, isEnd };
			},
			/** Ends it at the server, unless it changes something. */
			async stop(): Promise<void> {
				const { promise: ended, resolve } = Promise.withResolvers<void>();
				sent.once("end", () => resolve());
				connection.once("error", () => resolve());
				meter.allow(Number.POSITIVE_INFINITY);
				// First, because reading what the server sends meanwhile would delay it.
				if (describeCommand(sql).onlyReads) {
					await kill();
					const timer = setTimeout(close, CANCEL_MS);
					void ended.then(() => clearTimeout(timer));
				}
				stream.destroy();
				await ended;
			},
		};

		async function takeNext() {
			try {
				return await received.next();
			} catch (error) {
				throw meter.isExceeded() ? createTooLargeProblem() : toProblem(error);
			}
		}
	}

	/** Words with which some servers end the transaction. */
	function assertPlain(sql: string): void {
		if (EXECUTABLE_COMMENT.test(sql))
			throw new DatabaseProblem("comments that the server executes are not supported");
		if (isReadOnly && !describeCommand(sql).onlyReads)
			throw new DatabaseProblem("only statements that read can run in a read-only transaction");
	}

	/** A statement of another connection. */
	async function kill(): Promise<void> {
		const control = AbortSignal.timeout(CANCEL_MS);
		const other = await connect(database, openSocket, control);
		try {
			await new Promise<void>((resolve, reject) => {
				other.connection.query(`kill query ${Number(connection.threadId)}`, (error) =>
					error === null ? resolve() : reject(error),
				);
			});
		} finally {
			other.close();
		}
	}
}

async function connect(database: Database, openSocket: OpenSocket, signal: AbortSignal) {
	const meter = byteMeter();
	const socket = await openSocket(signal);
	const connection = createConnection(buildOptions(database, socket));
	meter.watch(socket);
	catchErrors(socket);
	guardDriver(connection, socket, database, meter);
	connection.on("error", () => {});
	const close = () => {
		connection.destroy();
		socket.destroy();
	};
	// The driver would leave the login without an answer.
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const abort = () => reject(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	try {
		signal.throwIfAborted();
		await Promise.race([connectAndSet(connection), aborted]);
		return { connection, meter, close };
	} catch (error) {
		close();
		throw signal.aborted ? signal.reason : toProblem(error, database);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

/** What is used of the driver's inside. */
interface Inside {
	stream: Socket;
	packetParser: Parser;
	/** Of the packet that is expected. */
	readonly sequenceId: number;
	startTLS: (onSecure: (error?: Error) => void) => void;
	/** Packets that arrive meanwhile are handled later. */
	readonly _paused: boolean;
	/** With an error once the server has asked for a file, which it gets none of. */
	readonly _command: { readonly _localStreamError?: unknown } | null | undefined;
	/** Whether the login is done. */
	readonly authorized: boolean;
	handlePacket: (packet?: Packet) => void;
	_handleNetworkError(error: Error): void;
}

interface Packet {
	readonly sequenceId: number;
	/** How far it was read. */
	readonly offset: number;
	readonly end: number;
}

interface Parser {
	onPacket: (packet: Packet) => void;
	execute(data: Uint8Array): void;
}

/**
 * Of the driver's own function the bytes cannot be counted, it compares the certificate of an address with the name
 * localhost, and it believes what the server sent before TLS.
 */
function guardDriver(
	connection: Connection,
	socket: Socket,
	{ hostname, trust }: Database,
	meter: ReturnType<typeof byteMeter>,
): void {
	const inside = connection as unknown as Inside;
	const handlePacket = inside.handlePacket.bind(inside);
	inside.handlePacket = (packet) => {
		const { _command: command } = inside;
		const isExpected =
			packet === undefined || inside._paused || packet.sequenceId === inside.sequenceId || !command;
		// The driver would only print it, each time.
		if (!isExpected) return refuse("the server sent packets out of order");
		handlePacket(packet);
		// The driver reads on in what follows the packet, and waits for an answer after a file that it has not sent.
		if (inside.authorized && packet !== undefined && !(Number(packet.offset) <= packet.end))
			refuse("the server sent a value that is longer than its packet");
		else if (command?._localStreamError) refuse("the server asked for a file, which is not sent");
	};
	const refuse = (reason: string) => void inside.stream.destroy(new DatabaseProblem(reason));
	inside.startTLS = (onSecure) => {
		const plain = inside.packetParser;
		plain.onPacket = () => socket.destroy(new Error("the server sent data before TLS"));
		const Parser = plain.constructor as new (onPacket: Parser["onPacket"]) => Parser;
		inside.packetParser = new Parser((packet) => inside.handlePacket(packet));
		socket.removeAllListeners("data");
		const options = {
			...{ socket, host: hostname, rejectUnauthorized: true },
			...(isIP(hostname) === 0 && { servername: hostname }),
			...(trust !== undefined && { ca: trust }),
		};
		const secured: TLSSocket = connectTls(options, () => onSecure());
		secured.on("error", (error) =>
			secured.authorized ? inside._handleNetworkError(error) : onSecure(error),
		);
		meter.watch(secured);
		secured.on("data", (data: Uint8Array) => inside.packetParser.execute(data));
		catchErrors(secured);
		inside.stream = secured;
	};
}

const UNKNOWN_VARIABLE = 1193;
/** In case the server is not told to stop: in seconds on MariaDB, in milliseconds on MySQL, and not on others. */
const TIME_LIMITS = [", max_statement_time = 900", ", max_execution_time = 900000", ""];

async function connectAndSet(connection: Connection): Promise<void> {
	// A lost socket is not always reported to the callbacks.
	const { promise: lost, reject } = Promise.withResolvers<never>();
	lost.catch(() => {});
	connection.on("error", reject);
	const wait = (work: (done: (error: unknown) => void) => void) =>
		Promise.race([
			lost,
			new Promise<void>((resolve, fail) => work((error) => (error ? fail(error) : resolve()))),
		]);
	await wait((done) => connection.connect(done));
	for (const limit of TIME_LIMITS) {
		try {
			await wait((done) => connection.query(`set time_zone = '+00:00'${limit}`, done));
			return;
		} catch (error) {
			if ((error as { errno?: number }).errno !== UNKNOWN_VARIABLE) throw error;
		}
	}
}

function buildOptions(database: Database, socket: Socket): ConnectionOptions {
	return {
		stream: socket,
		host: database.hostname,
		port: database.port,
		database: database.database,
		user: database.user,
		password: database.password,
		// How it is verified is not left to the driver.
		...(database.usesTls && { ssl: { rejectUnauthorized: true, verifyIdentity: true } }),
		charset: "utf8mb4_general_ci",
		// The server must not read files of this machine.
		flags: ["-LOCAL_FILES"],
		multipleStatements: false,
		// Otherwise it would generate code from the names of columns.
		disableEval: true,
		supportBigNumbers: true,
		bigNumberStrings: true,
		dateStrings: true,
		jsonStrings: true,
		maxPreparedStatements: MAX_PREPARED_STATEMENTS,
	} as ConnectionOptions;
}

/** A whole number is text, because the driver would send it as a floating one. */
function toParameter(value: Json): string | number | null {
	if (value === null || typeof value === "string") return value;
	if (typeof value === "boolean") return value ? "1" : "0";
	if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : value;
	return JSON.stringify(value);
}

const [TIMESTAMP, DATETIME, BIGINT, JSON_TYPE] = [7, 12, 8, 245];

function toJson(value: unknown, field: FieldPacket | undefined): Json {
	if (value === null || value === undefined) return null;
	if (value instanceof Uint8Array) return toBase64(value);
	if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
	if (typeof value !== "string") return JSON.parse(JSON.stringify(value)) as Json;
	switch (field?.columnType) {
		case TIMESTAMP:
			return `${value.replace(" ", "T")}Z`;
		case DATETIME:
			return value.replace(" ", "T");
		case BIGINT:
			return Number.isSafeInteger(Number(value)) ? Number(value) : value;
		case JSON_TYPE:
			return parseJson(value);
		default:
			return value;
	}
}

const measure = (row: readonly unknown[]): number =>
	row.reduce<number>(
		(sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8),
		0,
	);

/** Deadlocks, locks and too many connections. */
const TEMPORARY = [1040, 1203, 1205, 1213, 1226];

function toProblem(error: unknown, database?: Database): unknown {
	const { code, errno = 0, sqlState, sqlMessage, message } = error as Error & Record<string, unknown>;
	if (code === "HANDSHAKE_NO_SSL_SUPPORT")
		return new DatabaseProblem(
			`${database?.hostname} does not support TLS: for a server on a private network set the credential's field tls to off`,
		);
	if (code === "HANDSHAKE_SSL_ERROR")
		return new DatabaseProblem(`TLS with ${database?.hostname} failed: ${message}`);
	if (typeof sqlState !== "string") return error;
	const text = `MySQL: ${sqlMessage ?? message} (${code})`;
	return TEMPORARY.includes(Number(errno)) ? new Error(text) : new DatabaseProblem(text);
}
