import type { JsonObject } from "@tripline/contract/workflows";
import type { Definition } from "../definition.ts";
import type { NameTypes } from "../frame.ts";
import type { Meter } from "../meter.ts";
import { toSchemaType } from "../types/from-schema.ts";
import { toValueType } from "../types/from-value.ts";
import { readElement } from "../types/overlap.ts";
import { ANY, ANY_OBJECT, listOf, NULL, NUMBER, objectOf, TEXT, type Type, unionOf } from "../types/type.ts";
import type { Loop } from "./loops.ts";
import { findSharedLoop, isIndexName, type Scope } from "./names.ts";

/** Types of the roots, and of the outputs of the nodes that are compiled already. */
export interface KnownTypes {
	readonly roots: Readonly<Record<string, Type>>;
	/** By the node's index in the graph. */
	readonly outputs: (Type | undefined)[];
}

const TEXT_OR_NULL = unionOf([TEXT, NULL]);
const WORKFLOW = objectOf({ name: TEXT_OR_NULL, version: TEXT_OR_NULL });
const EXECUTION = objectOf({ id: TEXT, trigger: TEXT, time: TEXT });

export function createKnownTypes({ context, options }: Definition, meter: Meter): KnownTypes {
	const input = options.input_schema as JsonObject | undefined;
	const roots = {
		input: input === undefined ? ANY_OBJECT : toSchemaType(input, meter),
		context: toValueType(context, meter),
		workflow: WORKFLOW,
		execution: EXECUTION,
	};
	return { roots, outputs: [] };
}

/** The types of the names that are visible at one node. */
export function buildNameTypes(scope: Scope, { roots, outputs }: KnownTypes, place: number): NameTypes {
	const loops = scope.reach?.loops;
	const readOutput = (at: number): Type => outputs[at] ?? ANY;

	return { named: (name) => roots[name] ?? readLoopName(name) ?? readNode(name), node: readNode };

	function readLoopName(name: string): Type | undefined {
		for (let loop = loops?.around[place] ?? null; loop !== null; loop = loop.parent) {
			if (name === loop.name) return readElement(readOutput(loop.subject)) ?? ANY;
			if (isIndexName(name, loop)) return NUMBER;
		}
		return undefined;
	}

	/** Outside its loops a node's output is a list with an entry for each element. */
	function readNode(id: string): Type {
		const other = scope.flow.places.get(id);
		if (other === undefined || loops === undefined) return ANY;
		const shared = findSharedLoop(loops, place, other);
		let type = readOutput(other);
		for (let loop = loops.around[other] ?? null; loop !== null && loop !== shared; loop = loop.parent)
			type = toCollected(type, loop);
		return type;
	}

	function toCollected(type: Type, { subject }: Loop): Type {
		const isCollecting = scope.flow.graph.nodes[subject]?.on_item_error === "collect";
		return listOf(unionOf([type, NULL, ...(isCollecting ? [FAILED_ELEMENT] : [])]));
	}
}

const FAILED_ELEMENT = objectOf({ error: TEXT });
