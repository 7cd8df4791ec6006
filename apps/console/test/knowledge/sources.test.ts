import assert from "node:assert/strict";
import { test } from "node:test";
import { listSources } from "../../src/pages/knowledge/sources.ts";
import { safeLink } from "../../src/safe-link.ts";

const nowhere = { anchor: null, block: null, version: null };

test("finds sources under common metadata names", () => {
	const uris = listSources({
		source: "https://a.example",
		sources: ["letter:17", 3],
		url: "https://b.example",
		tags: ["x"],
	});
	assert.deepEqual(
		uris.map(({ uri }) => uri),
		["https://a.example", "letter:17", "https://b.example"],
	);
});

test("includes the anchor and version of a triplet's source", () => {
	assert.deepEqual(
		listSources({ source_uri: "wiki:ada", source_anchor: "#career", block_id: "b1", content_hash: "v2" }),
		[{ uri: "wiki:ada", anchor: "#career", block: "b1", version: "v2" }],
	);
});

test("accepts a source object and removes duplicates", () => {
	assert.deepEqual(listSources({ source: { uri: "wiki:ada" }, sources: [{ url: "wiki:ada" }, {}] }), [
		{ uri: "wiki:ada", ...nowhere },
	]);
});

test("allows only http and https links", () => {
	assert.equal(safeLink("https://example.com/人物"), "https://example.com/%E4%BA%BA%E7%89%A9");
	for (const uri of ["javascript:alert(1)", "data:text/html,x", "wiki:people/ada", "/local", ""])
		assert.equal(safeLink(uri), null);
});
