import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { compileSource } from "../src/compile.ts";
import type { Frame } from "../src/frame.ts";
import { MAX_NODE_UNITS, Meter } from "../src/meter.ts";
import { catalogue } from "./catalogue.ts";

/** All nodes are `set`; `reads` gives a node the template it evaluates. */
function flow(triplets: readonly string[], reads: Readonly<Record<string, string>> = {}) {
	const names = triplets.flatMap((triplet) => triplet.split(" >> ").filter((_, part) => part !== 1));
	const nodes = names.filter((name) => name !== "input");
	const config = Object.fromEntries(
		nodes.map((name) => [name, { component: "set", ...(reads[name] && { values: { it: reads[name] } }) }]),
	);
	return compileSource({ json: { triplets, config } }, { named: false, catalogue });
}

const listErrors = ({ diagnostics }: ReturnType<typeof flow>) =>
	diagnostics.filter(({ severity }) => severity === "error");

const listDiagnostics = (result: ReturnType<typeof flow>) =>
	listErrors(result).map(({ code, path }) => `${code} ${path}`);

function getPlan(result: ReturnType<typeof flow>) {
	assert.deepEqual(listErrors(result), []);
	assert.ok(result.plan !== null);
	return result.plan;
}

const listIds = (plan: ReturnType<typeof getPlan>, places: readonly number[]) =>
	places.map((place) => plan.nodes[place]?.id).sort();

const nested = [
	"list >> FOREACH row >> split",
	"split >> then >> cells",
	"cells >> FOREACH cell >> clean",
	"clean >> then >> store",
	"cells >> then >> joined",
	"list >> then >> report",
];

describe("a FOREACH body", () => {
	test("is the nodes that only its edge leads to, also when nested", () => {
		const plan = getPlan(flow(nested));
		assert.deepEqual(listIds(plan, plan.region.members), ["list", "report"]);
		const [rows] = plan.nodes.find(({ id }) => id === "list")?.loops ?? [];
		const [cells] = plan.nodes.find(({ id }) => id === "cells")?.loops ?? [];
		assert.ok(rows !== undefined && cells !== undefined);
		assert.deepEqual([rows.name, cells.name], ["row", "cell"]);
		assert.deepEqual(listIds(plan, rows.body.members), ["cells", "joined", "split"]);
		assert.deepEqual(listIds(plan, rows.body.starts), ["split"]);
		assert.deepEqual(listIds(plan, rows.all), ["cells", "clean", "joined", "split", "store"]);
		assert.deepEqual(listIds(plan, cells.body.members), ["clean", "store"]);
		assert.deepEqual(
			plan.nodes.filter(({ incoming }) => incoming === 0).map(({ id }) => id),
			["list", "split", "clean"],
		);
		assert.deepEqual(
			plan.nodes.find(({ id }) => id === "cells")?.edges.map(({ to }) => plan.nodes[to]?.id),
			["joined"],
		);
	});

	test("cannot be entered or left by another edge", () => {
		assert.deepEqual(
			listDiagnostics(flow(["list >> FOREACH x >> a", "a >> then >> b", "list >> then >> b"])),
			["loop_leak triplets.1"],
		);
		assert.deepEqual(listDiagnostics(flow(["list >> FOREACH x >> a", "input >> then >> a"])), [
			"loop_leak triplets.0",
		]);
		assert.deepEqual(listDiagnostics(flow(["list >> FOREACH x >> a", "list >> FOREACH y >> a"])), [
			"loop_leak triplets.0",
			"loop_leak triplets.1",
		]);
		assert.deepEqual(
			listDiagnostics(
				flow(["list >> FOREACH x >> a", "list >> FOREACH y >> b", "a >> then >> c", "b >> then >> c"]),
			),
			["loop_leak triplets.2", "loop_leak triplets.3"],
		);
		assert.deepEqual(listDiagnostics(flow([...nested, "store >> then >> joined"])), ["loop_leak triplets.6"]);
		const [leak] = flow(["list >> FOREACH x >> a", "a >> then >> b", "list >> then >> b"]).diagnostics;
		assert.match(leak?.hint ?? "", /list >> ON_SUCCESS >> b/);
	});

	test("has an element name that templates can read and that hides nothing", () => {
		const listForName = (name: string) => listDiagnostics(flow([`list >> FOREACH ${name} >> a`]));
		assert.deepEqual(listForName("訂單"), []);
		for (const name of ["input", "nodes", "my item", "1st", "a", "list"]) {
			assert.deepEqual(listForName(name), ["reserved_name triplets.0"], name);
		}
		assert.deepEqual(listDiagnostics(flow(["list >> FOREACH x >> a", "a >> FOREACH x >> b"])), [
			"reserved_name triplets.1",
		]);
		assert.deepEqual(listDiagnostics(flow(["list >> FOREACH x >> a", "a >> FOREACH x_index >> b"])), [
			"reserved_name triplets.1",
		]);
		assert.deepEqual(listDiagnostics(flow(["list >> FOREACH x >> x_index"])), ["reserved_name triplets.0"]);
		assert.deepEqual(listDiagnostics(flow(["list >> FOREACH x >> a", "list >> FOREACH x >> b"])), []);
	});

	test("is correct in any graph", () => {
		const link = fc.record({ from: fc.nat(5), to: fc.nat(5), loop: fc.boolean() });
		fc.assert(
			fc.property(
				fc.array(link, { minLength: 1, maxLength: 12 }),
				fc.array(fc.nat(5), { maxLength: 1 }),
				(links, inputs) => {
					const edges = new Map<string, Edge>();
					for (const { from, to, loop } of links) {
						if (from < to) edges.set(`${from} ${to}`, { from: `n${from}`, to: `n${to}`, loop });
					}
					const list = [...edges.values()];
					const roots = inputs
						.map((place) => `n${place}`)
						.filter((id) => list.some(({ from, to }) => id === from || id === to));
					if (list.length > 0) checkAgainstRemoval(list, [...new Set(roots)]);
				},
			),
			{ numRuns: 1000 },
		);
	});
});

