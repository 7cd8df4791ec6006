import type { Json } from "@tripline/contract/json";
import { asJson } from "@tripline/engine/expressions/text-size";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";

/** One large value that is named many times is small here and huge when written out. */
const LIMITS = { characters: 8 * 1024 * 1024, depth: 128 };

/** What code is given, as JSON. Its own meter: it is made when a thread is free, in a turn of its own. */
export const inputText = (input: Json): string =>
	asJson(input, "the input", new Meter(MAX_NODE_UNITS), LIMITS);
