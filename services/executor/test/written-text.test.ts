import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addText, readText } from "../src/domain/written-text.ts";

const stored = {
	name: "w",
	description: "d",
	metadata: '{"graph":{"nodes":[]},"config":{"__proto__":1,"2":3}}',
};
const TEXT = "# why\nname: w\n";

describe("the original text of a workflow", () => {
	test("is stored beside the document and returned unchanged", async () => {
		const metadata = await addText(stored, TEXT);
		assert.ok(metadata !== null);
		assert.deepEqual(JSON.parse(metadata).graph, { nodes: [] });
		assert.equal(await readText({ ...stored, metadata }), TEXT);
	});

	test("is not returned for a changed document", async () => {
		const metadata = (await addText(stored, TEXT)) ?? "";
		const changed = metadata.replace('"nodes":[]', '"nodes":[1]');
		assert.notEqual(changed, metadata);
		for (const other of [
			{ ...stored, metadata: changed },
			{ ...stored, metadata, name: "other" },
			{ ...stored, metadata, description: "other" },
			stored,
			{ ...stored, metadata: "{" },
			{ ...stored, metadata: "null" },
			{ ...stored, metadata: '{"yaml":{"text":5}}' },
			{ ...stored, metadata: '{"yaml":7}' },
		]) {
			assert.equal(await readText(other), null, JSON.stringify(other));
		}
	});

	test("is dropped if it cannot be stored", async () => {
		assert.equal(await addText(stored, "# \0"), null);
		assert.equal(await addText(stored, "#".repeat(1_000_000)), null);
	});
});
