import { describe } from "node:test";
import { openMigrated } from "../../../../packages/platform/test/open-migrated.ts";
import { storeMigrations } from "../../src/storage/migrations.ts";
import { fillIndex, testFinding } from "./find-contract.ts";

describe("among many entries", () =>
	testFinding(async () => {
		const sql = await openMigrated(storeMigrations);
		await fillIndex(sql);
		return sql;
	}));
