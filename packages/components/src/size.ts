import type { Json } from "@tripline/contract/json";

/**
 * What is left of `room` after the value, in characters of JSON; below 0 as soon as it does not fit. One large value
 * that is named many times is small in memory and huge as JSON.
 */
export function roomAfter(value: Json, room: number): number {
	if (typeof value === "string") return room - value.length - 2;
	if (typeof value !== "object" || value === null) return room - 1;
	let left = room - 2;
	for (const key in value) {
		if (left < 0) break;
		left = roomAfter(
			(value as { [key: string]: Json })[key] as Json,
			left - (Array.isArray(value) ? 1 : key.length + 3),
		);
	}
	return left;
}
