import { type Json, nestsTooDeep } from "@tripline/contract/json";
import { decodeText } from "../http-request/answer.ts";
import type { OutboundAnswer } from "../outbound/call.ts";

export const parseAnswer = (answer: OutboundAnswer): Json | undefined => tryParseJson(decodeText(answer));

/** Undefined if the text is not JSON, or is nested too deep to be a real answer. */
export function tryParseJson(text: string): Json | undefined {
	try {
		const value = JSON.parse(text);
		return nestsTooDeep(text) ? undefined : value;
	} catch {
		return undefined;
	}
}
