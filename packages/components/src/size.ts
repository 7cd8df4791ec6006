import type { Json } from "@tripline/contract/json";

/**
 * Subtracts the value's length in characters of JSON from `room`; stops below 0. A large value that is referenced many
 * times is small in memory but huge as JSON.
 */
export function subtractSize(value: Json, room: number): number {
	if (typeof value === "string") return room - value.length - 2;
	if (typeof value !== "object" || value === null) return room - 1;
	let left = room - 2;
	for (const key in value) {
		if (left < 0) break;
		left = subtractSize(
			(value as { [key: string]: Json })[key] as Json,
			left - (Array.isArray(value) ? 1 : key.length + 3),
		);
	}
	return left;
}