interface Edge {
	readonly from: string;
	readonly to: string;
	readonly loop: boolean;
}

/** The definition, literally: the body is what cannot be reached once the FOREACH edge is removed. */
function checkAgainstRemoval(edges: readonly Edge[], roots: readonly string[]): void {
	const nodes = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
	const starts = [...roots, ...nodes.filter((id) => !edges.some(({ to }) => to === id))];
	const removeEdge = (removed: Edge) => {
		const reached = new Set(starts);
		for (const id of reached) {
			for (const edge of edges) if (edge !== removed && edge.from === id) reached.add(edge.to);
		}
		return new Set(nodes.filter((id) => !reached.has(id)));
	};
	const bodies = new Map(edges.filter(({ loop }) => loop).map((edge) => [edge, removeEdge(edge)]));
	const leaks = edges.filter(
		(edge) =>
			(edge.loop && !bodies.get(edge)?.has(edge.to)) ||
			[...bodies.values()].some((body) => body.has(edge.from) && !body.has(edge.to)),
	);
	const triplets = [
		...edges.map(({ from, to, loop }, index) => `${from} >> ${loop ? `FOREACH e${index}` : "then"} >> ${to}`),
		...roots.map((id) => `input >> then >> ${id}`),
	];
	const result = flow(triplets);
	assert.deepEqual(
		listDiagnostics(result).sort(),
		leaks.map((edge) => `loop_leak triplets.${edges.indexOf(edge)}`).sort(),
	);
	if (result.plan === null) return;
	const { plan } = result;
	for (const [edge, body] of bodies) {
		const name = `e${edges.indexOf(edge)}`;
		const loop = plan.nodes.flatMap(({ loops }) => loops).find((loop) => loop.name === name);
		assert.deepEqual(listIds(plan, loop?.all ?? []), [...body].sort());
	}
}

