import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { storeMigrations } from "../src/storage/migrations.ts";
import { testDailyLimits } from "./daily-limits.ts";

testDailyLimits(async (context) => {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(sql, storeMigrations);
	return sql;
});
