import { describe, test } from "node:test";
import { openMigrated } from "../../../../packages/platform/test/open-migrated.ts";
import { storeMigrations } from "../../src/storage/migrations.ts";
import { openVectorWorld, vectorContract } from "./contract.ts";

describe("vectors on SQLite", () => {
	for (const { name, run } of vectorContract) {
		test(name, async (context) => {
			const sql = await openMigrated(storeMigrations);
			context.after(() => sql.close());
			await run(await openVectorWorld(sql));
		});
	}
});
