import type { Frame } from "./frame.ts";
import { listIndexes } from "./run/journal.ts";

/** Services limit the length of an idempotency key, commonly to 255. */
const MAX_LENGTH = 200;

/**
 * Names a step for other services, so that they can tell a repeated call from a new one: the same for each attempt and in
 * a run that is resumed, and different for every other step. It consists of characters that any header may contain.
 */
export function buildStepKey(frame: Frame, id: string): string {
	const { execution, stepPrefix = (execution as { readonly id?: string }).id } = frame.roots;
	const key = `${stepPrefix}:${listIndexes(frame)}:${encodeURIComponent(id.toWellFormed())}`;
	return key.length <= MAX_LENGTH ? key : `${key.slice(0, MAX_LENGTH - 16)}${hash(key)}`;
}

/** 64 bits of FNV-1a in two halves, as 16 digits. */
function hash(text: string): string {
	let [low, high] = [0x811c9dc5, 0xc9dc5118];
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		low = Math.imul(low ^ code, 0x01000193);
		high = Math.imul(high ^ code ^ (low >>> 13), 0x01000193);
	}
	return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
