import { describe } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { storeMigrations } from "../../src/storage/migrations.ts";
import { fillIndex, testFinding } from "./find-contract.ts";

describe("among many entries", () =>
	testFinding(async () => {
		const sql = openSqlite(":memory:");
		await migrate(sql, storeMigrations);
		await fillIndex(sql);
		return sql;
	}));
