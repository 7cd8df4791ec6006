import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileDocument } from "./run/run-document.ts";

const give = (value: string): JsonObject => ({ component: "give", value });
const repeat = (until = "true"): JsonObject => ({ component: "repeat", until });

const listDiagnostics = (json: JsonObject) =>
	compileDocument(json).diagnostics.map(({ code, path, message }) => `${code} ${path}: ${message}`);

const findHint = (json: JsonObject) => compileDocument(json).diagnostics[0]?.hint;

const poll = {
	triplets: ["poll >> REPEAT turn >> step", "poll >> then >> after"],
	config: { poll: repeat(), step: give("a"), after: give("b") },
};

describe("REPEAT", () => {
	test("has aliases, and is the same as a graph", () => {
		const graph = compileDocument(poll).definition?.graph;
		for (const relation of ["repeat turn", "Repeat  turn", "重複 turn", "重複turn"]) {
			const triplets = [`poll >> ${relation} >> step`, "poll >> then >> after"];
			assert.deepEqual(compileDocument({ ...poll, triplets }).definition?.graph, graph, relation);
		}
		for (const edge of [{ on: "REPEAT", as: "turn" }, { on: "REPEAT turn" }, { on: "重複", as: "turn" }]) {
			const written = {
				...graph,
				edges: [
					{ from: "poll", to: "step", ...edge },
					{ from: "poll", to: "after" },
				],
			};
			assert.deepEqual(compileDocument({ graph: written as unknown as JsonObject }).definition?.graph, graph);
		}
	});

	test("needs a name that hides nothing", () => {
		const named = (name: string) => ({
			...poll,
			triplets: [`poll >> REPEAT ${name} >> step`, "poll >> then >> after"],
		});
		assert.deepEqual(listDiagnostics(named("")), [
			"bad_triplet triplets.0: REPEAT needs a name for the turn",
		]);
		for (const name of ["input", "my turn", "after", "1"])
			assert.match(listDiagnostics(named(name)).join(), /^reserved_name triplets.0: the REPEAT name/);
		assert.deepEqual(
			listDiagnostics({
				triplets: ["poll >> REPEAT turn >> step", "poll >> then >> turn_last"],
				config: { poll: repeat(), step: give("a"), turn_last: give("b") },
			}),
			['reserved_name triplets.0: the REPEAT name "turn" hides the node "turn_last"'],
		);
		const nested = (outer: string, inner: string) => ({
			triplets: [`list >> ${outer} >> poll`, `poll >> ${inner} >> step`, "list >> then >> after"],
			config: { list: give("{{input.list}}"), poll: repeat(), step: give("a"), after: give("b") },
		});
		assert.match(listDiagnostics(nested("FOREACH x_last", "REPEAT x")).join(), /^reserved_name triplets.1/);
		assert.deepEqual(listDiagnostics(nested("FOREACH x", "REPEAT x_index")).length, 1);
		assert.deepEqual(listDiagnostics(nested("FOREACH x", "REPEAT y")), []);
	});

	test("follows only a repeat node, which has exactly one", () => {
		assert.deepEqual(listDiagnostics({ ...poll, config: { ...poll.config, poll: give("a") } }), [
			'bad_edge triplets.0: REPEAT cannot follow "poll", which is a "give"',
		]);
		const alone = { triplets: ["poll >> then >> after"], config: { poll: repeat(), after: give("b") } };
		assert.deepEqual(listDiagnostics(alone), [
			'bad_edge triplets.0: "poll" repeats nothing: it has no REPEAT edge',
		]);
		assert.match(findHint(alone) ?? "", /poll >> REPEAT turn >> /);
		assert.deepEqual(
			listDiagnostics({
				triplets: [...poll.triplets, "poll >> REPEAT again >> other"],
				config: { ...poll.config, other: give("c") },
			}),
			['bad_edge triplets.2: "poll" has more than one REPEAT edge'],
		);
		assert.deepEqual(
			listDiagnostics({
				triplets: [...poll.triplets, "poll >> FOREACH one >> other"],
				config: { ...poll.config, other: give("c") },
			}),
			['bad_edge triplets.2: FOREACH cannot follow "poll", whose output is not a list'],
		);
		assert.match(
			listDiagnostics({ triplets: ["input >> REPEAT turn >> step"], config: { step: give("a") } }).join(),
			/^bad_edge triplets.0: the trigger has no output/,
		);
	});

	test("does not report a missing edge that could not be read", () => {
		assert.deepEqual(
			listDiagnostics({
				triplets: ["poll >> REPEET turn >> step", "poll >> then >> after"],
				config: poll.config,
			}),
			['unknown_relation triplets.0: unknown relation "REPEET turn"'],
		);
	});

	test("has a body that is reached only through its edge", () => {
		const leak = { ...poll, triplets: [...poll.triplets, "step >> then >> after"] };
		assert.deepEqual(listDiagnostics(leak), [
			'loop_leak triplets.2: "after" is reached from "step" inside the loop "poll >> REPEAT turn" and also from outside it',
		]);
		assert.match(findHint(leak) ?? "", /only through its REPEAT edge/);
	});
});

