import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";

export function parseJson(text: string): Json {
	const value = parse(text);
	if (nestsTooDeep(text)) throw new TerminalError(`the JSON nests deeper than ${MAX_JSON_DEPTH} levels`);
	return value;
}

function parse(text: string): Json {
	try {
		return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
	} catch (error) {
		// The engine's own message would quote the text, which may be secret.
		const isCut = /end of JSON/.test(String(error));
		throw new TerminalError(`not JSON: ${isCut ? "it ends too early" : "it cannot be parsed"}`);
	}
}
