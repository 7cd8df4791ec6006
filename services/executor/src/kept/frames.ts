import type { Json } from "@tripline/contract/json";
import type { KeptStep, KeptValue } from "@tripline/contract/kept-data";
import type { Frame, Roots } from "@tripline/engine/frame";
import type { Plan, PlanNode } from "@tripline/engine/plan";
import type { KeptDocument } from "./document.ts";

/** A value that would be read is not kept. Not a `TerminalError`, which an expression may handle. */
class NotKept extends Error {
	override readonly name = "NotKept";
}

/** For an element of a list that is put together again. */
const UNITS_PER_ELEMENT = 20;

/** The frames in which the nodes of a run were resolved, put together again from what is kept. */
export class KeptFrames<Effects> {
	readonly #plan: Plan<Effects>;
	readonly #roots: Roots;
	readonly #isSparse: boolean;
	/** The last attempt of each node at each place. */
	readonly #steps = new Map<string, KeptStep>();
	/** The nodes whose loops are around each node, from the outside. */
	readonly #around: (readonly PlanNode<Effects>[])[];
	readonly #places: ReadonlyMap<string, number>;
	readonly #lists = new Map<string, Json>();
	readonly #failed: KeptStep[];
	/** Places at which nodes failed, and those around them. */
	readonly #failedWithin = new Set<string>();

	constructor(plan: Plan<Effects>, roots: Roots, { steps, isSparse }: KeptDocument) {
		this.#plan = plan;
		this.#roots = roots;
		this.#isSparse = isSparse;
		this.#around = findLoopsAround(plan);
		this.#places = new Map(plan.nodes.map(({ id, place }) => [id, place]));
		for (const step of steps) this.#steps.set(buildKey(step.place, step.id), step);
		this.#failed = steps.filter(({ status }) => status === "failed");
		for (const { place } of this.#failed)
			for (let around = place; around !== ""; around = leave(around)) this.#failedWithin.add(around);
	}

	findNode(id: string): PlanNode<Effects> | undefined {
		return this.#plan.nodes[this.#places.get(id) ?? -1];
	}

	/** The frame of a node at a place. */
	build(node: PlanNode<Effects>, place: string): Frame {
		const indexes = place === "" ? [] : place.split(".").map(Number);
		const around = this.#around[node.place] ?? [];
		if (around.length !== indexes.length) throw new NotKept("the document has other loops around this node");
		let frame: Frame = { roots: this.#roots, parent: null, outputs: this.#listOutputs("") };
		for (const [depth, loop] of around.entries())
			frame = this.#enter(frame, loop, indexes.slice(0, depth).join("."), indexes[depth] as number);
		return frame;
	}

	#enter(parent: Frame, loop: PlanNode<Effects>, outside: string, index: number): Frame {
		const outputs = this.#listOutputs(join(outside, index));
		const { roots } = parent;
		if (loop.until !== null) {
			const last = index === 0 ? undefined : this.#listOutputs(join(outside, index - 1));
			return { roots, parent, outputs, item: index, index, last };
		}
		const getItem = () => (parent.outputs[loop.place] as Json[])[index] as Json;
		return {
			roots,
			parent,
			outputs,
			index,
			get item() {
				return getItem();
			},
		};
	}

	/** Outputs are looked up when they are read, because most are not. */
	#listOutputs(place: string): (Json | undefined)[] {
		return new Proxy<(Json | undefined)[]>([], {
			get: (_, name) => (typeof name === "string" ? this.#read(Number(name), place) : undefined),
		});
	}

	/** What a node has given, as seen from a place: its output there, or what a loop has made of its outputs. */
	#read(index: number, place: string): Json | undefined {
		const node = this.#plan.nodes[index];
		if (node === undefined) return undefined;
		const depth = place === "" ? 0 : place.split(".").length;
		const loop = this.#around[index]?.[depth];
		if (loop === undefined) return this.#readStep(node, place);
		const key = buildKey(place, node.id);
		const known = this.#lists.get(key);
		if (known !== undefined) return known;
		const made = loop.until === null ? this.#gather(node, loop, place) : this.#readLast(node, loop, place);
		if (made !== undefined) this.#lists.set(key, made);
		return made;
	}

