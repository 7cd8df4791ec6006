import type { Json } from "@tripline/contract/json";
import type { Clock } from "@tripline/platform/clock";
import { noPeers, type Peers } from "@tripline/platform/peers";

const TOPIC = "output";

/** Outputs of runs, held for a limited time and in limited memory, to be read in parts. */
export interface HeldOutputs {
	/** Returns the size of the output: characters of JSON. */
	hold(namespace: string, executionId: string, output: Json): number;
	/** Undefined: not held, or no longer. Another process may hold it. */
	find(namespace: string, executionId: string): Promise<Json | undefined>;
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
	readonly peers?: Peers | undefined;
}): HeldOutputs {
	const { clock, maxBytes, maxAgeMs, peers = noPeers } = limits;
	const held = new Map<string, Held>();
	let bytes = 0;
	peers.answer(TOPIC, async (key) => get(key));

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

		async find(namespace, executionId) {
			const key = buildKey(namespace, executionId);
			const text = get(key) ?? (await peers.ask(TOPIC, key));
			return text === null ? undefined : (JSON.parse(text) as Json);
		},
	};

	function get(key: string): string | null {
		const found = held.get(key);
		if (found === undefined) return null;
		held.delete(key);
		if (found.until <= clock.now()) {
			bytes -= countBytes(found.text);
			return null;
		}
		held.set(key, found);
		return found.text;
	}

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
