import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileDocument } from "./run/run-document.ts";

const give = (value: Json, more: JsonObject = {}): JsonObject => ({ component: "give", value, ...more });

function listWarnings(triplets: string[], config: { [node: string]: JsonObject }, more: JsonObject = {}) {
	const { plan, diagnostics } = compileDocument({ triplets, config, ...more });
	assert.ok(plan !== null, JSON.stringify(diagnostics));
	return diagnostics.map(({ severity, code, path, message, hint }) => {
		assert.equal(severity, "warning");
		return [code, path, message, hint];
	});
}

const loop = ["orders >> FOREACH o >> price", "orders >> then >> sum"];
const nodes = {
	orders: give("{{input.orders}}"),
	price: give("{{o.price}}"),
	sum: give("{{price}}"),
};

describe("loop settings", () => {
	test("have no effect on a node that starts no loop", () => {
		assert.deepEqual(listWarnings(loop, { ...nodes, sum: give("x", { concurrency: 2 }) }), [
			[
				"no_effect",
				"config.sum.concurrency",
				'concurrency has no effect on "sum": it starts no FOREACH loop',
				undefined,
			],
		]);
		assert.deepEqual(listWarnings(loop, { ...nodes, price: give("{{o}}", { on_item_error: "collect" }) }), [
			[
				"no_effect",
				"config.price.on_item_error",
				'on_item_error has no effect on "price": it starts no FOREACH loop',
				'Set it on "orders", which starts the loop',
			],
		]);
		const settings = { concurrency: 2, on_item_error: "collect" };
		assert.deepEqual(listWarnings(loop, { ...nodes, orders: give("{{input.orders}}", settings) }), []);
	});

	test("and settings of an attempt have no effect on a repeat node", () => {
		const poll = {
			component: "repeat",
			until: "true",
			retry: { max: 1 },
			timeout_ms: 10,
			on_item_error: "stop",
		};
		const warnings = listWarnings(["poll >> REPEAT t >> step", "poll >> then >> end"], {
			poll,
			step: give("{{t}}"),
			end: give(1),
		});
		assert.deepEqual(
			warnings.map(([code, path]) => `${code} ${path}`),
			[
				"no_effect config.poll.retry",
				"no_effect config.poll.timeout_ms",
				"no_effect config.poll.on_item_error",
			],
		);
	});
});

describe("a node in a loop", () => {
	const warns = (triplets: string[], config: { [node: string]: JsonObject }) =>
		listWarnings([...loop, ...triplets], { ...nodes, ...config }).map(([code, path]) => `${code} ${path}`);

	test("that uses nothing of the element runs once for each", () => {
		assert.deepEqual(
			listWarnings([...loop, "price >> then >> report"], { ...nodes, report: give("to {{input.mail}}") }),
			[
				[
					"runs_for_each",
					"triplets.2",
					'"report" runs once for each element of "orders >> FOREACH o", but uses nothing of the element',
					"To run it once after the loop, write orders >> ON_SUCCESS >> report",
				],
			],
		);
		assert.deepEqual(
			warns(["price >> then >> report", "report >> then >> mail"], {
				report: give("done"),
				mail: give("{{report}}"),
			}),
			["runs_for_each triplets.2"],
		);
	});

	test("is meant for each element if it uses the element, a node of the body, or a branch leads to it", () => {
		assert.deepEqual(warns(["price >> then >> line"], { line: give("{{o_index}}") }), []);
		assert.deepEqual(warns(["price >> then >> line"], { line: give("{{price}}") }), []);
		assert.deepEqual(warns(["price >> then >> line"], { line: give('{{nodes["price"]}}') }), []);
		assert.deepEqual(warns(["price >> ON_FAIL >> line"], { line: give("no price") }), []);
		assert.deepEqual(
			warns(["price >> if true >> line", "line >> then >> log"], { line: give("yes"), log: give("logged") }),
			[],
		);
	});

	test("is meant for each element if a later node of the body uses the element, or if it only pauses", () => {
		assert.deepEqual(
			warns(["price >> then >> token", "token >> then >> send"], {
				token: give("{{input.token}}"),
				send: give("{{o}} {{token}}"),
			}),
			[],
		);
		for (const nap of [
			{ component: "pause", ms: 5 },
			{ component: "wait", for: "1 hour" },
		])
			assert.deepEqual(warns(["price >> then >> nap"], { nap }), []);
	});

	test("of a REPEAT may do the same in each turn", () => {
		assert.deepEqual(
			listWarnings(["poll >> REPEAT t >> ask", "ask >> then >> log", "poll >> then >> end"], {
				poll: { component: "repeat", until: "true" },
				ask: give("x"),
				log: give("y"),
				end: give("z"),
			}),
			[],
		);
	});
});

describe("a run that ends in a loop", () => {
	test("has no useful data without a result", () => {
		const alone = ["orders >> FOREACH o >> price", "price >> then >> my line"];
		const config = { orders: nodes.orders, price: nodes.price, "my line": give("{{price}}") };
		assert.deepEqual(listWarnings(alone, config), [
			[
				"ends_in_loop",
				"triplets.0",
				'the run ends in the loop "orders >> FOREACH o", so it returns only the list of its elements',
				`Set result, such as result: '{{nodes["my line"]}}'`,
			],
		]);
		assert.deepEqual(listWarnings(alone, config, { result: "{{price}}" }), []);
		assert.match(
			String(
				listWarnings(["poll >> REPEAT t >> ask"], {
					poll: { component: "repeat", until: "true" },
					ask: give("x"),
				}),
			),
			/returns only the number of its turns/,
		);
	});

	test("is not meant if another node ends the run too", () => {
		assert.deepEqual(listWarnings([...loop, "input >> then >> other"], { ...nodes, other: give(1) }), []);
		assert.deepEqual(
			listWarnings(["orders >> FOREACH o >> price", "other >> then >> end"], {
				orders: nodes.orders,
				price: nodes.price,
				other: give(1),
				end: give(2),
			}),
			[],
		);
	});
});
