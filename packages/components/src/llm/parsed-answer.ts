import { type Json, nestsTooDeep } from "@tripline/contract/json";
import { textOf } from "../http-request/answer.ts";
import type { OutboundAnswer } from "../outbound/call.ts";

export const parsedAnswer = (answer: OutboundAnswer): Json | undefined => parsedJson(textOf(answer));

/** Undefined: it is not JSON, or none that anybody would send. */
export function parsedJson(text: string): Json | undefined {
	try {
		const value = JSON.parse(text);
		return nestsTooDeep(text) ? undefined : value;
	} catch {
		return undefined;
	}
}
