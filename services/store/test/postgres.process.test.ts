import { after, before, describe, type TestContext, test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { chooseStoreMigrations } from "../src/storage/postgres/migrations.ts";
import { testDailyLimits } from "./daily-limits.ts";
import { openVectorWorld, vectorContract } from "./vectors/contract.ts";

describe("the store on PostgreSQL", () => {
	let server: PostgresServer;
	before(async () => {
		server = await startPostgres();
	});
	after(() => server.stop());

	let schemas = 0;
	async function open(context: TestContext) {
		const sql = await openPostgres(server.url, { schema: `s${++schemas}` });
		context.after(() => sql.close());
		await migrate(sql, chooseStoreMigrations(sql));
		return sql;
	}

	describe("vectors", () => {
		for (const { name, run } of vectorContract)
			test(name, async (context) => run(await openVectorWorld(await open(context))));
	});

	describe("daily limits", () => testDailyLimits(open, 0.25));
});
