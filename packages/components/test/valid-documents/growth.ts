import type { Json } from "@tripline/contract/json";
import { type Choices, chooseNode, listParts, type Part, type Settings } from "./choose-node.ts";

export interface Document {
	readonly triplets: string[];
	readonly config: { [node: string]: Settings };
	readonly result: Settings;
}

/** What a node can read, and in how many `FOREACH` loops it is. */
interface Scope {
	readonly parts: Part[];
	readonly depth: number;
	/** Whether loops and branches may start here. */
	readonly isOpen: boolean;
}

/** Returns the outputs of all nodes; those of loops as lists. */
type Run = (document: Document) => Promise<{ readonly [node: string]: Json }>;

/** What the result has for a node that was skipped. */
const SKIPPED = "(skipped)";
const MAX_DEPTH = 2;
const STEPS = 3;

/** Grows a document that runs: every node reads only what earlier runs have shown to be there. */
export async function grow(input: Json, choices: Choices, run: Run): Promise<void> {
	const growth = new Growth(choices, run);
	const scope: Scope = { parts: listParts("input", input), depth: 0, isOpen: true };
	let ends = ["input >> then"];
	for (let step = 0; step < STEPS; step++) ends = await growth.add(scope, ends);
}

class Growth {
	readonly #document: Document = { triplets: [], config: {}, result: {} };
	readonly #choices: Choices;
	readonly #run: Run;
	#outputs: { readonly [node: string]: Json } = {};

	constructor(choices: Choices, run: Run) {
		this.#choices = choices;
		this.#run = run;
	}

