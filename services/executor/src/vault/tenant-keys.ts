import { Failed } from "@tripline/contract/failures";
import type { Clock } from "@tripline/platform/clock";
import { createKeyBytes, importVaultKey, readKeyId, type VaultKey } from "@tripline/platform/vault";
import * as z from "zod";
import { briefCache } from "./brief-cache.ts";
import { getTargetId, type KeyCheck, WrongMasterKey } from "./key-check.ts";
import { isUnder, type MasterRing, type Wraps, wrapUnder } from "./master-ring.ts";
import type { VaultEntry, VaultStorage } from "./storage.ts";

/** A data key seals a tenant's credentials, a run key what is stored of its runs. */
export type KeyKind = "data" | "run";

/** A tenant's stored key. Its number is its id; the key with the highest number of its kind is used to seal. */
export interface StoredKey {
	readonly entry: VaultEntry;
	readonly kind: KeyKind;
	readonly number: number;
	readonly wraps: Wraps;
	/** The rotation that created it. */
	readonly rotation?: string | undefined;
	/** Missing on keys that were created by an earlier release. */
	readonly created_at?: string | undefined;
}

const MAX_CACHED_KEYS = 1000;
const CACHE_MS = 5 * 60_000;
const MAX_TRIES = 8;
const PAGE = /^(data|run)-key:([1-9]\d{0,8})$/;
const Metadata = z.object({
	wraps: z.array(z.string()).min(1),
	rotation: z.string().optional(),
	created_at: z.string().optional(),
});

export const buildKeyContext = (kind: KeyKind, tenant: string, number: number): string[] => [
	`${kind} key`,
	tenant,
	String(number),
];

/** Null for other pages of the same entry type. */
export function parseStoredKey(entry: VaultEntry): StoredKey | null {
	const [, kind, number] = PAGE.exec(entry.page) ?? [];
	const parsed = Metadata.safeParse(entry.metadata);
	if (kind === undefined || !parsed.success) return null;
	return { entry, kind: kind as KeyKind, number: Number(number), ...parsed.data };
}

/**
 * The tenants' keys of one kind. A new one is created by insert-once under the next number, so that concurrent callers get the
 * same key. A key that is wrapped under none of the key check's master keys was left by a crash during its creation:
 * nothing acknowledged is sealed with it, and it counts as absent.
 */
export function tenantKeys(deps: {
	kind: KeyKind;
	masters: MasterRing;
	check: KeyCheck;
	storage: VaultStorage;
	clock: Clock;
}) {
	const { kind, masters, check, storage, clock } = deps;
	const opened = briefCache<VaultKey>({ clock, milliseconds: CACHE_MS, size: MAX_CACHED_KEYS });

	return {
		list,

		/** The key to seal with. Creates one if there is none, or none from the given rotation. */
		async ensureNewest(tenant: string, rotation?: string): Promise<VaultKey> {
			for (let tries = 0; tries < MAX_TRIES; tries++) {
				const wraps = await check.wraps();
				const last = (await list(tenant)).at(-1);
				if (last !== undefined && isFit(last, wraps, rotation)) return open(tenant, last);
				await make(tenant, (last?.number ?? 0) + 1, wraps, rotation);
			}
			throw unavailable("the vault's keys keep changing, try again");
		},

		/** Whether the key is still the newest and under the right master key, so that what it sealed stays readable. */
		async isNewest(tenant: string, key: VaultKey): Promise<boolean> {
			const wraps = await check.wraps();
			const last = (await list(tenant)).at(-1);
			return last !== undefined && String(last.number) === key.id && isFit(last, wraps);
		},

		/** Null for a retired key. */
		async find(tenant: string, id: string): Promise<VaultKey | null> {
			const known = opened.get(`${tenant}\n${id}`);
			if (known !== undefined) return known;
			const stored = (await list(tenant)).find((each) => String(each.number) === id);
			if (stored === undefined) return null;
			const isAbandoned = !(await check.wraps()).some((envelope) =>
				isUnder(stored.wraps, readKeyId(envelope) ?? ""),
			);
			return isAbandoned ? null : open(tenant, stored);
		},
	};

	async function list(tenant: string): Promise<StoredKey[]> {
		const keys: StoredKey[] = [];
		for await (const entry of storage.list({ type: "vault_key", tenant })) {
			const key = parseStoredKey(entry);
			if (key?.kind === kind) keys.push(key);
		}
		return keys.sort((a, b) => a.number - b.number);
	}

	async function open(tenant: string, { number, wraps }: StoredKey): Promise<VaultKey> {
		const known = opened.get(`${tenant}\n${number}`);
		if (known !== undefined) return known;
		const bytes = await masters.unwrap(wraps, buildKeyContext(kind, tenant, number));
		if (bytes === null) throw new WrongMasterKey(`a ${kind} key is under a master key that is not available`);
		const key = await importVaultKey(String(number), bytes);
		opened.set(`${tenant}\n${number}`, key);
		return key;
	}

	async function make(
		tenant: string,
		number: number,
		checkWraps: Wraps,
		rotation: string | undefined,
	): Promise<void> {
		const target = await masters.find(getTargetId(checkWraps));
		if (target === null) throw unavailable("the master key is being replaced, try again later");
		const others = await Promise.all(
			checkWraps.slice(0, -1).map((envelope) => masters.find(readKeyId(envelope) ?? "")),
		);
		const under = [...others.filter((master) => master !== null), target];
		const bytes = createKeyBytes();
		const wraps = await wrapUnder(under, buildKeyContext(kind, tenant, number), bytes);
		bytes.fill(0);
		const created_at = new Date(clock.now()).toISOString();
		const metadata = { wraps, created_at, ...(rotation === undefined ? {} : { rotation }) };
		await storage.once({ tenant, type: "vault_key", page: `${kind}-key:${number}`, metadata });
	}
}

export type TenantKeys = ReturnType<typeof tenantKeys>;

const isFit = (key: StoredKey, checkWraps: Wraps, rotation?: string): boolean =>
	isUnder(key.wraps, getTargetId(checkWraps)) && (rotation === undefined || key.rotation === rotation);

const unavailable = (message: string): Failed =>
	new Failed({ kind: "unavailable", message, retryAfterSeconds: 5 });
