import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { storeMigrations } from "../src/storage/migrations.ts";
import { testTotals } from "./totals-contract.ts";

testTotals(async (context) => {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	return sql;
});
