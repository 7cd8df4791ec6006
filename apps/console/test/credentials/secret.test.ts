import assert from "node:assert/strict";
import { test } from "node:test";
import { generateSecret } from "../../src/pages/credentials/secret.ts";

test("creates a secret of 256 bits in URL-safe characters", () => {
	assert.match(generateSecret(), /^[A-Za-z0-9_-]{43}$/);
});

test("creates a different secret each time", () => {
	assert.notEqual(generateSecret(), generateSecret());
});
