import type { Json } from "@tripline/contract/json";
import { step } from "@tripline/engine/expressions/path";
import { shownStatus, startOf, statusError } from "../http-request/status.ts";
import type { OutboundAnswer } from "../outbound/call.ts";
import { parsedAnswer } from "./parsed-answer.ts";

const MOST_SHOWN = 500;

export function refusedByProvider(answer: OutboundAnswer): Error {
	const said = errorIn(parsedAnswer(answer)) || startOf(answer);
	const status = `the provider answered ${shownStatus(answer.status)}`;
	return statusError(answer.status, said === "" ? status : `${status}: ${said}`);
}

/** The message of a provider's error object, empty if it has none; null if the value is not such an error. */
export function errorIn(value: Json | undefined): string | null {
	const error = step(value, "error") ?? step(value, "detail");
	if (error === undefined || error === null) return null;
	const message = typeof error === "string" ? error : step(error, "message");
	return typeof message === "string" ? message.trim().slice(0, MOST_SHOWN).toWellFormed() : "";
}
