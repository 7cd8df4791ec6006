import assert from "node:assert/strict";
import { test } from "node:test";
import { insertNode } from "../../src/pages/components/insert.ts";

const TEXT = `name: greet
triplets:
  - input >> then >> hello   # first
  - hello >> ON_SUCCESS >> note
config:
  hello:
    component: template
    text: "Hi"

# the end
options: { expose: true }
`;

test("adds a node with its settings after the last one", () => {
	assert.equal(
		insertNode(TEXT, "wait", "    component: wait\n    ms: 0"),
		`name: greet
triplets:
  - input >> then >> hello   # first
  - hello >> ON_SUCCESS >> note
  - note >> then >> wait
config:
  hello:
    component: template
    text: "Hi"
  wait:
    component: wait
    ms: 0

# the end
options: { expose: true }
`,
	);
});

test("numbers a name that is already used", () => {
	const text = insertNode(
		insertNode(TEXT, "template", "    component: template") ?? "",
		"template",
		"    component: template",
	);
	assert.match(text ?? "", /note >> then >> template_2\n {2}- template_2 >> then >> template_3/);
});

test("adds config if there is none", () => {
	const text = "name: x\ntriplets:\n  - input >> then >> a\n";
	assert.equal(
		insertNode(text, "wait", "    component: wait"),
		"name: x\ntriplets:\n  - input >> then >> a\n  - a >> then >> wait\nconfig:\n  wait:\n    component: wait\n",
	);
});

test("does not change a text that is not in block style", () => {
	assert.equal(insertNode('{"name": "x"}', "wait", "    component: wait"), null);
	assert.equal(insertNode("triplets: [a >> then >> b]\n", "wait", "    component: wait"), null);
	assert.equal(
		insertNode("triplets:\n  - input >> then >> a\nconfig: {}\n", "wait", "    component: wait"),
		null,
	);
});
