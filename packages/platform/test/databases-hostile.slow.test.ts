import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { parseAllowedHosts } from "../src/addresses.ts";
import { nodeDatabases } from "../src/databases.node.ts";
import { type Database, DatabaseProblem } from "../src/databases.ts";
import {
	buildMysqlGreeting,
	flood,
	type Misbehave,
	MYSQL_COLUMNS,
	MYSQL_ROW,
	MYSQL_TLS,
	mysqlPacket,
	PG_COLUMN,
	PG_END,
	PG_ROW,
	pgMessage,
	serveMysql,
	serveMysqlOverTls,
	servePostgres,
	servePostgresOverTls,
	startHostile,
} from "./hostile-databases.ts";
import { TEST_CERTIFICATE } from "./tls-certificate.ts";

const MEBIBYTE = 1_048_576;
const MAX_MORE_BYTES = 100 * MEBIBYTE;
/** What is allowed, and what the buffers of the system hold. */
const MAX_SENT_BYTES = 32 * MEBIBYTE;
const NAME = "service.example";
const SECRET = "hush-hush-hush";
const JOB = {
	statements: [{ sql: "select 1", params: [] }],
	isReadOnly: false,
	maxRows: 10,
	maxBytes: MEBIBYTE,
};
const READ = { statement: { sql: "select 1", params: [] }, isReadOnly: false, maxRows: 1_000_000 };

const repeat = (chunk: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => chunk));

const ENGINES = {
	postgresql: {
		serve: servePostgres,
		serveOverTls: servePostgresOverTls,
		start: PG_COLUMN,
		rows: repeat(PG_ROW, 1_000),
		/** A row of a gigabyte that never ends. */
		huge: pgMessage("D", Buffer.alloc(65_536), 1_000_000_000),
		/** The value claims to be longer than its row. */
		lies: [
			Buffer.concat([pgMessage("D", Buffer.from([0, 1, 0x7f, 0xff, 0xff, 0xff, 49])), PG_ROW]),
			Buffer.concat([pgMessage("D", Buffer.from([0, 1, 0, 0, 0, 3, 49])), PG_ROW]),
			pgMessage("D", Buffer.from([0x7f, 0xff, 0, 0, 0, 1, 49])),
			pgMessage("T", Buffer.from([0x7f, 0xff, 65])),
			Buffer.concat([pgMessage("D", Buffer.from("\0\x02\0\0\0\x011\0\0\0\x011")), PG_END]),
			Buffer.concat([pgMessage("D", Buffer.from("\0\0")), PG_END]),
		],
		half: PG_ROW.subarray(0, -1),
	},
	mysql: {
		serve: serveMysql,
		serveOverTls: serveMysqlOverTls,
		start: MYSQL_COLUMNS,
		// The numbers of the packets go round.
		rows: Buffer.concat(Array.from({ length: 2_560 }, (_, nth) => mysqlPacket((nth + 4) % 256, MYSQL_ROW))),
		huge: mysqlPacket(4, Buffer.alloc(65_532), 0xffffff),
		lies: [
			mysqlPacket(4, Buffer.from([0, 0, 0xfe, 255, 255, 255, 255, 255, 255, 0, 0, 49])),
			mysqlPacket(4, Buffer.from([0, 0, 0xfd, 255, 255, 255, 49])),
		],
		half: mysqlPacket(4, MYSQL_ROW).subarray(0, -1),
	},
} as const;

