import type { Json } from "@tripline/contract/json";
import { formatJson } from "@tripline/engine/expressions/text-size";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";

/** A large value that is referenced many times is small in memory but huge as JSON. */
const LIMITS = { characters: 8 * 1024 * 1024, depth: 128 };

/** The code's input as JSON. It has its own meter because it is built later, when a thread is free. */
export const serializeInput = (input: Json): string =>
	formatJson(input, "the input", new Meter(MAX_NODE_UNITS), LIMITS);
