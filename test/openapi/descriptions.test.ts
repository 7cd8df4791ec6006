import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { tryDescription } from "./try-description.ts";

const FIXTURES = new URL("./fixtures/", import.meta.url);

/** What each description shows, beside that all of its operations work. */
const EXPECTED: Readonly<Record<string, { operations: number; paged: number; auth: string }>> = {
	"shop.yaml": { operations: 7, paged: 1, auth: "basic" },
	"legacy.yaml": { operations: 4, paged: 1, auth: "header" },
	"tracker.json": { operations: 5, paged: 3, auth: "oauth2_authorization_code" },
};

describe("the operations of a description, called at a double of its service", () => {
	test("are described by all of the fixtures", () =>
		assert.deepEqual(readdirSync(FIXTURES).sort(), Object.keys(EXPECTED).sort()));

	for (const [name, expected] of Object.entries(EXPECTED))
		test(`work for ${name}`, async () => {
			const tried = await tryDescription(readFileSync(new URL(name, FIXTURES), "utf8"));
			assert.deepEqual([...tried.defects, ...tried.left], []);
			const { imported, paged, auth, skipped } = tried;
			assert.deepEqual(
				{ operations: imported, paged, auth: auth.join(), skipped },
				{ ...expected, skipped: 0 },
			);
			assert.equal(tried.calls, 2 * imported + paged);
		});
});
