import type { Json } from "@tripline/contract/json";
import type { Clock } from "@tripline/platform/clock";

/** Outputs of runs that were too long to be told at once, for a while and as far as memory goes. */
export interface HeldOutputs {
	hold(namespace: string, executionId: string, output: Json): void;
	/** Undefined: it is not held, or not any more. */
	get(namespace: string, executionId: string): Json | undefined;
}

interface Held {
	readonly text: string;
	readonly until: number;
}

/** In memory: what was not asked for the longest goes first. As text, so that what it takes is known. */
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
			const key = keyOf(namespace, executionId);
			const text = JSON.stringify(output);
			drop(key);
			if (bytesOf(text) > maxBytes) return;
			held.set(key, { text, until: clock.now() + maxAgeMs });
			bytes += bytesOf(text);
			for (const [oldest, { until }] of held) {
				if (bytes <= maxBytes && until > clock.now()) break;
				drop(oldest);
			}
		},

		get(namespace, executionId) {
			const key = keyOf(namespace, executionId);
			const found = held.get(key);
			if (found === undefined) return undefined;
			held.delete(key);
			if (found.until <= clock.now()) {
				bytes -= bytesOf(found.text);
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
		bytes -= bytesOf(found.text);
	}
}

/** A namespace has no blanks. */
const keyOf = (namespace: string, executionId: string): string => `${namespace} ${executionId}`;

/** Two for each character at most. */
const bytesOf = (text: string): number => 2 * text.length;
