import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cliProofs } from "./cli-proofs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const proofs = Object.entries(cliProofs);

test("every test that proves a requirement of the command line is there", () => {
	const missing = proofs.flatMap(([id, tests]) =>
		tests.filter(({ file, title }) => !hasTest(root + file, title)).map((each) => ({ id, ...each })),
	);
	assert.deepEqual(missing, []);
});

test("every requirement of the command line is proven", (context) => {
	context.diagnostic(`cli: ${proofs.length} requirements`);
	assert.deepEqual(
		proofs.filter(([, tests]) => tests.length === 0),
		[],
	);
});

/** A title in a table of cases counts too. */
function hasTest(path: string, title: string): boolean {
	if (!existsSync(path) || !path.endsWith(".test.ts")) return false;
	const text = readFileSync(path, "utf8");
	const isSkipped = new RegExp(`(?:test|it)\\.(?:skip|todo)\\(\\s*${RegExp.escape(JSON.stringify(title))}`);
	return text.includes(JSON.stringify(title)) && !isSkipped.test(text);
}