for (const [engine, { serve, serveOverTls, start, rows, huge, lies, half }] of Object.entries(ENGINES)) {
	let calls = 0;

	const target = (port: number, more: Partial<Database> = {}): Database => ({
		engine: engine as Database["engine"],
		key: `hostile-${calls++}`,
		...{ hostname: "127.0.0.1", port, database: "shop", user: "app", password: SECRET, usesTls: false },
		...more,
	});

	test(`a hostile ${engine} server that sends without an end under TLS is cut off`, async () => {
		const guarded = nodeDatabases({
			allow: parseAllowedHosts(NAME),
			resolve: async () => [{ address: "127.0.0.1", family: 4 }],
		});
		for (const chunk of [huge, rows]) {
			const server = await startHostile(serveOverTls, (socket) => {
				socket.write(start);
				flood(socket, chunk);
			});
			const secured = { hostname: NAME, usesTls: true, trust: TEST_CERTIFICATE.cert };
			const soon = AbortSignal.timeout(30_000);
			// Rows that are wanted and never end.
			const job = { ...JOB, maxRows: 1_000_000 };
			await assert.rejects(
				guarded.run(target(server.port, secured), job, soon),
				/larger than a result may be/,
			);
			assert.equal(soon.aborted, false, "it ended before its time");
			const sent = server.countSentBytes();
			assert.ok(sent > JOB.maxBytes && sent < MAX_SENT_BYTES, `${sent} bytes were sent`);
			server.stop();
		}
		await guarded.close();
	});

	describe(`a hostile ${engine} server`, { timeout: 120_000, concurrency: true }, () => {
		const databases = nodeDatabases({ allow: parseAllowedHosts("127.0.0.1") });
		after(() => databases.close());
		async function meet(misbehave: Misbehave, check: (database: Database) => Promise<void>) {
			const server = await startHostile(serve, misbehave);
			const before = process.memoryUsage().rss;
			try {
				await check(target(server.port));
				assert.ok(process.memoryUsage().rss - before < MAX_MORE_BYTES, "memory is bounded");
			} finally {
				server.stop();
			}
		}

		async function readAll(database: Database, signal: AbortSignal): Promise<number> {
			let count = 0;
			for await (const { rows } of databases.read(database, READ, signal)) count += rows.length;
			return count;
		}

		test("that sends rows without an end is cut off", () =>
			meet(
				(socket) => {
					socket.write(start);
					flood(socket, rows);
				},
				async (database) => {
					const soon = AbortSignal.timeout(15_000);
					const outcome = await databases.run(database, JOB, soon).then(
						([result]) => result,
						(error: Error) => error,
					);
					assert.equal(soon.aborted, false, "it ended before its time");
					// The rows that were wanted, or an error.
					if (outcome instanceof Error) assert.doesNotMatch(outcome.message, new RegExp(SECRET));
					else assert.equal(outcome?.rows.length, JOB.maxRows);
				},
			));

		test("that sends a value without an end is cut off", () =>
			meet(
				(socket) => {
					socket.write(start);
					flood(socket, huge);
				},
				async (database) => {
					await assert.rejects(databases.run(database, JOB, AbortSignal.timeout(15_000)), (error: Error) => {
						assert.match(error.message, /larger than a result may be/);
						return error instanceof DatabaseProblem;
					});
				},
			));

		test("that sends a value without an end into a file is cut off", () =>
			meet(
				(socket) => {
					socket.write(start);
					flood(socket, huge);
				},
				(database) => assert.rejects(readAll(database, AbortSignal.timeout(15_000)), /./),
			));

		test("that lies about lengths gets an error", async () => {
			for (const lie of lies) {
				await meet(
					(socket) => {
						socket.write(Buffer.concat([start, lie]));
					},
					async (database) => {
						const soon = AbortSignal.timeout(15_000);
						await assert.rejects(databases.run(database, JOB, soon), (error: Error) => {
							assert.match(error.message, /longer than its|described columns|cannot be read/);
							return error instanceof DatabaseProblem;
						});
						assert.equal(soon.aborted, false, "it ended before its time");
					},
				);
			}
		});

		test("that stalls in the middle of a row is left when the time is over", () =>
			meet(
				(socket) => {
					socket.write(Buffer.concat([start, half]));
				},
				async (database) => {
					const began = Date.now();
					const stop = () => AbortSignal.timeout(300);
					await assert.rejects(databases.run(database, JOB, stop()), /timeout/);
					await assert.rejects(readAll({ ...database, key: "stalled" }, stop()), /timeout/);
					assert.ok(Date.now() - began < 10_000);
				},
			));

		test("that stalls before the login is left when the time is over", async () => {
			const server = await startHostile(
				(socket) => {
					if (engine === "mysql") socket.write(buildMysqlGreeting());
				},
				() => {},
			);
			const soon = AbortSignal.timeout(300);
			await assert.rejects(databases.run(target(server.port), JOB, soon), /timeout/);
			server.stop();
		});

		test("that names inner addresses is not reached", async () => {
			for (const address of [
				"10.0.0.1",
				"169.254.169.254",
				"127.0.0.1",
				"::1",
				"fd00::1",
				"::ffff:10.0.0.1",
			]) {
				const dialed: string[] = [];
				const guarded = nodeDatabases({
					allow: { entries: [] },
					resolve: async () => [{ address, family: address.includes(":") ? 6 : 4 }],
					dial: ({ addresses }) => {
						dialed.push(...addresses.map((each) => each.address));
						return connect(1, "127.0.0.1");
					},
				});
				const inner = target(5432, { hostname: "db.example.com", usesTls: true });
				await assert.rejects(guarded.run(inner, JOB, AbortSignal.timeout(5_000)), DatabaseProblem);
				const literal = target(5432, { hostname: address, usesTls: true });
				await assert.rejects(guarded.run(literal, JOB, AbortSignal.timeout(5_000)), DatabaseProblem);
				assert.deepEqual(dialed, []);
			}
		});

		test("that is asked for TLS and answers without it gets no login", async () => {
			let received = "";
			const listen = (socket: Socket) => {
				if (engine === "mysql") socket.write(buildMysqlGreeting());
				socket.on("data", (chunk) => {
					received += chunk.toString("latin1");
					if (engine === "postgresql") socket.write("N");
				});
			};
			const server = await startHostile(listen, () => {});
			const job = databases.run(target(server.port, { usesTls: true }), JOB, AbortSignal.timeout(5_000));
			await assert.rejects(job, /does not support TLS/);
			server.stop();
			assert.doesNotMatch(received, /app|shop/);
		});

		test("that puts plain data before TLS gets no login", async () => {
			let received = "";
			const listen = (socket: Socket) => {
				const login = mysqlPacket(2, Buffer.from([0, 0, 0, 2, 0, 0, 0]));
				if (engine === "mysql") socket.write(Buffer.concat([buildMysqlGreeting(MYSQL_TLS), login]));
				socket.on("data", (chunk) => {
					received += chunk.toString("latin1");
					if (engine === "postgresql")
						socket.write(Buffer.concat([Buffer.from("S"), pgMessage("R", Buffer.alloc(4))]));
				});
			};
			const server = await startHostile(listen, () => {});
			const soon = AbortSignal.timeout(5_000);
			await assert.rejects(databases.run(target(server.port, { usesTls: true }), JOB, soon));
			assert.equal(soon.aborted, false);
			server.stop();
			assert.doesNotMatch(received, /app|shop/);
		});

		if (engine !== "mysql") return;

		test("that asks for a file unprompted gets none", () => {
			let received = "";
			return meet(
				(socket) => {
					socket.on("data", (chunk) => {
						received += chunk.toString("latin1");
					});
					socket.write(mysqlPacket(1, Buffer.from("\xfb/etc/passwd", "latin1")));
				},
				async (database) => {
					const soon = AbortSignal.timeout(15_000);
					await assert.rejects(databases.run(database, JOB, soon), (error: Error) => {
						assert.equal(error.message, "the server asked for a file, which is not sent");
						return error instanceof DatabaseProblem;
					});
					assert.equal(soon.aborted, false, "it ended before its time");
					assert.doesNotMatch(received, /root:/);
				},
			);
		});
	});
}
