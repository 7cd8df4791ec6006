import type { Json } from "@tripline/contract/json";

const MAX_LENGTH = 500;

/** A value as JSON, cut if it is long. */
export function toBrief(value: Json): string {
	const text = JSON.stringify(value);
	return text.length <= MAX_LENGTH
		? text
		: `${text.slice(0, MAX_LENGTH).toWellFormed()}… (${text.length} characters)`;
}
