import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BadDatabaseUrl, readConnection } from "../src/postgres-connection.node.ts";

describe("DATABASE_URL", () => {
	test("names host, port, database and user, each of which may be encoded", () => {
		const { host, port, database, user, password } = readConnection(
			"postgres://me%40example:se%2Fcret@db.example:6543/my%20data",
		);
		assert.deepEqual(
			{ host, port, database, user, password },
			{ host: "db.example", port: 6543, database: "my data", user: "me@example", password: "se/cret" },
		);
		assert.equal(readConnection("postgresql://db.example").port, 5432);
	});

	test("is used with verified TLS unless the database is on this machine or TLS is switched off", () => {
		for (const url of [
			"postgres://db.example/a",
			"postgres://10.0.0.1/a",
			"postgres://db.example/a?sslmode=require",
			"postgres://localhost/a?sslmode=verify-full",
		])
			assert.deepEqual(readConnection(url).ssl, { rejectUnauthorized: true }, url);
		for (const url of [
			"postgres://localhost/a",
			"postgres://127.0.0.1/a",
			"postgres://[::1]/a",
			"postgres:///a?host=/run/postgresql",
			"postgres://db.example/a?sslmode=disable",
		])
			assert.equal(readConnection(url).ssl, false, url);
	});

	test("that is wrong is refused with the reason and without its password", () => {
		for (const [url, reason] of [
			["mysql://me:secret@db.example", /must have the form postgres:/],
			["not a URL with secret", /must have the form postgres:/],
			[
				"postgres://me:secret@db.example/a?sslmode=prefer",
				/sslmode must be disable or require or verify-full/,
			],
			["postgres://me:1/secret@db.example/a", /an @ after the host: in a password \/ is written as %2F/],
			["postgres://me:1?secret@db.example/a", /\? as %3F/],
			["postgres://me:1#secret@db.example/a", /# as %23/],
			["postgres://me:secret%@db.example/a", /% itself is written as %25/],
			["postgres://me:secret@db.example/a?ssl=no-verify", /unknown parameter: ssl/],
			["postgres://me:secret@db.example/a?sslrootcert=/does/not/exist", /cannot be read \(ENOENT\)/],
		] as const) {
			assert.throws(
				() => readConnection(url),
				(error) =>
					error instanceof BadDatabaseUrl && reason.test(error.message) && !error.message.includes("secret"),
				url,
			);
		}
	});
});