describe("a reference", () => {
	const reading = (node: string, text: string) => flow(nested, { [node]: text });
	const roots = { input: {}, context: {}, workflow: {}, execution: {}, meter: new Meter(MAX_NODE_UNITS) };
	const outputs = (plan: ReturnType<typeof getPlan>, values: Readonly<Record<string, Json>>) =>
		plan.nodes.map(({ id }) => values[id]);

	function readFrom(node: string, text: string): Json | undefined {
		const plan = getPlan(reading(node, text));
		const top: Frame = {
			roots,
			parent: null,
			outputs: outputs(plan, { list: "L", split: ["S"], clean: [["C"]] }),
		};
		const row: Frame = {
			roots,
			parent: top,
			outputs: outputs(plan, { split: "s", cells: "c", clean: ["k"] }),
			item: "ROW",
			index: 3,
		};
		const cell: Frame = {
			roots,
			parent: row,
			outputs: outputs(plan, { clean: "k1" }),
			item: "CELL",
			index: 0,
		};
		const frames: Record<string, Frame> = {
			report: top,
			split: row,
			cells: row,
			joined: row,
			clean: cell,
			store: cell,
		};
		const frame = frames[node];
		const resolve = plan.nodes.find(({ id }) => id === node)?.resolve ?? null;
		assert.ok(frame !== undefined && resolve !== null);
		return (resolve(frame).values as { it: Json }).it;
	}

	test("reads nodes before it in its own region", () => {
		assert.equal(readFrom("cells", "{{split}}"), "s");
		assert.equal(readFrom("store", "{{clean}}"), "k1");
	});

	test("reads the elements of the loops around it", () => {
		assert.equal(readFrom("split", "{{row}} {{row_index}}"), "ROW 3");
		assert.equal(readFrom("store", "{{cell}} {{cell_index}} {{row}} {{row_index}}"), "CELL 0 ROW 3");
	});

	test("reads the subjects of enclosing loops and earlier nodes", () => {
		assert.equal(readFrom("split", "{{list}}"), "L");
		assert.equal(readFrom("store", "{{list}} {{cells}} {{split}}"), "L c s");
	});

	test("reads the lists of a loop after it", () => {
		assert.deepEqual(readFrom("joined", "{{clean}}"), ["k"]);
		assert.deepEqual(readFrom("report", "{{split}}"), ["S"]);
		assert.deepEqual(readFrom("report", '{{nodes["clean"]}}'), [["C"]]);
	});

	test("to a node that cannot have run is an error", () => {
		const unreachable: [string, string][] = [
			["list", "{{list}}"],
			["list", "{{report}}"],
			["list", "{{split}}"],
			["split", "{{report}}"],
			["split", "{{cells}}"],
			["cells", "{{clean}}"],
			["clean", "{{store}}"],
			["clean", "{{joined}}"],
			["report", "{{row}}"],
			["joined", "{{cell_index}}"],
		];
		for (const [node, text] of unreachable) {
			assert.deepEqual(
				listDiagnostics(reading(node, text)),
				[`unreachable_reference config.${node}.values.it`],
				`${node} ${text}`,
			);
		}
	});

	test("between two loops of the same subject is an error", () => {
		const loops = ["list >> FOREACH x >> a", "list >> FOREACH y >> b"];
		assert.deepEqual(listDiagnostics(flow(loops, { a: "{{b}}" })), [
			"unreachable_reference config.a.values.it",
		]);
	});

	test("between branches is an error, after both is not", () => {
		const branches = ["s >> ON_TRUE >> a", "s >> ON_FALSE >> b", "a >> then >> c", "b >> then >> c"];
		assert.deepEqual(listDiagnostics(flow(branches, { a: "{{b}}" })), [
			"unreachable_reference config.a.values.it",
		]);
		assert.deepEqual(listDiagnostics(flow(branches, { c: "{{a}} {{b}}" })), []);
	});

	test("to an unknown name suggests the nearest one", () => {
		const [diagnostic] = reading("store", "{{cels.x}}").diagnostics;
		assert.deepEqual([diagnostic?.code, diagnostic?.hint], ["unknown_reference", 'Did you mean "cell"?']);
	});

	test("is not checked if a cycle or an unread triplet hides the order", () => {
		const cycle = flow(["list >> FOREACH x >> a", "b >> then >> c", "c >> then >> b"], {
			a: "{{x}}",
			list: "{{a}}",
		});
		assert.deepEqual(listDiagnostics(cycle), ["cycle triplets.2"]);
		const triplets = ["list >> FORECH x >> a", "a >> then >> b >> c"];
		const unread = compileSource(
			{
				json: {
					triplets,
					config: { a: { component: "set", values: { it: "{{x}} {{c}}" } }, list: { component: "set" } },
				},
			},
			{ named: false, catalogue },
		);
		assert.deepEqual(listDiagnostics(unread), ["unknown_relation triplets.0", "bad_triplet triplets.1"]);
	});
});
