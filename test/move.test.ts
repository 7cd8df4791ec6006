import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { moveDeployment } from "../apps/node/src/moving/deployment.ts";
import { parseSettings } from "../apps/node/src/settings.ts";
import { fill, OWNER_SECRET, openDeployment, readAll, startOutside, useAll } from "./filled-deployment.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import { readRows } from "./sqlite-rows.ts";

describe("a deployment that was moved", () => {
	let server: PostgresServer;
	before(async () => {
		server = await startPostgres();
	});
	after(() => server.stop());

	test("answers as before in PostgreSQL and back in a folder, and its runs continue", async (context) => {
		const outside = await startOutside();
		context.after(outside.close);
		const [folder, copy, back] = [1, 2, 3].map(() => temporaryFolder(context)) as [string, string, string];
		const first = await openDeployment(context, { DATA_DIR: folder }, outside);
		const filled = await fill(first, outside);
		const expected = await readAll(first, filled);
		// An access token is for one address.
		const PORT = new URL(first.publicUrl).port;
		await first.close();
		const inPostgres = {
			...{ DATA_DIR: folder, PORT, DATABASE_URL: server.url, MCP_OWNER_SECRET: OWNER_SECRET },
			MASTER_KEY: readFileSync(join(folder, "keys", "master.key"), "utf8").trim(),
		};
		const inFolder = { PORT, MASTER_KEY: inPostgres.MASTER_KEY };
		const move = (variables: Record<string, string>, to: string) =>
			moveDeployment({ settings: parseSettings(variables), to, report() {} });

		await move({ DATA_DIR: folder }, server.url);
		await assert.rejects(
			openDeployment(context, { DATA_DIR: folder }, outside),
			/was moved to postgres:.*: set DATABASE_URL, or delete .*moved-to/,
		);
		await move(inPostgres, copy);
		assert.deepEqual(readRows(copy), readRows(folder));
		await assert.rejects(
			openDeployment(context, inPostgres, outside),
			/was moved to .*: leave DATABASE_URL unset and set DATA_DIR to that folder, or delete the row/,
		);
		const third = await openDeployment(context, { ...inFolder, DATA_DIR: copy }, outside);
		assertAnswers(await readAll(third, filled), expected);
		await third.close();

		const sql = await openPostgres(server.url, { schema: "tripline_store" });
		await sql.write([statement("delete from moves where name = 'to'")]);
		await sql.close();
		const second = await openDeployment(context, inPostgres, outside);
		assertAnswers(await readAll(second, filled), expected);
		await useAll(second, filled, outside);
		// A process forgets the nodes of a run that has ended.
		const ended = { ...filled, runs: {} };
		const later = await readAll(second, ended);
		assert.deepEqual(second.log, []);
		await second.close();

		await move(inPostgres, back);
		const fourth = await openDeployment(context, { ...inFolder, DATA_DIR: back }, outside);
		assertAnswers(await readAll(fourth, ended), later);
		await fourth.call("POST", "/webhooks/named/calls/trigger", {});
		assert.deepEqual(fourth.log, []);
	});
});

function assertAnswers(
	found: Readonly<Record<string, unknown>>,
	expected: Readonly<Record<string, unknown>>,
): void {
	for (const [path, answer] of Object.entries(expected)) assert.deepEqual(found[path], answer, path);
}

function temporaryFolder(context: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-move-"));
	context.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
