import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "@tripline/engine/meter";
import { parseReference } from "./description.ts";
import type { Notes } from "./problem.ts";
import { getMember, isObject, toText } from "./values.ts";

const MAX_HOPS = 20;
const HOP_UNITS = 20;
const MEMBER_UNITS = 8;

/** A part of the description, and the references that led to it. */
export interface Resolved {
	readonly value: JsonObject;
	readonly refs: readonly string[];
}

const ANNOTATIONS = [
	"title",
	"summary",
	"description",
	"default",
	"nullable",
	"readOnly",
	"writeOnly",
	"deprecated",
];

/** Follows references inside the description; all others are noted and left out. */
export class Resolver {
	readonly #document: JsonObject;
	readonly #mergesSiblings: boolean;
	readonly #sizes = new WeakMap<JsonObject, number>();
	readonly meter: Meter;
	readonly notes: Notes;

	constructor(document: JsonObject, meter: Meter, notes: Notes) {
		this.#document = document;
		this.#mergesSiblings = toText(document.openapi).startsWith("3.1.");
		this.meter = meter;
		this.notes = notes;
	}

	/**
	 * Null if it is no object, or leads out of the description. Annotations beside a reference replace those of its target;
	 * all else there is ignored before OpenAPI 3.1, and applies together with the target since then.
	 */
	resolve(given: Json | undefined, path: string): Resolved | null {
		let value = given;
		const refs: string[] = [];
		let beside: JsonObject = {};
		for (let hops = 0; hops <= MAX_HOPS; hops++) {
			this.meter.spend(HOP_UNITS);
			if (!isObject(value)) return null;
			if (value.$ref === undefined) {
				if (refs.length === 0 || Object.keys(beside).length === 0) return { value, refs };
				return { value: this.#addBeside(this.pass(value), beside), refs };
			}
			const { $ref, ...others } = this.pass(value);
			beside = { ...others, ...beside };
			const ref = toText($ref);
			refs.push(ref);
			value = this.#follow(ref, path);
		}
		this.notes.add(path, `refers to itself, or over more than ${MAX_HOPS} references`);
		return null;
	}

	#addBeside(target: JsonObject, beside: JsonObject): JsonObject {
		const annotations: JsonObject = {};
		const others: JsonObject = {};
		for (const [name, value] of Object.entries(beside))
			(ANNOTATIONS.includes(name) ? annotations : others)[name] = value;
		return this.#mergesSiblings && Object.keys(others).length > 0
			? { allOf: [target, others], ...annotations }
			: { ...target, ...annotations };
	}

	/** To be called before an object is copied or its members are listed: it may be large, and referred to many times. */
	pass(object: JsonObject): JsonObject {
		let size = this.#sizes.get(object);
		if (size === undefined) {
			size = Object.keys(object).length;
			this.#sizes.set(object, size);
		}
		this.meter.spend(size * MEMBER_UNITS);
		return object;
	}

	#follow(ref: string, path: string): Json | undefined {
		this.meter.spendOnText(ref.length * HOP_UNITS);
		const steps = parseReference(ref);
		if (steps === null) {
			this.notes.add(path, `refers to ${JSON.stringify(ref.slice(0, 120))}, outside of this description`);
			return undefined;
		}
		let value: Json | undefined = this.#document;
		for (const step of steps) {
			if (Array.isArray(value)) value = value[Number(step)];
			else value = isObject(value) ? getMember(value, step) : undefined;
		}
		if (value === undefined)
			this.notes.add(path, `refers to ${JSON.stringify(ref.slice(0, 120))}, which does not exist`);
		return value;
	}
}
