import type { MasterKeys } from "@tripline/platform/master-key";
import { readKeyId, seal, unseal, type VaultKey } from "@tripline/platform/vault";

/** Data keys and the key check are stored as envelopes of the same bytes, one per master key that can open them. */
export type Wraps = readonly string[];

export const isUnder = (wraps: Wraps, masterId: string): boolean =>
	wraps.some((envelope) => readKeyId(envelope) === masterId);

/** The master keys of this process. They are reloaded when an unknown one is needed. */
export function masterRing(masterKeys: MasterKeys) {
	let held = new Map<string, VaultKey>();

	return {
		/** The key in use. */
		async current(): Promise<VaultKey> {
			const [current] = await masterKeys.load();
			if (current === undefined) throw new Error("there is no master key");
			return current;
		},

		async find(id: string): Promise<VaultKey | null> {
			if (!held.has(id)) await reload();
			return held.get(id) ?? null;
		},

		/** Unwraps the bytes. Null if none of the envelopes is under an available key. */
		async unwrap(wraps: Wraps, context: readonly string[]): Promise<Uint8Array<ArrayBuffer> | null> {
			if (findHeld(wraps) === null) await reload();
			const found = findHeld(wraps);
			return found === null ? null : unseal(found.key, context, found.envelope);
		},
	};

	async function reload(): Promise<void> {
		held = new Map((await masterKeys.load()).map((key) => [key.id, key]));
	}

	function findHeld(wraps: Wraps): { key: VaultKey; envelope: string } | null {
		for (const envelope of wraps) {
			const key = held.get(readKeyId(envelope) ?? "");
			if (key !== undefined) return { key, envelope };
		}
		return null;
	}
}

export type MasterRing = ReturnType<typeof masterRing>;

export const wrapUnder = (
	masters: readonly VaultKey[],
	context: readonly string[],
	bytes: Uint8Array<ArrayBuffer>,
): Promise<string[]> => Promise.all(masters.map((master) => seal(master, context, bytes)));
