import { sha256Hex } from "@tripline/contract/ids";
import type { Kv } from "@tripline/platform/kv";
import { KEPT_SECONDS } from "./submissions.ts";

export type PublisherStorage = ReturnType<typeof publisherStorage>;

interface Publisher {
	readonly name: string;
	/** Of 32 characters or more that nobody can guess, so a plain hash does. */
	readonly token_sha256: string;
}

const KEY_LENGTH = 32;
/** A waiting submission must not outlive its publisher. */
const CLAIM_SECONDS = 2 * KEPT_SECONDS;

/** The same for names that differ only in case and spaces. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, " ").trim();

export const isSamePublisher = (one: string, other: string): boolean => folded(one) === folded(other);

/** Stands for the name in keys. */
export const publisherKey = async (name: string): Promise<string> =>
	(await sha256Hex(folded(name))).slice(0, KEY_LENGTH);

/** Who publishes under which name: whoever came first, proved by a token. */
export function publisherStorage(kv: Kv) {
	return {
		/** Hash of the token that the name belongs to; null: the name is free. */
		async tokenHash(key: string): Promise<string | null> {
			const text = await kv.get(keyOf(key));
			return text === null ? null : (JSON.parse(text) as Publisher).token_sha256;
		},

		/** A name under which nothing is published in time becomes free again. */
		claim: (key: string, publisher: Publisher): Promise<void> =>
			kv.put(keyOf(key), JSON.stringify(publisher), { ttlSeconds: CLAIM_SECONDS }),

		/** From now on for ever. */
		keep: (key: string, publisher: Publisher): Promise<void> => kv.put(keyOf(key), JSON.stringify(publisher)),
	};
}

const keyOf = (key: string): string => `publisher:${key}`;
