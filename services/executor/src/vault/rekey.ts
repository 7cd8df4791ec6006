import { readKeyId } from "@tripline/platform/vault";
import { type KeyCheck, WrongMasterKey } from "./key-check.ts";
import { isUnder, type MasterRing, type Wraps, wrapUnder } from "./master-ring.ts";
import type { VaultStorage } from "./storage.ts";
import { buildKeyContext, parseStoredKey, type StoredKey } from "./tenant-keys.ts";

/**
 * Replaces the master key in two idempotent steps: wrap everything under the new key too and, once the new key is in
 * use, remove the other envelopes. Between the steps both keys open everything.
 */
export function rekeySteps(deps: { storage: VaultStorage; masters: MasterRing; check: KeyCheck }) {
	const { storage, masters, check } = deps;
	return {
		/**
		 * Returns how many keys were wrapped; the maximum means that there may be more. From the start of this step, new
		 * keys are wrapped under the new master key too.
		 */
		async wrapAll(masterId: string, max = Number.POSITIVE_INFINITY): Promise<number> {
			const master = await masters.find(masterId);
			if (master === null) throw new WrongMasterKey("the new master key is not available");
			await check.add(masterId);
			const checkWraps = await check.wraps();
			let wrapped = 0;
			for await (const key of listStoredKeys()) {
				if (await opensUnder(key, masterId)) continue;
				const rest = key.wraps.filter((envelope) => readKeyId(envelope) !== masterId);
				const bytes = await masters.unwrap(rest, getContext(key));
				if (bytes === null) {
					if (isAbandoned(key, checkWraps)) continue;
					throw new WrongMasterKey(`a ${key.kind} key is under a master key that is not available`);
				}
				const added = await wrapUnder([master], getContext(key), bytes);
				bytes.fill(0);
				await write(key, [...rest, ...added]);
				if (++wrapped === max) break;
			}
			return wrapped;
		},

		/**
		 * Returns whether all is done; with a maximum it may take several calls. The second pass is needed because keys
		 * created before the key check was reduced may still be wrapped under the old key. Those few are not counted.
		 */
		async leaveOnly(masterId: string, max = Number.POSITIVE_INFINITY): Promise<boolean> {
			if ((await dropOtherWraps(masterId, max)) === max) return false;
			await check.leaveOnly(masterId);
			await dropOtherWraps(masterId);
			return true;
		},

		/** Whether anything is still wrapped under another master key too. */
		async isUnfinished(masterId: string): Promise<boolean> {
			const isOther = (envelope: string) => readKeyId(envelope) !== masterId;
			if ((await check.wraps()).some(isOther)) return true;
			for await (const key of listStoredKeys()) {
				if (isUnder(key.wraps, masterId) && key.wraps.some(isOther)) return true;
			}
			return false;
		},
	};

	async function dropOtherWraps(masterId: string, max = Number.POSITIVE_INFINITY): Promise<number> {
		let written = 0;
		for await (const key of listStoredKeys()) {
			const left = key.wraps.filter((envelope) => readKeyId(envelope) === masterId);
			if (left.length === 0 || left.length === key.wraps.length) continue;
			await write(key, left);
			if (++written === max) break;
		}
		return written;
	}

	async function* listStoredKeys(): AsyncGenerator<StoredKey, void> {
		for await (const entry of storage.list({ type: "vault_key" })) {
			const key = parseStoredKey(entry);
			if (key !== null) yield key;
		}
	}

	async function opensUnder(key: StoredKey, masterId: string): Promise<boolean> {
		const own = key.wraps.filter((envelope) => readKeyId(envelope) === masterId);
		const bytes = await masters.unwrap(own, getContext(key)).catch(() => null);
		bytes?.fill(0);
		return bytes !== null;
	}

	function write({ entry }: StoredKey, wraps: Wraps): Promise<void> {
		return storage.replace({ ...entry, metadata: { ...entry.metadata, wraps } });
	}
}

const getContext = ({ entry, kind, number }: StoredKey): string[] =>
	buildKeyContext(kind, entry.tenant, number);

const isAbandoned = (key: StoredKey, checkWraps: Wraps): boolean =>
	!checkWraps.some((envelope) => isUnder(key.wraps, readKeyId(envelope) ?? ""));
