import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { getPinUse, toPinned } from "../../src/pins/pin-use.ts";
import { forgetAllPins, isPins, removePin, setPin } from "../../src/pins/pins.ts";

const pins = [
	{ node: "a", output: 1 },
	{ node: "b", output: null },
];

describe("pinned outputs", () => {
	test("a new one comes last, and one of the same node is replaced in its place", () => {
		assert.deepEqual(setPin(pins, "c", [3]), [...pins, { node: "c", output: [3] }]);
		assert.deepEqual(setPin(pins, "a", 2), [{ node: "a", output: 2 }, pins[1]]);
	});

	test("one is removed by its node", () => {
		assert.deepEqual(removePin(pins, "a"), [pins[1]]);
		assert.deepEqual(removePin(pins, "c"), pins);
	});

	test("are sent by node, whatever its name", () => {
		assert.equal(JSON.stringify(toPinned(pins)), '{"a":1,"b":null}');
		assert.equal(JSON.stringify(toPinned([{ node: "__proto__", output: 1 }])), '{"__proto__":1}');
	});

	test("what is stored is used only if it has their form", () => {
		assert.ok(isPins(pins));
		for (const value of [null, {}, [null], [{ node: 1, output: 1 }], [{ node: "a" }]])
			assert.ok(!isPins(value), JSON.stringify(value));
	});

	test("logging out deletes those of all workflows and nothing else", () => {
		const kept = { "tripline.theme": "dark", "tripline.pins.a/b": "[]", "tripline.pins.a/c": "[]" };
		const storage = Object.defineProperty({ ...kept } as Record<string, unknown>, "removeItem", {
			value(this: Record<string, unknown>, key: string) {
				delete this[key];
			},
		});
		forgetAllPins(storage as unknown as Storage);
		assert.deepEqual(Object.keys(storage), ["tripline.theme"]);
	});
});

describe("what a test run takes", () => {
	const node = (id: string) => ({ id, component: "set", params: {} });
	const graph: Parameters<typeof getPinUse>[1] = {
		nodes: [node("again"), node("ask"), node("list"), node("each")],
		edges: [
			{ from: "again", to: "ask", on: "REPEAT" },
			{ from: "list", to: "each", on: "FOREACH" },
		],
	};

	test("is the output of a node of the text, also in a loop", () => {
		for (const id of ["ask", "list", "each"]) assert.equal(getPinUse(id, graph), "used");
	});

	test("is not that of a node which the text no longer has", () => {
		assert.equal(getPinUse("gone", graph), "missing");
	});

	test("is that of a step of an agent, which has the name of a tool of the text", () => {
		const tools = [{ workflow: "order status" }, { component: "kb.find", name: "find" }, null, { name: 7 }];
		const nodes = [
			{ id: "a/b", component: "agent", params: { tools, approve: ["find"] } },
			{ id: "set", component: "set", params: { tools } },
		];
		const use = (name: string) => getPinUse(name, { nodes, edges: [] });
		for (const step of ["model", "workflows", "approval", "order_status", "find"])
			assert.equal(use(`a/b/${step}`), "used", step);
		for (const name of ["a/b/kb_find", "a/find", "set/find", "find", "a/b/"])
			assert.equal(use(name), "missing", name);
	});

	test("is not that of a node which repeats others", () => {
		assert.equal(getPinUse("again", graph), "repeats");
	});

	test("is everything as long as the graph is not known: the service refuses what it does not have", () => {
		assert.equal(getPinUse("gone", null), "used");
	});
});
