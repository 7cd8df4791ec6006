import type { Json } from "@tripline/contract/json";
import type { Clock } from "@tripline/platform/clock";

/** Outputs of runs, held for a limited time and in limited memory, to be read in parts. */
export interface HeldOutputs {
	/** Returns the size of the output: characters of JSON. */
	hold(namespace: string, executionId: string, output: Json): number;
	/** Undefined: not held, or no longer. */
	get(namespace: string, executionId: string): Json | undefined;
}

interface Held {
	readonly text: string;
	readonly until: number;
}

/** An in-memory LRU cache. Outputs are stored as text, so that their size is known. */
export function heldOutputs(limits: {
	readonly clock: Clock;
	readonly maxBytes: number;
	readonly maxAgeMs: number;
}): HeldOutputs {
	const { clock, maxBytes, maxAgeMs } = limits;
	const held = new Map<string, Held>();
	let bytes = 0;

	return {
		hold(namespace, executionId, output) {
			const key = buildKey(namespace, executionId);
			const text = JSON.stringify(output);
			drop(key);
			if (countBytes(text) > maxBytes) return text.length;
			held.set(key, { text, until: clock.now() + maxAgeMs });
			bytes += countBytes(text);
			for (const [oldest, { until }] of held) {
				if (bytes <= maxBytes && until > clock.now()) break;
				drop(oldest);
			}
			return text.length;
		},

		get(namespace, executionId) {
			const key = buildKey(namespace, executionId);
			const found = held.get(key);
			if (found === undefined) return undefined;
			held.delete(key);
			if (found.until <= clock.now()) {
				bytes -= countBytes(found.text);
				return undefined;
			}
			held.set(key, found);
			return JSON.parse(found.text) as Json;
		},
	};

	function drop(key: string): void {
		const found = held.get(key);
		if (found === undefined) return;
		held.delete(key);
		bytes -= countBytes(found.text);
	}
}

/** A namespace contains no spaces. */
const buildKey = (namespace: string, executionId: string): string => `${namespace} ${executionId}`;

/** At most two bytes per character. */
const countBytes = (text: string): number => 2 * text.length;
