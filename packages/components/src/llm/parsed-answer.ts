import { type Json, nestsTooDeep } from "@tripline/contract/json";
import { textOf } from "../http-request/answer.ts";
import type { OutboundAnswer } from "../outbound/call.ts";

export const parsedAnswer = (answer: OutboundAnswer): Json | undefined => parsedJson(textOf(answer));

/** Undefined if the text is not JSON, or is nested too deep to be a real answer. */
export function parsedJson(text: string): Json | undefined {
	try {
		const value = JSON.parse(text);
		return nestsTooDeep(text) ? undefined : value;
	} catch {
		return undefined;
	}
}
