import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256Hex } from "../../src/expressions/filters/sha256.ts";

test("sha256 matches the platform's at every length around block boundaries", async () => {
	for (const length of [...Array.from({ length: 200 }, (_, place) => place), 4095, 4096, 100_000]) {
		const bytes = Uint8Array.from({ length }, (_, place) => (place * 31 + length) & 0xff);
		const expected = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
		assert.equal(sha256Hex(bytes), Buffer.from(expected).toString("hex"), `${length} bytes`);
	}
});
