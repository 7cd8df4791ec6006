import type { JsonObject } from "../../../api/types.ts";

/** A run of a workflow that was just saved for the first time: the page that it starts on is another than the one left. */
let waiting: { readonly name: string; readonly inputText: string; readonly input: JsonObject } | null = null;

export function handOver(name: string, inputText: string, input: JsonObject): void {
	waiting = { name, inputText, input };
}

export function takeOver(name: string): { readonly inputText: string; readonly input: JsonObject } | null {
	const taken = waiting?.name === name ? waiting : null;
	waiting = null;
	return taken;
}
