import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { storeMigrations } from "../src/storage/migrations.ts";
import { testDailyLimits } from "./daily-limits.ts";

testDailyLimits(async (context) => {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	return sql;
});
