import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/component";

export function parseJson(text: string): Json {
	const value = parse(text);
	if (nestsTooDeep(text)) throw new TerminalError(`the JSON nests deeper than ${MAX_JSON_DEPTH} levels`);
	return value;
}

function parse(text: string): Json {
	try {
		return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
	} catch (error) {
		throw new TerminalError(`not JSON: ${error instanceof Error ? error.message : "cannot be read"}`);
	}
}