	/** Adds a node, a loop or a branch after `ends`, and returns the ends to go on from. */
	async add(scope: Scope, ends: readonly string[]): Promise<string[]> {
		if (!scope.isOpen) return this.#addNode(scope, ends);
		return this.#choices.pick([
			() => this.#addNode(scope, ends),
			() => this.#addNode(scope, ends),
			() => this.#addForeach(scope, ends),
			() => this.#addRepeat(scope, ends),
			() => this.#addIf(scope, ends),
			() => this.#addSwitch(scope, ends),
			() => this.#addRescue(scope, ends),
		])();
	}

	async #addNode(scope: Scope, ends: readonly string[]): Promise<string[]> {
		const id = this.#place(ends, chooseNode(scope.parts, this.#choices));
		await this.#settle();
		this.#show(scope, [id]);
		return [`${id} >> then`];
	}

	async #addForeach(scope: Scope, ends: readonly string[]): Promise<string[]> {
		const list = this.#choices.pick(scope.parts.filter(({ value }) => Array.isArray(value)));
		const id = this.#place(ends, { component: "foreach", items: `{{${list.path}}}` });
		const each = `${id}_each`;
		const depth = scope.depth + 1;
		const elements = listShared(each, list.value as Json[]);
		const inner: Scope = { parts: [...scope.parts, ...elements], depth, isOpen: depth < MAX_DEPTH };
		const before = this.#ids().length;
		const body = await this.add(inner, [`${id} >> FOREACH ${each}`]);
		if (this.#choices.pick([true, false])) await this.add(inner, body);
		this.#show(scope, [id, ...this.#ids().slice(before)]);
		return [`${id} >> then`];
	}

	async #addRepeat(scope: Scope, ends: readonly string[]): Promise<string[]> {
		const settings: Settings = { component: "repeat", until: "true", max: 5 };
		const id = this.#place(ends, settings);
		const turn = `${id}_turn`;
		const count = this.#nextId();
		settings.until = this.#choices.pick([`${turn} >= 1`, `${count}.turn > 1`, `${count}.before == 1`]);
		this.#place([`${id} >> REPEAT ${turn}`], {
			component: "set",
			values: {
				turn: `{{${turn}}}`,
				before: `{{${turn}_last.${count}.turn | default(0)}}`,
				other: `{{${this.#choices.pick(scope.parts).path}}}`,
			},
		});
		const sum = this.#place([`${count} >> then`], {
			component: "compute",
			values: {
				sum: `${count}.turn + ${turn}`,
				last: `has(${turn}_last.${count}) ? ${turn}_last.${count}.before : -1`,
			},
		});
		await this.#settle();
		const inner: Scope = {
			parts: [...scope.parts, { path: turn, value: 1 }],
			depth: scope.depth,
			isOpen: false,
		};
		this.#show(inner, [count, sum]);
		const before = this.#ids().length;
		await this.add(inner, [`${sum} >> then`]);
		this.#show(scope, [id, count, sum, ...this.#ids().slice(before)]);
		return [`${id} >> then`];
	}

	#addIf(scope: Scope, ends: readonly string[]): Promise<string[]> {
		const pick = (type: string) =>
			this.#choices.pick(scope.parts.filter(({ value }) => typeof value === type));
		const list = this.#choices.pick(scope.parts.filter(({ value }) => Array.isArray(value)));
		const condition = this.#choices.pick([
			`${pick("number").path} > ${pick("number").path}`,
			`${pick("string").path} == ${pick("string").path}`,
			`${pick("boolean").path}`,
			`${pick("string").path}.contains('a') || size(${list.path}) > 1`,
			`has(${list.path}[9].no) && ${pick("boolean").path}`,
			`${this.#choices.pick(scope.parts).path} == null`,
		]);
		const id = this.#place(ends, { component: "if", condition });
		return this.#addBranches(scope, id, ["ON_TRUE", "ON_FALSE"]);
	}

	#addSwitch(scope: Scope, ends: readonly string[]): Promise<string[]> {
		const isLabel = (value: Json) => typeof value === "number" || /^\w+$/.test(String(value));
		const isScalar = (value: Json) => typeof value === "number" || typeof value === "string";
		const part = this.#choices.pick(scope.parts.filter(({ value }) => isScalar(value) && isLabel(value)));
		const id = this.#place(ends, { component: "switch", value: `{{${part.path}}}` });
		const other = typeof part.value === "number" ? "77" : "other";
		return this.#addBranches(scope, id, [`CASE ${String(part.value)}`, `CASE ${other}`, "DEFAULT"]);
	}

	#addRescue(scope: Scope, ends: readonly string[]): Promise<string[]> {
		const settings = chooseNode(scope.parts, this.#choices);
		const id = this.#place(ends, this.#choices.pick([settings, { component: "fail", message: "no" }]));
		return this.#addBranches(scope, id, ["ON_FAIL", "ALWAYS"]);
	}

	/** Adds a node for each relation, and one after them that reads them all. */
	async #addBranches(scope: Scope, id: string, relations: readonly string[]): Promise<string[]> {
		const branches = relations.map((relation) =>
			this.#place([`${id} >> ${relation}`], chooseNode(scope.parts, this.#choices)),
		);
		const [first = "", second = ""] = branches;
		const join = this.#place(
			branches.map((branch) => `${branch} >> then`),
			this.#choices.pick<Settings>([
				{
					component: "set",
					values: Object.fromEntries(branches.map((branch) => [branch, `{{${branch} | default(null)}}`])),
				},
				{ component: "compute", values: { one: `has(${first}) ? ${first} : null`, two: `has(${second})` } },
				{ component: "set", values: { one: `{{${first}.no | default(${second}.no) | default("none")}}` } },
			]),
		);
		await this.#settle();
		this.#show(scope, [join]);
		// In a loop the outputs do not tell which elements skipped the branch.
		if (scope.depth === 0) this.#show(scope, [id, ...branches]);
		return [`${join} >> then`];
	}

	#ids = (): string[] => Object.keys(this.#document.config);

	#nextId = (): string => `n${this.#ids().length}`;

	#place(ends: readonly string[], settings: Settings): string {
		const id = this.#nextId();
		this.#document.config[id] = settings;
		this.#document.result[id] = `{{${id} | default("${SKIPPED}")}}`;
		this.#document.triplets.push(...ends.map((end) => `${end} >> ${id}`));
		return id;
	}

	async #settle(): Promise<void> {
		this.#outputs = await this.#run(this.#document);
	}

	/** Lets later nodes of the scope read these nodes. */
	#show(scope: Scope, ids: readonly string[]): void {
		for (const id of ids) {
			const output = this.#outputs[id] ?? null;
			const seen = unwrap(output, scope.depth);
			if (seen.some((output) => output === SKIPPED)) continue;
			scope.parts.push(...listShared(id, seen));
		}
	}
}

/** The values in so many levels of lists. */
const unwrap = (value: Json, levels: number): Json[] =>
	levels === 0 ? [value] : (value as Json[]).flatMap((element) => unwrap(element, levels - 1));

/** The parts that all of these values have, with the same type. A list stands for all lists at its path. */
function listShared(path: string, values: readonly Json[]): Part[] {
	const [first = [], ...others] = values.map((value) => listParts(path, value));
	const byPath = others.map((parts) => new Map(parts.map((part) => [part.path, part.value])));
	return first.flatMap(({ path, value }) => {
		const same = byPath.map((parts) => parts.get(path));
		if (!same.every((other) => other !== undefined && getKind(other) === getKind(value))) return [];
		return [{ path, value: Array.isArray(value) ? [value, ...(same as Json[][])].flat(1) : value }];
	});
}

const getKind = (value: Json): string =>
	Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