describe("a name of a REPEAT", () => {
	const reading = (node: "step" | "after" | "list", text: string, until = "true") => ({
		triplets: ["poll >> REPEAT turn >> list", "list >> FOREACH x >> step", "poll >> then >> after"],
		config: {
			poll: repeat(until),
			list: give("{{input.list}}"),
			step: give("a"),
			after: give("b"),
			[node]: give(text),
		},
	});

	test("is known in its body only", () => {
		assert.deepEqual(
			listDiagnostics(reading("step", "{{turn}} {{turn_last.step}} {{turn_last.list[0]}}")),
			[],
		);
		assert.deepEqual(listDiagnostics(reading("list", '{{turn_last["list"] | default("")}}')), []);
		for (const text of ["{{turn}}", "{{turn_last.step}}"])
			assert.match(
				listDiagnostics(reading("after", text)).join(),
				/unreachable_reference config.after.value: "turn(_last)?" is available only inside the loop "poll >> REPEAT turn"/,
			);
		assert.match(listDiagnostics(reading("step", "{{turn_index}}")).join(), /unknown_reference/);
	});

	test("with _last is followed by a node of the body", () => {
		assert.deepEqual(listDiagnostics(reading("step", "{{turn_last}}")), [
			"bad_template config.step.value: the node's name is missing",
		]);
		assert.deepEqual(listDiagnostics(reading("step", "{{turn_last.after}}")), [
			'unknown_reference config.step.value: "after" is not a node of the loop "poll >> REPEAT turn"',
		]);
		assert.equal(findHint(reading("step", "{{turn_last.lst}}")), 'Did you mean "list"?');
		assert.deepEqual(listDiagnostics(reading("step", "a", "turn_last.nobody == 1")), [
			'unknown_reference config.poll.until: "nobody" is not a node of the loop "poll >> REPEAT turn"',
		]);
		assert.match(
			listDiagnostics(reading("step", "a", "turn_last == null")).join(),
			/the node's name is missing/,
		);
	});

	test("and the nodes of the body are known in until, and what came before the loop", () => {
		const until = (expression: string) =>
			listDiagnostics({
				triplets: ["first >> then >> poll", ...poll.triplets],
				config: { ...poll.config, first: give("a"), poll: repeat(expression) },
			});
		assert.deepEqual(until('turn > 1 && step == first && nodes["step"] == "x" && has(turn_last.step)'), []);
		assert.match(until("after == 1").join(), /unreachable_reference config.poll.until/);
		assert.match(until("poll.turns == 1").join(), /unreachable_reference config.poll.until/);
		assert.match(until("stpe == 1").join(), /unknown_reference config.poll.until/);
		assert.match(until("credential.a == 1").join(), /credential_not_allowed config.poll.until/);
		assert.match(until("{{turn}} == 1").join(), /bad_expression config.poll.until/);
	});
});
