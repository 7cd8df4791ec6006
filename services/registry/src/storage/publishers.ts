import { sha256Hex } from "@tripline/contract/ids";
import type { Kv } from "@tripline/platform/kv";
import { KEPT_SECONDS } from "./submissions.ts";

export type PublisherStorage = ReturnType<typeof publisherStorage>;

interface Publisher {
	readonly name: string;
	/** The token has at least 32 unguessable characters, so an unsalted hash is enough. */
	readonly token_sha256: string;
}

const KEY_LENGTH = 32;
/** A waiting submission must not outlive its publisher's claim. */
const CLAIM_SECONDS = 2 * KEPT_SECONDS;

/** Equal for names that differ only in case and spaces. */
const foldName = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, " ").trim();

export const isSamePublisher = (one: string, other: string): boolean => foldName(one) === foldName(other);

/** The form of a publisher's name used in keys. */
export const buildPublisherKey = async (name: string): Promise<string> =>
	(await sha256Hex(foldName(name))).slice(0, KEY_LENGTH);

/** Publisher names belong to whoever claimed them first, proved by a token. */
export function publisherStorage(kv: Kv) {
	return {
		/** The hash of the owner's token; null if the name is free. */
		async findTokenHash(key: string): Promise<string | null> {
			const text = await kv.get(buildKey(key));
			return text === null ? null : (JSON.parse(text) as Publisher).token_sha256;
		},

		/** The claim expires if nothing is published in time. */
		claim: (key: string, publisher: Publisher): Promise<void> =>
			kv.put(buildKey(key), JSON.stringify(publisher), { ttlSeconds: CLAIM_SECONDS }),

		/** Makes the claim permanent. */
		keep: (key: string, publisher: Publisher): Promise<void> =>
			kv.put(buildKey(key), JSON.stringify(publisher)),
	};
}

const buildKey = (key: string): string => `publisher:${key}`;
