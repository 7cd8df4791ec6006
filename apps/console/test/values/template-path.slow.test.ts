import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReferenceParser } from "@tripline/engine/expressions/reference-syntax";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { buildNodeRoot, buildPath, buildTemplate, type Step } from "../../src/values/template-path.ts";

describe("path of a value as a template", () => {
	it("writes names, indexes and other keys", () =>
		assert.equal(
			buildTemplate(buildNodeRoot("fetch"), ["data", "items", 0, "first name"]),
			'{{fetch.data.items[0]["first name"]}}',
		));
	it("writes names in any script", () => assert.equal(buildTemplate("節點", ["名稱"]), "{{節點.名稱}}"));
	it("reads a node whose name is no identifier through nodes", () =>
		assert.equal(buildTemplate(buildNodeRoot("big orders"), [1]), '{{nodes["big orders"][1]}}'));
	it("reads a node through nodes if its name means something else", () =>
		assert.equal(buildNodeRoot("request"), 'nodes["request"]'));
	it("quotes a key of digits, which is no index", () =>
		assert.equal(buildTemplate("a", ["0"]), '{{a["0"]}}'));
	it("has none for keys that templates refuse", () => assert.equal(buildTemplate("a", ["__proto__"]), null));
	it("has none for a value that is too deep for a template", () =>
		assert.equal(buildTemplate("a", Array(63).fill("b")), null));
	it("starts without a dot if there is no root", () => assert.equal(buildPath("", ["a", "b"]), "a.b"));

	it("is read by the language as the same steps, whatever the keys are", () => {
		const key = fc.oneof(
			fc.nat(999_999_999),
			fc.string({ unit: anyCharacter }),
			fc.constantFrom("}}", '"', "\\", "\b\f\n", "a b"),
		);
		fc.assert(
			fc.property(fc.array<Step>(key, { maxLength: 10 }), (steps) => {
				const template = buildTemplate("node", steps);
				if (template === null) return;
				const { source } = new ReferenceParser(template, 2).reference(0);
				assert.ok(source.kind === "path");
				assert.deepEqual(
					source.steps.map((step) => step.key),
					["node", ...steps],
				);
			}),
		);
	});
});
