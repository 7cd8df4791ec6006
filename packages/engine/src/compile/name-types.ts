import type { JsonObject } from "@tripline/contract/workflows";
import { REQUEST } from "../definition.ts";
import type { NameTypes } from "../frame.ts";
import type { Meter } from "../meter.ts";
import { toSchemaType } from "../types/from-schema.ts";
import { toValueType } from "../types/from-value.ts";
import { readElement } from "../types/overlap.ts";
import {
	ANY,
	ANY_OBJECT,
	listType,
	NULL,
	NUMBER,
	objectType,
	TEXT,
	type Type,
	unionType,
} from "../types/type.ts";
import { isSecondName } from "./loop-names.ts";
import type { Loop } from "./loops.ts";
import { findSharedLoop, type Scope } from "./names.ts";
import type { MayBeSkipped } from "./skipped.ts";

/** Types of the roots, and of the outputs of the nodes that are compiled already. */
export interface KnownTypes {
	readonly roots: ReadonlyMap<string, Type>;
	/** By the node's index in the graph. Few are read, so they are inferred on demand. */
	readonly outputs: ((() => Type) | undefined)[];
	readonly mayBeSkipped: MayBeSkipped;
}

const TEXT_OR_NULL = unionType([TEXT, NULL]);
const WORKFLOW = objectType({ name: TEXT_OR_NULL, version: TEXT_OR_NULL });
const REQUEST_TYPE = objectType({
	method: TEXT_OR_NULL,
	query: ANY_OBJECT,
	headers: ANY_OBJECT,
	content_type: TEXT_OR_NULL,
});
/** What is known of a node while it waits. */
const WAITING = objectType({ url: TEXT_OR_NULL, expires_at: TEXT });
const EXECUTION_FIELDS = { id: TEXT, trigger: TEXT, time: TEXT };
const EXECUTION = objectType(EXECUTION_FIELDS);
const EXECUTION_AT_NODE = objectType({ ...EXECUTION_FIELDS, step_key: TEXT });

export function createKnownTypes(
	context: JsonObject,
	inputSchema: JsonObject | undefined,
	mayBeSkipped: MayBeSkipped,
	meter: Meter,
): KnownTypes {
	const roots = new Map([
		["input", inputSchema === undefined ? ANY_OBJECT : toSchemaType(inputSchema, meter)],
		["context", toValueType(context, meter)],
		["workflow", WORKFLOW],
		["execution", EXECUTION],
	]);
	return { roots, outputs: [], mayBeSkipped };
}

/** The types of the names that are visible at one node. */
export class VisibleTypes implements NameTypes {
	readonly #scope: Scope;
	readonly #known: KnownTypes;
	/** Null outside all nodes. */
	readonly #place: number | null;

	constructor(scope: Scope, known: KnownTypes, place: number | null) {
		this.#scope = scope;
		this.#known = known;
		this.#place = place;
	}

	named(name: string): Type {
		if (name === "execution" && this.#place !== null) return EXECUTION_AT_NODE;
		const known = this.#known.roots.get(name) ?? this.#readLoopName(name);
		if (known !== undefined) return known;
		return name === REQUEST && !this.#scope.flow.places.has(name) ? REQUEST_TYPE : this.node(name);
	}

	mayBeSkipped(name: string): boolean {
		const other = this.#scope.flow.places.get(name);
		if (other === undefined || this.#place === null || this.#isWaiting(other)) return false;
		return this.#known.mayBeSkipped(this.#place, other);
	}

	/** Outside its FOREACH loops a node's output is a list with an entry for each element. */
	node(id: string): Type {
		const { flow, reach } = this.#scope;
		const other = flow.places.get(id);
		if (other === undefined || reach === null) return ANY;
		if (this.#isWaiting(other)) return WAITING;
		let type = this.#readOutput(other);
		const around = reach.loops.around[other] ?? null;
		if (around === null) return type;
		const shared = this.#place === null ? null : findSharedLoop(reach.loops, this.#place, other);
		let depth = 0;
		for (let loop: Loop | null = around; loop !== null && loop !== shared; loop = loop.parent) {
			if (++depth > MAX_COLLECTED_DEPTH) return ANY;
			type = this.#toCollected(type, loop);
		}
		return type;
	}

	#isWaiting(other: number): boolean {
		return this.#place !== null && this.#scope.asides.see(this.#place, other) === "wait";
	}

	#readLoopName(name: string): Type | undefined {
		const around = this.#scope.reach?.loops.around[this.#place ?? -1] ?? null;
		for (let loop = around; loop !== null; loop = loop.parent) {
			const isForeach = loop.on === "FOREACH";
			if (name === loop.name)
				return isForeach ? (readElement(this.#readOutput(loop.subject)) ?? ANY) : NUMBER;
			if (isSecondName(name, loop)) return isForeach ? NUMBER : ANY;
		}
		return undefined;
	}

	#readOutput(place: number): Type {
		return this.#known.outputs[place]?.() ?? ANY;
	}

	/** After REPEAT a node has the output of the last turn. */
	#toCollected(type: Type, { on, subject }: Loop): Type {
		if (on === "REPEAT") return type;
		const isCollecting = this.#scope.flow.graph.nodes[subject]?.on_item_error === "collect";
		return listType(unionType([type, NULL, ...(isCollecting ? [FAILED_ELEMENT] : [])]));
	}
}

/** Deeper lists of lists are not worth following. */
const MAX_COLLECTED_DEPTH = 8;

const FAILED_ELEMENT = objectType({ error: TEXT });
