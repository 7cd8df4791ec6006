import { type Case, createNamed, type Family, get, oneNode, pause, type Step, send } from "../case.ts";
import { list, object } from "../shapes.ts";

/** How long a storm is measured before its workflows are deleted. */
const STORM_MS = 8_000;

const save = (name: string, document: () => object): Step =>
	send("/workflows", () => createNamed(name, document()), { isPreparation: true });
const remove = (name: string): Step => get(`/webhooks/named/${name}`, { method: "DELETE" });
const raise = (type: string, data: () => unknown = () => null): Step =>
	send("/events", () => ({ type, data: data() }));

/** Listens for its own event, which it emits once for each of many elements. */
const emitter = (type: string, count: number, payload: unknown = null): object => ({
	triplets: ["input >> then >> l", "l >> FOREACH e >> emit"],
	config: {
		l: { component: "foreach", items: list(count, (at) => at), concurrency: 64 },
		emit: { component: "emit_event", type, data: payload },
	},
	trigger: { type: "event", event: type },
});

const storm = (
	name: string,
	document: () => object,
	type: string,
	more: Pick<Case, "isQuick"> = {},
	ms = STORM_MS,
): Case => ({
	name,
	steps: [save("storm", document), raise(type), pause(ms), remove("storm"), pause(500), get("/readyz")],
	...more,
});

const listeners = (count: number, document: (index: number) => object): Step[] =>
	list(count, (at) => save(`listener-${at}`, () => document(at)));

export const events: Family = {
	name: "events",
	cases: [
		storm(
			"a workflow that emits what it listens for, 20 times each",
			() => emitter("storm.twenty", 20),
			"storm.twenty",
			{ isQuick: true },
			3_000,
		),
		storm(
			"a workflow that emits what it listens for, 300 times each",
			() => emitter("storm.threehundred", 300),
			"storm.threehundred",
		),
		storm(
			"the same with 100 KB of data",
			() => emitter("storm.heavy", 300, "x".repeat(100_000)),
			"storm.heavy",
		),
		storm(
			"a workflow that fails and listens for failures",
			() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> emit", "l >> then >> end"],
				config: {
					l: { component: "foreach", items: list(50, (at) => at) },
					emit: { component: "emit_event", type: "execution.failed", data: { workflow: "x" } },
					end: { component: "fail", message: "again" },
				},
				trigger: { type: "event", event: "execution.failed" },
			}),
			"execution.failed",
		),
		storm(
			"a workflow that writes what it listens for",
			() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> write"],
				config: {
					l: { component: "foreach", items: list(100, (at) => at), concurrency: 64 },
					write: {
						component: "kb_upsert",
						entry_type: "storm",
						page_name: "p{{e}}",
						content: "{{input.type}}",
					},
				},
				trigger: { type: "event", event: "entry.upserted" },
			}),
			"entry.upserted",
		),
		storm(
			"a storm of endless code",
			() => ({
				triplets: ["input >> then >> l", "l >> FOREACH e >> emit", "l >> then >> code"],
				config: {
					l: { component: "foreach", items: list(20, (at) => at) },
					emit: { component: "emit_event", type: "storm.code" },
					code: { component: "code", code: "while (true) {}" },
				},
				trigger: { type: "event", event: "storm.code" },
				options: { timeout_ms: 3_000 },
			}),
			"storm.code",
		),
		{
			name: "an event that 200 workflows listen for",
			steps: [
				...listeners(100, () => ({
					...oneNode({ component: "set", values: { v: "{{input.data}}" } }),
					trigger: { type: "event", event: "fan.out" },
				})),
				...list(5, () => raise("fan.out", () => "x".repeat(100_000))),
				pause(500),
				...list(100, (at) => remove(`listener-${at}`)),
			],
		},
		{
			name: "500 events one after the other",
			steps: [
				save("listener", () => ({
					...oneNode({ component: "set", values: {} }),
					trigger: { type: "event", event: "many.*" },
				})),
				...list(200, (at) => raise(`many.e${at}`, () => object(100, (key) => [`k${key}`, at]))),
				remove("listener"),
			],
		},
		{
			name: "events with long types and much data",
			steps: [
				raise("a.".repeat(500_000)),
				raise("a".repeat(1_000_000)),
				raise("a", () => list(490_000, () => 1)),
				raise("a", () => object(60_000, (at) => [`k${at}`, 1])),
			],
		},
		{
			name: "listeners with large documents, and a restart with accepted runs",
			steps: [
				save("listener", () => ({
					...oneNode({ component: "wait", ms: 20_000 }, { context: { v: "x".repeat(500_000) } }),
					trigger: { type: "event", event: "restart.*" },
				})),
				...list(50, (at) => raise(`restart.e${at}`, () => "x".repeat(50_000))),
				{ kind: "restart" },
				get("/readyz"),
				remove("listener"),
			],
		},
	],
};
