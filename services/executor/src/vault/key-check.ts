import { SYSTEM_OWNER } from "@tripline/contract/names";
import { CannotOpen, readKeyId } from "@tripline/platform/vault";
import * as z from "zod";
import { type MasterRing, type Wraps, wrapUnder } from "./master-ring.ts";
import { isVaultInUse, type VaultStorage } from "./storage.ts";

/** The master key does not match the stored data. The service must not start or create new keys. */
export class WrongMasterKey extends Error {
	override readonly name = "WrongMasterKey";
}

const PAGE = "key-check";
const CONTEXT = ["key check"];
const KeyCheck = z.object({ wraps: z.array(z.string()).min(1) });

/**
 * A known text sealed with the master key. During a re-key it is stored once per key, the new one last, and new data
 * keys are wrapped under the new key too.
 */
export function keyCheck(deps: { masters: MasterRing; storage: VaultStorage }) {
	const { masters, storage } = deps;
	return {
		verify,

		async wraps(): Promise<Wraps> {
			return (await read()) ?? (await make());
		},

		async add(masterId: string): Promise<void> {
			const wraps = await verify();
			const master = await masters.find(masterId);
			if (master === null || getTargetId(wraps) === masterId) return;
			const others = wraps.filter((envelope) => readKeyId(envelope) !== masterId);
			await write([...others, ...(await wrapUnder([master], CONTEXT, new Uint8Array()))]);
		},

		async leaveOnly(masterId: string): Promise<void> {
			const wraps = await verify();
			const left = wraps.filter((envelope) => readKeyId(envelope) === masterId);
			if (left.length === 0)
				throw new WrongMasterKey("the key check is not under the key that remains in use");
			if (left.length < wraps.length) await write(left);
		},
	};

	/** Creates the key check in a new vault. Throws if no available master key opens it. */
	async function verify(): Promise<Wraps> {
		const wraps = (await read()) ?? (await make());
		const opened = await masters.unwrap(wraps, CONTEXT).catch((error: unknown) => {
			if (error instanceof CannotOpen) return null;
			throw error;
		});
		if (opened !== null) return wraps;
		throw new WrongMasterKey("this master key does not open the vault: restore the key it was created with");
	}

	async function read(): Promise<Wraps | null> {
		for await (const entry of storage.list({ type: "vault_key", tenant: SYSTEM_OWNER, page: PAGE })) {
			const parsed = KeyCheck.safeParse(entry.metadata);
			if (parsed.success) return parsed.data.wraps;
		}
		return null;
	}

	async function make(): Promise<Wraps> {
		const isUsed = await isVaultInUse(storage);
		// Another process may have created both in the meantime.
		const made = isUsed ? await read() : null;
		if (made !== null) return made;
		if (isUsed) {
			throw new WrongMasterKey(
				"the vault has entries but no key check: restore the store from a complete backup",
			);
		}
		const wraps = await wrapUnder([await masters.current()], CONTEXT, new Uint8Array());
		await storage.once({ tenant: SYSTEM_OWNER, type: "vault_key", page: PAGE, metadata: { wraps } });
		return (await read()) ?? wraps;
	}

	function write(wraps: Wraps): Promise<void> {
		return storage.replace({ tenant: SYSTEM_OWNER, type: "vault_key", page: PAGE, metadata: { wraps } });
	}
}

export type KeyCheck = ReturnType<typeof keyCheck>;

/** The master key that every new data key must be wrapped under. */
export const getTargetId = (wraps: Wraps): string => readKeyId(wraps.at(-1) ?? "") ?? "";
