import type { JsonObject } from "@tripline/contract/workflows";
import { malformed, tooLarge } from "./failures.ts";

/** What a form sent: the values of each name in the order in which they came. */
export type Fields = ReadonlyMap<string, readonly string[]>;

const MAX_FIELDS = 1_000;
const MAX_NAME_LENGTH = 256;

/** Collects fields; a form with too many of them or with long names is refused. */
export class FieldCollector {
	readonly fields = new Map<string, string[]>();
	#count = 0;

	add(name: string, value: string): void {
		if (++this.#count > MAX_FIELDS) throw tooLarge(`there are more than ${MAX_FIELDS} fields`);
		if (name.length > MAX_NAME_LENGTH)
			throw malformed(`the name of a field is longer than ${MAX_NAME_LENGTH} characters`);
		const known = this.fields.get(name);
		if (known === undefined) this.fields.set(name, [value]);
		else known.push(value);
	}
}

/** Names are plain keys, without a syntax for nested values. A repeated name becomes a list. */
export function toInput(fields: Fields): JsonObject {
	const input: JsonObject = {};
	for (const [name, values] of fields) {
		const value = values.length === 1 ? (values[0] as string) : [...values];
		// Assigning to __proto__ would set the prototype.
		Object.defineProperty(input, name, { value, enumerable: true, configurable: true, writable: true });
	}
	return input;
}
