import { describe, test } from "node:test";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { openVectorWorld, vectorContract } from "./contract.ts";

describe("vectors on SQLite", () => {
	for (const { name, run } of vectorContract) {
		test(name, async (context) => {
			const sql = openSqlite(":memory:");
			context.after(() => sql.close());
			await run(await openVectorWorld(sql));
		});
	}
});
