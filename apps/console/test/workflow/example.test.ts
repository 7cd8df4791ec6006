import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildExample } from "../../src/pages/workflow/run/example.ts";

describe("example for a JSON Schema", () => {
	it("has a value of each property's type", () =>
		assert.deepEqual(
			buildExample({
				type: "object",
				properties: {
					name: { type: "string" },
					mail: { type: "string", format: "email" },
					count: { type: "integer", minimum: 1 },
					tags: { type: "array", items: { type: "boolean" } },
					size: { type: "object", properties: { w: { type: "number" } } },
				},
			}),
			{ name: "", mail: "ada@example.com", count: 1, tags: [false], size: { w: 0 } },
		));

	it("uses examples and defaults of the schema", () =>
		assert.deepEqual(
			buildExample({
				properties: {
					a: { default: 7 },
					b: { examples: ["x"] },
					c: { enum: ["one", "two"] },
					d: { const: null },
				},
			}),
			{ a: 7, b: "x", c: "one", d: null },
		));

	it("follows references within the schema", () =>
		assert.deepEqual(
			buildExample({ properties: { a: { $ref: "#/$defs/a~1b" } }, $defs: { "a/b": { type: "string" } } }),
			{ a: "" },
		));

	it("stops at a recursive schema", () => {
		const example = buildExample({ type: "object", properties: { child: { $ref: "#" } } });
		assert.ok(JSON.stringify(example).length < 200);
	});

	it("joins the parts of allOf and takes the first of anyOf", () =>
		assert.deepEqual(
			buildExample({
				type: "object",
				allOf: [{ properties: { a: { type: "boolean" } } }],
				properties: { b: { anyOf: [{ type: "null" }, { type: "string" }] } },
			}),
			{ a: false, b: null },
		));

	it("is an object for any schema", () => assert.deepEqual(buildExample({ type: "string" }), {}));
});
