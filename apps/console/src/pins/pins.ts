import type { Json } from "@tripline/contract/json";
import { type Stored, stored } from "../stored.ts";

const KEY = "tripline.pins.";

/** An output that a node gives in test runs instead of running. */
export interface Pin {
	readonly node: string;
	readonly output: Json;
}

export const NO_PINS: readonly Pin[] = [];
const pinsByKey = new Map<string, Stored<readonly Pin[]>>();

/** Replaces the pin of a node, or adds one. */
export const setPin = (pins: readonly Pin[], node: string, output: Json): readonly Pin[] =>
	pins.some((pin) => pin.node === node)
		? pins.map((pin) => (pin.node === node ? { node, output } : pin))
		: [...pins, { node, output }];

export const removePin = (pins: readonly Pin[], node: string): readonly Pin[] =>
	pins.filter((pin) => pin.node !== node);

/** Clears the pins of all workflows, including those not opened since the page was loaded. */
export function forgetAllPins(storage: Storage = localStorage): void {
	for (const key of Object.keys(storage)) if (key.startsWith(KEY)) storage.removeItem(key);
	for (const pins of pinsByKey.values()) pins.set(NO_PINS);
}

/** Those of a workflow's draft. They are stored in this browser only, and never in the workflow. */
export function getPins(namespace: string, workflow: string): Stored<readonly Pin[]> {
	// Neither name contains a slash.
	const key = `${KEY}${namespace}/${workflow}`;
	const known = pinsByKey.get(key);
	if (known !== undefined) return known;
	const made = stored<readonly Pin[]>(key, NO_PINS, isPins);
	pinsByKey.set(key, made);
	return made;
}

export const isPins = (value: unknown): value is readonly Pin[] => Array.isArray(value) && value.every(isPin);

const isPin = (value: unknown): value is Pin =>
	typeof value === "object" &&
	value !== null &&
	typeof (value as Partial<Pin>).node === "string" &&
	"output" in value;