	#readStep({ id }: PlanNode<Effects>, place: string): Json | undefined {
		const step = this.#steps.get(buildKey(place, id));
		if (step === undefined && this.#isSparse) throw new NotKept(`it reads "${id}", which is not kept`);
		return step?.output === undefined ? undefined : readValue(step.output, `"${id}"`);
	}

	#gather(node: PlanNode<Effects>, loop: PlanNode<Effects>, place: string): Json | undefined {
		const items = this.#read(loop.place, place);
		if (!Array.isArray(items) || this.#hasStopped(loop, place)) return undefined;
		this.#roots.meter.spend(UNITS_PER_ELEMENT * items.length);
		return items.map((_, index) => this.#readElement(node, loop, join(place, index)));
	}

	#readElement(node: PlanNode<Effects>, loop: PlanNode<Effects>, place: string): Json {
		const output = this.#read(node.place, place);
		if (output !== undefined || loop.onItemError !== "collect") return output ?? null;
		const step = this.#steps.get(buildKey(place, node.id));
		if (step?.status === "failed" && step.error !== undefined) return { error: step.error };
		if (!this.#failedWithin.has(place)) return null;
		throw new NotKept(`it reads "${node.id}" of elements that failed before they reached it`);
	}

	/** Whether an element failed and ended the loop. Its nodes then have no lists. */
	#hasStopped(loop: PlanNode<Effects>, place: string): boolean {
		this.#roots.meter.spend(this.#failed.length);
		return this.#failed.some((step) => {
			const node = this.findNode(step.id);
			const around = this.#around[node?.place ?? -1] ?? [];
			const depth = around.indexOf(loop);
			const isInside = depth !== -1 && (place === "" || step.place.startsWith(`${place}.`));
			if (node === undefined || !isInside || handlesFailure(node)) return false;
			return !around.slice(depth).some(endsFailure);
		});
	}

	#readLast(node: PlanNode<Effects>, loop: PlanNode<Effects>, place: string): Json | undefined {
		const ended = this.#read(loop.place, place) as { readonly turns: number } | undefined;
		if (ended === undefined) throw new NotKept(`it reads "${node.id}" of a loop that failed`);
		return this.#read(node.place, join(place, ended.turns - 1));
	}
}

/** The value, or the reason why it cannot be used. */
export function readValue(value: KeptValue, name: string): Json {
	if ("json" in value) return value.json;
	throw new NotKept(
		value.text === ""
			? `it reads ${name}, which is too large to be kept`
			: `it reads ${name}, of which only the beginning is kept`,
	);
}

function findLoopsAround<Effects>({ nodes }: Plan<Effects>): (readonly PlanNode<Effects>[])[] {
	const loops: (PlanNode<Effects> | undefined)[] = [];
	for (const node of nodes)
		for (const { body } of node.loops) for (const member of body.members) loops[member] = node;
	return nodes.map((node) => {
		const around: PlanNode<Effects>[] = [];
		for (let loop = loops[node.place]; loop !== undefined; loop = loops[loop.place]) around.unshift(loop);
		return around;
	});
}

const handlesFailure = <Effects>({ edges }: PlanNode<Effects>): boolean =>
	edges.some(({ on }) => on === "ON_FAIL");

/** Whether a failure in the loop does not reach what is around it. */
const endsFailure = <Effects>(loop: PlanNode<Effects>): boolean =>
	loop.until === null ? loop.onItemError === "collect" : handlesFailure(loop);

const buildKey = (place: string, id: string): string => `${place}:${id}`;

const leave = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf(".")));

const join = (place: string, index: number): string => (place === "" ? `${index}` : `${place}.${index}`);
