import assert from "node:assert/strict";
import { test } from "node:test";
import { withNode } from "../../src/pages/components/insert.ts";

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

test("a node comes after the last one, with its settings", () => {
	assert.equal(
		withNode(TEXT, "wait", "    component: wait\n    ms: 0"),
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

test("a name that is there already gets a number", () => {
	const text = withNode(
		withNode(TEXT, "template", "    component: template") ?? "",
		"template",
		"    component: template",
	);
	assert.match(text ?? "", /note >> then >> template_2\n {2}- template_2 >> then >> template_3/);
});

test("where there is no config, one is begun", () => {
	const text = "name: x\ntriplets:\n  - input >> then >> a\n";
	assert.equal(
		withNode(text, "wait", "    component: wait"),
		"name: x\ntriplets:\n  - input >> then >> a\n  - a >> then >> wait\nconfig:\n  wait:\n    component: wait\n",
	);
});

test("a text that is not written in lines is left to its author", () => {
	assert.equal(withNode('{"name": "x"}', "wait", "    component: wait"), null);
	assert.equal(withNode("triplets: [a >> then >> b]\n", "wait", "    component: wait"), null);
	assert.equal(
		withNode("triplets:\n  - input >> then >> a\nconfig: {}\n", "wait", "    component: wait"),
		null,
	);
});
