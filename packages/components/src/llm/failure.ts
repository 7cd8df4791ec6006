import type { Json } from "@tripline/contract/json";
import { readStep } from "@tripline/engine/expressions/path";
import { describeStatus, readExcerpt, toStatusError } from "../http-request/status.ts";
import type { OutboundAnswer } from "../outbound/call.ts";
import { parseAnswer } from "./parse-answer.ts";

const MAX_MESSAGE_LENGTH = 500;

export function toProviderError(answer: OutboundAnswer): Error {
	const said = findProviderError(parseAnswer(answer)) || readExcerpt(answer);
	const status = `the provider answered ${describeStatus(answer.status)}`;
	return toStatusError(answer.status, said === "" ? status : `${status}: ${said}`);
}

/** The message of a provider's error object, empty if it has none; null if the value is not such an error. */
export function findProviderError(value: Json | undefined): string | null {
	const error = readStep(value, "error") ?? readStep(value, "detail");
	if (error === undefined || error === null) return null;
	const message = typeof error === "string" ? error : readStep(error, "message");
	return typeof message === "string" ? message.trim().slice(0, MAX_MESSAGE_LENGTH).toWellFormed() : "";
}
