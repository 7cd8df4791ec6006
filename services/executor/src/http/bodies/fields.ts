import type { FileValue } from "@tripline/contract/files";
import type { JsonObject } from "@tripline/contract/workflows";
import { malformed, tooLarge } from "./failures.ts";

/** What a form sent: the values of each name in the order in which they came. */
export type Fields = ReadonlyMap<string, readonly string[]>;
/** The same for a form that may have files. */
export type FileFields = ReadonlyMap<string, readonly FieldValue[]>;

export type FieldValue = string | FileValue;

const MAX_FIELDS = 1_000;
const MAX_NAME_LENGTH = 256;

/** Collects fields; a form with too many of them or with long names is refused. */
export class FieldCollector<Value extends FieldValue = string> {
	readonly fields = new Map<string, Value[]>();
	#count = 0;

	add(name: string, value: Value): void {
		if (++this.#count > MAX_FIELDS) throw tooLarge(`there are more than ${MAX_FIELDS} fields`);
		checkFieldName(name);
		const known = this.fields.get(name);
		if (known === undefined) this.fields.set(name, [value]);
		else known.push(value);
	}
}

export function checkFieldName(name: string): void {
	if (name.length > MAX_NAME_LENGTH)
		throw malformed(`the name of a field is longer than ${MAX_NAME_LENGTH} characters`);
}

/** Names are plain keys, without a syntax for nested values. A repeated name becomes a list. */
export function toInput(fields: FileFields): JsonObject {
	const input: JsonObject = {};
	for (const [name, values] of fields) {
		const value = values.length === 1 ? (values[0] as FieldValue) : [...values];
		// Assigning to __proto__ would set the prototype.
		Object.defineProperty(input, name, { value, enumerable: true, configurable: true, writable: true });
	}
	return input;
}
