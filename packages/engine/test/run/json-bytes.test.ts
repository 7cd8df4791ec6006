import assert from "node:assert/strict";
import { test } from "node:test";
import { countJsonBytes } from "../../src/run/json-bytes.ts";

const values: unknown[] = [
	null,
	true,
	-1.5e-7,
	1e21,
	"",
	"plain ~ text",
	'"quoted" and \\ escaped',
	"\b\t\n\f\r\0\x1f\x7f",
	"é€😀",
	"\ud800 half \udc00",
	[],
	{},
	[[], {}, [1, [2]], "é"],
	{ a: 1, "é\n": { b: [null, false] }, c: "x" },
];

for (const value of values)
	test(`the bytes of ${JSON.stringify(value)}`, () => {
		const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
		assert.equal(countJsonBytes(value, 1000), bytes);
	});

test("counting stops soon after the limit", () => {
	const list = Array.from({ length: 1000 }, () => "x".repeat(10));
	const bytes = countJsonBytes(list, 100);
	assert.ok(bytes > 100 && bytes < 120, `${bytes}`);
});
