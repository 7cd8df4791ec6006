import assert from "node:assert/strict";
import { test } from "node:test";
import { newSecret } from "../../src/pages/credentials/secret.ts";

test("a new secret has 256 bits in letters that stand in any address", () => {
	assert.match(newSecret(), /^[A-Za-z0-9_-]{43}$/);
});

test("no two are alike", () => {
	assert.notEqual(newSecret(), newSecret());
});
