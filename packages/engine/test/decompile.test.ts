import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { decompile } from "../src/decompile.ts";
import { readSource } from "../src/source.ts";
import { document } from "./documents.ts";

const read = (json: unknown) => {
	const { definition, diagnostics } = readSource({ json }, { named: false });
	assert.deepEqual(diagnostics, []);
	assert.ok(definition !== null);
	return definition;
};

describe("a decompiled definition", () => {
	test("is read back as the same definition, also after JSON serialisation", () => {
		fc.assert(
			fc.property(document, (document) => {
				const plain: unknown = JSON.parse(JSON.stringify(document));
				const definition = read(plain);
				const travelled: unknown = JSON.parse(JSON.stringify(decompile(definition)));
				assert.deepEqual(read(travelled), definition);
			}),
			{ numRuns: 300 },
		);
	});

	test("has the fields in the usual order", () => {
		const definition = read({
			name: "orders",
			nodes: [
				{ id: "fetch", component: "http_request", params: { url: "https://example.com" }, retry: { max: 2 } },
				{ id: "set" },
			],
			edges: [
				{ from: "fetch", to: "set", on: "CASE", value: "paid" },
				{ from: "fetch", to: "set", on: "FOREACH", as: "order" },
			],
		});
		assert.deepEqual(decompile(definition), {
			name: "orders",
			triplets: ["fetch >> CASE paid >> set", "fetch >> FOREACH order >> set"],
			config: { fetch: { component: "http_request", retry: { max: 2 }, url: "https://example.com" } },
		});
	});
});
