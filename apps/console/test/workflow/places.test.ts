import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
	findName,
	findNodeLine,
	replaceCredential,
	replaceName,
} from "../../src/pages/workflow/text/places.ts";

describe("workflow name in a text", () => {
	const cases: readonly [string, string | null][] = [
		["name: greet", "greet"],
		['description: x\nname: "a # b" # why', "a # b"],
		["name: 'it''s'", "it's"],
		["name: tidy up # daily", "tidy up"],
		["name: 每日", "每日"],
		["name:", null],
		["config:\n  name: x", null],
		["", null],
	];
	for (const [text, name] of cases)
		it(`of ${JSON.stringify(text)} is ${JSON.stringify(name)}`, () => assert.equal(findName(text), name));
});

describe("line of a node", () => {
	const text = `name: x
triplets:
  - input >> then >> only here
  - big orders >> then >> total
config:
  # total: not this
  big orders:
    component: set
    total: { a: 1 }
  "total": { component: set }
context: {}
`;
	it("is the line of its settings", () => assert.equal(findNodeLine(text, "big orders"), 7));
	it("is the line of the first triplet without settings", () =>
		assert.equal(findNodeLine(text, "only here"), 3));
	it("is null for an unknown node", () => assert.equal(findNodeLine(text, "context"), null));
	it("is the line of its id in a list of nodes", () =>
		assert.equal(findNodeLine("nodes:\n  - { id: a, component: set }\n  - id: 'b c'\n", "b c"), 3));
	it("is never the line of a parameter of the same name", () =>
		assert.equal(findNodeLine(text, "total"), 10));
});

it("replaces the name in the text, and nothing else", () => {
	assert.equal(
		replaceName("# a\nname: old # note\nversion: '1'\n", "new one"),
		"# a\nname: new one\nversion: '1'\n",
	);
	assert.equal(replaceName('"name": old\n', "a: b"), '"name": "a: b"\n');
	assert.equal(replaceName("name: x\n", "on"), 'name: "on"\n');
	assert.equal(replaceName("name: x\n", "晨報 1"), "name: 晨報 1\n");
	assert.equal(replaceName("version: '1'\n", "any"), "version: '1'\n");
	for (const name of ['say "hi"', "#1", "-", "[x]", "null", "5", "1e3", "a #b"])
		assert.equal(findName(replaceName("name: x", name)), name);
});

describe("credential of a node", () => {
	const cases: readonly [before: string, after: string | null][] = [
		["  a:\n    component: x\n    url: y\n", "  a:\n    component: x\n    credential: mine\n    url: y\n"],
		[
			"  a: # note\n    credential: old # why\n    component: x\n",
			"  a: # note\n    credential: mine\n    component: x\n",
		],
		[
			"  a:\n      component: x\n  b:\n    credential: b\n",
			"  a:\n      component: x\n      credential: mine\n  b:\n    credential: b\n",
		],
		[
			"  a:\n    component: x\n    body:\n      credential: no\n",
			"  a:\n    component: x\n    credential: mine\n    body:\n      credential: no\n",
		],
		["  a: { component: x }\n", "  a: { component: x, credential: mine }\n"],
		["  a: {component: x, url: y} # note\n", "  a: {component: x, credential: mine, url: y} # note\n"],
		["  a: { credential: 'it is', component: x }\n", "  a: { credential: mine, component: x }\n"],
		["  b:\n    component: x\n", null],
		["  a: *shared\n", null],
		["  a:\n", null],
		["  a: {\n    component: x }\n", null],
	];
	for (const [before, after] of cases)
		it(`is set in ${JSON.stringify(before)}`, () => {
			const wanted = after === null ? null : `config:\n${after}`;
			assert.equal(replaceCredential(`config:\n${before}`, "a", "mine"), wanted);
		});

	it("is quoted where YAML needs it", () => {
		assert.equal(
			replaceCredential("config:\n  a: { component: x }", "a", "a, b"),
			'config:\n  a: { component: x, credential: "a, b" }',
		);
		assert.equal(
			replaceCredential("config:\n  a:\n    component: x", "a", "$& 1"),
			'config:\n  a:\n    component: x\n    credential: "$& 1"',
		);
	});

	it("is not looked for outside the config", () => {
		assert.equal(replaceCredential("triplets:\n  - a >> then >> b\n", "a", "mine"), null);
	});
});
