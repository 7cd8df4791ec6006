import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Duplex, PassThrough } from "node:stream";
import { TLSSocket } from "node:tls";
import { TEST_CERTIFICATE } from "./tls-certificate.ts";

/** What a server does with the statement, after a login that is like any other. */
export type Misbehave = (socket: Socket) => void;

interface HostileServer {
	readonly port: number;
	countSentBytes(): number;
	stop(): void;
}

/** Speaks as much of a protocol as is needed to get to the statement. */
export async function startHostile(
	serve: (socket: Socket, misbehave: Misbehave) => void,
	misbehave: Misbehave,
): Promise<HostileServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		serve(socket, misbehave);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		port: (server.address() as { port: number }).port,
		countSentBytes: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
		stop() {
			for (const socket of sockets) socket.destroy();
			server.close();
		},
	};
}

/** Sends without an end, as fast as the other side reads. */
export function flood(socket: Socket, chunk: Uint8Array): void {
	const send = () => {
		while (!socket.destroyed && socket.write(chunk));
	};
	socket.on("drain", send);
	send();
}

const int32 = (value: number): Buffer => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
};

/** A message of PostgreSQL. `length` may be a lie. */
export const pgMessage = (type: string, body: Uint8Array, length = body.length): Buffer =>
	Buffer.concat([Buffer.from(type), int32(length + 4), body]);

const PG_READY = pgMessage("Z", Buffer.from("I"));
const INT4 = 23;
/** One column with the name `a`. */
export const PG_COLUMN = pgMessage(
	"T",
	Buffer.concat([Buffer.from("\0\x01a\0"), Buffer.alloc(6), int32(INT4), Buffer.alloc(8)]),
);
/** A row with the value 1. */
export const PG_ROW = pgMessage("D", Buffer.from("\0\x01\0\0\0\x011"));

/** What comes after the last row. */
export const PG_END = Buffer.concat([pgMessage("C", Buffer.from("SELECT 1\0")), PG_READY]);

export function servePostgres(socket: Socket, misbehave: Misbehave): void {
	let isGreeted = false;
	socket.on("data", (chunk: Buffer) => {
		if (!isGreeted) {
			isGreeted = true;
			socket.write(
				Buffer.concat([
					pgMessage("R", int32(0)),
					pgMessage("K", Buffer.concat([int32(1), int32(1)])),
					PG_READY,
				]),
			);
		} else if (String.fromCharCode(chunk[0] ?? 0) === "Q")
			socket.write(Buffer.concat([pgMessage("C", Buffer.from("SET\0")), PG_READY]));
		else if (String.fromCharCode(chunk[0] ?? 0) === "P") misbehave(socket);
	});
}

/** A packet of MySQL. `length` may be a lie. */
export function mysqlPacket(sequence: number, body: Uint8Array, length = body.length): Buffer {
	const head = Buffer.alloc(4);
	head.writeUIntLE(length, 0, 3);
	head.writeUInt8(sequence, 3);
	return Buffer.concat([head, body]);
}

const MYSQL_OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
export const MYSQL_TLS = 0x800;
const MYSQL_TLS_REQUEST_BYTES = 36;
const MYSQL_LOCAL_FILES = 0x80;
const USUAL_FLAGS = 0x200 | 0x8000 | 0x80000;

export function buildMysqlGreeting(flags = 0): Buffer {
	const all = USUAL_FLAGS | flags;
	const [low, high] = [Buffer.alloc(2), Buffer.alloc(2)];
	low.writeUInt16LE(all & 0xffff);
	high.writeUInt16LE(all >>> 16);
	return mysqlPacket(
		0,
		Buffer.concat([
			Buffer.from("\x0a8.0.36\0"),
			Buffer.from([1, 0, 0, 0]),
			Buffer.from("12345678\0"),
			low,
			Buffer.from([45, 2, 0]),
			high,
			Buffer.from([21]),
			Buffer.alloc(10),
			Buffer.from("123456789012\0mysql_native_password\0"),
		]),
	);
}

const [COM_QUERY, COM_PREPARE, COM_EXECUTE] = [0x03, 0x16, 0x17];

export function serveMysql(socket: Socket, misbehave: Misbehave): void {
	socket.write(buildMysqlGreeting(MYSQL_LOCAL_FILES));
	answerMysql(socket, misbehave, 2);
}

/** The same as `servePostgres`, after TLS has begun. */
export function servePostgresOverTls(socket: Socket, misbehave: Misbehave): void {
	socket.once("data", () => {
		socket.write("S");
		servePostgres(beginTls(socket), misbehave);
	});
}

export function serveMysqlOverTls(socket: Socket, misbehave: Misbehave): void {
	socket.write(buildMysqlGreeting(MYSQL_LOCAL_FILES | MYSQL_TLS));
	// The request for TLS has a number as well. What follows it may have come with it.
	socket.once("data", (chunk: Buffer) =>
		answerMysql(beginTls(socket, chunk.subarray(MYSQL_TLS_REQUEST_BYTES)), misbehave, 3),
	);
}

function beginTls(socket: Socket, received: Uint8Array = Buffer.alloc(0)): Socket {
	const incoming = new PassThrough();
	incoming.write(received);
	socket.pipe(incoming);
	const both = Duplex.from({ readable: incoming, writable: socket } as never);
	const secured = new TLSSocket(both, { isServer: true, ...TEST_CERTIFICATE });
	for (const stream of [both, secured]) stream.on("error", () => {});
	return secured;
}

function answerMysql(socket: Socket, misbehave: Misbehave, loginAnswer: number): void {
	let isGreeted = false;
	socket.on("data", (chunk) => {
		const command = chunk[4];
		if (!isGreeted) {
			isGreeted = true;
			socket.write(mysqlPacket(loginAnswer, MYSQL_OK));
		} else if (command === COM_QUERY) socket.write(mysqlPacket(1, MYSQL_OK));
		// One column, no values.
		else if (command === COM_PREPARE)
			socket.write(
				Buffer.concat([
					mysqlPacket(1, Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])),
					mysqlPacket(2, MYSQL_COLUMN),
					mysqlPacket(3, MYSQL_END),
				]),
			);
		else if (command === COM_EXECUTE) misbehave(socket);
	});
}

/** One column of text with the name `a`. */
const MYSQL_COLUMN = Buffer.concat([
	Buffer.from("\x03def\0\0\0\x01a\0\x0c"),
	Buffer.from([45, 0, 255, 255, 0, 0, 253, 0, 0, 0, 0, 0]),
]);
const MYSQL_END = Buffer.from([0xfe, 0, 0, 2, 0]);
/** What comes before the rows. */
export const MYSQL_COLUMNS = Buffer.concat([
	mysqlPacket(1, Buffer.from([1])),
	mysqlPacket(2, MYSQL_COLUMN),
	mysqlPacket(3, MYSQL_END),
]);
/** A row with the text `1`. */
export const MYSQL_ROW = Buffer.from([0, 0, 1, 49]);
