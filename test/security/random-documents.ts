import { builtIn } from "@tripline/components/catalogue";
import { everything } from "../conformance/scenarios/executor/saving.ts";
import { naughtyStrings } from "./naughty-strings.ts";

export interface RandomDocument {
	readonly text: string;
	readonly isYaml: boolean;
}

type Random = () => number;

/** Deterministic by seed: real documents with faults, other JSON, and arbitrary texts. */
export function* randomDocuments(seed: number, count: number): Generator<RandomDocument> {
	const random = createRandom(seed);
	for (let index = 0; index < count; index++) {
		const kind = random();
		if (kind < 0.6) yield { text: JSON.stringify(mutate(pick(random, documents), random)), isYaml: false };
		else if (kind < 0.7)
			yield { text: scramble(JSON.stringify(pick(random, documents)), random), isYaml: random() < 0.3 };
		else if (kind < 0.88) yield { text: scramble(pick(random, yamls), random), isYaml: true };
		else if (kind < 0.96) yield { text: JSON.stringify(createValue(random, 5)), isYaml: random() < 0.3 };
		else yield { text: createText(random), isYaml: random() < 0.5 };
	}
}

const documents: readonly object[] = [
	everything("everything"),
	...builtIn.flatMap(({ id, examples }) =>
		examples.map(({ params, input = {} }, index) => ({
			name: `${id} ${index}`,
			description: "an example",
			version: "1",
			triplets: ["input >> ON_SUCCESS >> before", "before >> ON_SUCCESS >> it", "it >> ON_FAIL >> after"],
			config: {
				before: { component: "set", values: input },
				it: { component: id, ...params },
				after: { component: "template", text: "{{input | json}} {{context.a}}" },
			},
			context: { a: 1 },
		})),
	),
	{
		name: "graph",
		description: "",
		version: "1",
		graph: {
			nodes: [
				{ id: "choose", component: "switch", params: { value: "{{input.kind | default('a')}}" } },
				{ id: "one", component: "set", params: { values: { a: 1 } }, retry: { max: 2, delay_ms: 1 } },
				{ id: "other", component: "fail", params: { message: "no" } },
			],
			edges: [
				{ from: "input", to: "choose" },
				{ from: "choose", to: "one", on: "CASE", value: "a" },
				{ from: "choose", to: "other", on: "DEFAULT" },
			],
		},
	},
];

const yamls: readonly string[] = [
	`name: orders
description: "sorts them"
version: '1'
trigger: { type: schedule, cron: "0 9 * * 1-5", timezone: Europe/Paris }
triplets:
  - input >> ON_SUCCESS >> pick
  - pick >> FOREACH order >> note
  - pick >> ON_SUCCESS >> out
config:
  pick: { component: foreach, items: [1, 2, 3], concurrency: 2 }
  note:
    component: template
    text: |
      {{order}} of {{context.shop}}
  out: &out
    component: set
    values: { notes: "{{note}}" }
context: { shop: corner }
options:
  query: true
`,
	`name: 問い合わせ
description: >-
  folded
  text
version: "2"
flow:
  - input >> 完成後 >> check
  - check >> if true >> good
  - check >> if false >> bad
  - bad >> 失敗時 >> mend
config:
  check: {component: if, condition: 'has(input.a) && input.a > 1'}
  good: {component: filter, items: [1, 2], where: item > 1}
  bad: {component: fail, message: "{{input | json}}"}
  mend: {component: merge, values: [&a {x: 1}, *a]}
`,
];

const WORDS: readonly string[] = [
	"input",
	"{{input}}",
	"{{nodes['it'].x}}",
	"{{before.x | default(1)}}",
	"{{item_index}}",
	"input >> ON_SUCCESS >> it",
	"it >> FOREACH x >> it",
	"a >> CASE 1 >> b",
	"set",
	"template",
	"if",
	"item > 1",
	"input.all(x, x)",
	"* * * * *",
	"0 0 30 2 *",
	"UTC",
	"triplets",
	"config",
	"graph",
	"nodes",
	"edges",
	"component",
	"retry",
	"options",
];

function mutate(document: object, random: Random): unknown {
	let value: unknown = document;
	for (let left = Math.floor(random() * 4); left >= 0; left--) value = changeValue(value, random, 0);
	return value;
}

/** Changes the value at a random place. */
function changeValue(value: unknown, random: Random, depth: number): unknown {
	const isDeep = typeof value === "object" && value !== null;
	if (!isDeep || (depth > 0 && random() < 0.2)) return pickReplacement(value, random);
	const entries = Object.entries(value);
	if (entries.length === 0) return pickReplacement(value, random);
	const at = Math.floor(random() * entries.length);
	const [key, inner] = entries[at] as [string, unknown];
	const action = random();
	if (action < 0.12) entries.splice(at, 1);
	else if (action < 0.2) entries.push([pick(random, WORDS), inner]);
	else if (action < 0.28) entries.push([createString(random), createValue(random, 2)]);
	else if (action < 0.34) entries[at] = [createString(random), inner];
	else entries[at] = [key, changeValue(inner, random, depth + 1)];
	return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function pickReplacement(value: unknown, random: Random): unknown {
	const kind = random();
	if (kind < 0.4) return createString(random);
	if (kind < 0.5) return [value];
	if (kind < 0.6) return { [pick(random, WORDS)]: value };
	if (kind < 0.7 && typeof value === "string") return scramble(value, random);
	return createValue(random, 2);
}

/** Cuts, inserts and repeats pieces. */
function scramble(text: string, random: Random): string {
	let result = text;
	for (let left = Math.floor(random() * 4); left >= 0; left--) {
		const at = Math.floor(random() * (result.length + 1));
		const end = at + Math.floor(random() * 12);
		const piece = random() < 0.5 ? pick(random, PIECES) : result.slice(at, end);
		result = result.slice(0, at) + piece + result.slice(random() < 0.5 ? end : at);
	}
	return result;
}

const PIECES = [
	..."{}[]:,\"'\\\n\t &*!|>#%@`?-~ ",
	"\n\n",
	"  ",
	">>",
	"{{",
	"}}",
	"<<: *out",
	"&x",
	"*x",
	"!!binary",
	"---\n",
	"\u0000",
	"\u0085",
	"\ud800",
	"1e999",
	"null",
];

function createValue(random: Random, depth: number): unknown {
	const kind = random();
	if (depth === 0 || kind < 0.3) return createString(random);
	if (kind < 0.5) return pick(random, [null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, 60_001]);
	const size = Math.floor(random() * 4);
	if (kind < 0.7) return Array.from({ length: size }, () => createValue(random, depth - 1));
	const keyed = Array.from({ length: size }, () => [createString(random), createValue(random, depth - 1)]);
	return Object.fromEntries(keyed);
}

const createString = (random: Random): string =>
	random() < 0.6 ? pick(random, WORDS) : pick(random, naughtyStrings).slice(0, 6000);

const createText = (random: Random): string =>
	Array.from({ length: Math.floor(random() * 40) }, () => pick(random, random() < 0.5 ? PIECES : WORDS)).join(
		"",
	);

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** The mulberry32 generator. */
function createRandom(seed: number): Random {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
