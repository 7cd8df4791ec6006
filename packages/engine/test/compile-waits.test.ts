import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSource } from "../src/compile.ts";
import { catalogue } from "./catalogue.ts";

const compile = (json: JsonObject) => compileSource({ json }, { catalogue, named: false });
const listDiagnostics = (json: JsonObject) =>
	compile(json).diagnostics.map(({ code, path, message }) => `${code} ${path}: ${message}`);

const set = (value: string): JsonObject => ({ component: "set", values: { value } });
const pause: JsonObject = { component: "wait", for: "1 day" };

/** A node that waits, two behind its ON_WAIT edge and one after it. */
const told = (triplets: readonly string[], config: JsonObject): JsonObject => ({
	triplets: ["pause >> ON_WAIT >> tell", "tell >> then >> note", "pause >> then >> done", ...triplets],
	config: { pause, tell: set("a"), note: set("b"), done: set("c"), ...config },
});

describe("ON_WAIT", () => {
	test("has aliases, and is the same as a graph", () => {
		const { definition } = compile(told([], {}));
		for (const relation of ["on_wait", "while waiting", "While  Waiting", "等待時"]) {
			const document = told([], {});
			const triplets = (document.triplets as string[]).map((line) => line.replace("ON_WAIT", relation));
			assert.deepEqual(compile({ ...document, triplets }).definition?.graph, definition?.graph, relation);
		}
		assert.deepEqual(
			compile({ graph: definition?.graph as unknown as JsonObject }).definition?.graph,
			definition?.graph,
		);
	});

	test("follows only a node that may wait", () => {
		assert.deepEqual(listDiagnostics(told([], { pause: { component: "wait", ms: 5 } })), [
			'bad_edge triplets.0: "pause" never waits, so ON_WAIT cannot follow it',
		]);
	});

	test("lets the nodes behind it read when the wait ends, and no others", () => {
		const read = "{{pause.expires_at}} {{pause.url}}";
		assert.deepEqual(listDiagnostics(told([], { tell: set(read), note: set(read) })), []);
		assert.deepEqual(listDiagnostics(told([], { note: set("{{pause.other}}") })), [
			'missing_field config.note.values.value: "pause" has no "other"; it has url, expires_at',
		]);
		assert.deepEqual(listDiagnostics(told([], { done: set("{{pause}}") })), []);
	});

	test("makes a node that is reached both ways unable to read the node that waits, but not others", () => {
		const both = ["note >> then >> done"];
		assert.deepEqual(listDiagnostics(told(both, { done: set("{{pause}}") })), [
			'unreachable_reference config.done.values.value: "done" runs after "pause" and while it waits, so it is not known what it would read of it',
		]);
		// A wait until a time that has passed takes no ON_WAIT edge.
		assert.deepEqual(listDiagnostics(told(both, { done: set("{{note}}") })), [
			'may_be_skipped config.done.values.value: "note" may have been skipped by then, and has no value in that case',
		]);
	});

	test("reaches into loops behind it", () => {
		const loop = ["note >> FOREACH item >> each"];
		const config = { each: set("{{pause.expires_at}}") };
		assert.deepEqual(listDiagnostics(told(loop, config)), []);
	});

	test("keeps each waiting node's own value apart, and its nodes out of the result", () => {
		const { plan } = compile({
			triplets: [
				"one >> ON_WAIT >> tell one",
				"one >> then >> two",
				"two >> ON_WAIT >> tell two",
				"tell two >> then >> last",
				"two >> then >> last",
			],
			config: {
				one: pause,
				two: pause,
				"tell one": set("{{one.expires_at}}"),
				"tell two": set("{{two.expires_at}} {{one}}"),
				last: set("x"),
			},
		});
		const byId = new Map(plan?.nodes.map((node) => [node.id, node]));
		const slots = ["one", "two"].map((id) => byId.get(id)?.waitSlot);
		assert.deepEqual([...slots].sort(), [5, 6]);
		const asides = plan?.nodes.filter(({ isAside }) => isAside).map(({ id }) => id);
		assert.deepEqual(asides?.sort(), ["tell one", "tell two"]);
	});
});
