import { randomToken } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { Clock } from "@tripline/platform/clock";
import { CannotOpen, type VaultKey } from "@tripline/platform/vault";
import { type CredentialRows, listOutranked, type ValueRow } from "./credential-rows.ts";
import type { CredentialStorage } from "./credential-storage.ts";
import type { VaultEntry, VaultStorage } from "./storage.ts";
import { parseStoredKey, type StoredKey, type TenantKeys } from "./tenant-keys.ts";

export interface Rotated {
	readonly tenants: number;
	readonly credentials: number;
	/** Credentials that cannot be opened, as `tenant/name`. Their tenants keep their old keys. */
	readonly broken: readonly string[];
}

const PAGE = "rotation";
/** Longer than anything that was sealed with a run key is stored. */
const RUN_KEY_RETENTION_MS = 60 * 24 * 60 * 60_000;

/**
 * Creates new keys for every tenant. Credentials are sealed again with the new data key, and the old ones are removed.
 * What is stored of runs expires by itself: its old keys are removed once nothing can be sealed with them. An interrupted
 * rotation resumes where it stopped, because the new keys carry its id. Readers and writers need not wait for it.
 */
export async function rotateKeys(deps: {
	storage: VaultStorage;
	keys: TenantKeys;
	runKeys: TenantKeys;
	credentials: CredentialStorage;
	clock: Clock;
	/** Called after each tenant. */
	report(tenant: string, credentials: number): void;
}): Promise<Rotated> {
	const { storage, keys, runKeys, credentials, clock, report } = deps;
	const rotation = await beginRotation(storage);
	const broken: string[] = [];
	let tenants = 0;
	let count = 0;
	for (const tenant of await listTenants(storage)) {
		const hasNewRunKey = await rotateRunKeys(tenant);
		const sealed = await rotateDataKeys(tenant);
		if (sealed === null && !hasNewRunKey) continue;
		tenants++;
		count += sealed ?? 0;
		report(tenant, sealed ?? 0);
	}
	if (broken.length === 0) await storage.delete(rotation.entry);
	return { tenants, credentials: count, broken };

	/** Returns how many credentials were sealed again. Null if the tenant is already done or has no data key. */
	async function rotateDataKeys(tenant: string): Promise<number | null> {
		const before = await keys.list(tenant);
		if (before.length === 0) return null;
		if (before.length === 1 && before[0]?.rotation === rotation.id) return null;
		const newest = await keys.ensureNewest(tenant, rotation.id);
		let sealed = 0;
		let isWhole = true;
		for (const name of (await credentials.listByName(tenant)).keys()) {
			try {
				if (await sealAgain(tenant, name, newest)) sealed++;
			} catch (error) {
				if (!(error instanceof CannotOpen)) throw error;
				broken.push(`${tenant}/${name}`);
				isWhole = false;
			}
		}
		if (!isWhole) return sealed;
		for (const key of await keys.list(tenant)) {
			if (key.number < Number(newest.id)) await storage.delete(key.entry);
		}
		return sealed;
	}

	/** Returns whether there is a new one. */
	async function rotateRunKeys(tenant: string): Promise<boolean> {
		const newest = (await runKeys.list(tenant)).at(-1);
		if (newest === undefined) return false;
		await runKeys.ensureNewest(tenant, rotation.id);
		const stored = await runKeys.list(tenant);
		for (const [index, key] of stored.entries()) {
			if (isLongReplaced(stored[index + 1])) await storage.delete(key.entry);
		}
		return newest.rotation !== rotation.id;
	}

	function isLongReplaced(by: StoredKey | undefined): boolean {
		return by?.created_at !== undefined && Date.parse(by.created_at) < clock.now() - RUN_KEY_RETENTION_MS;
	}

	async function sealAgain(tenant: string, name: string, newest: VaultKey) {
		const found = await credentials.findCurrent(tenant, name);
		const isDue = found !== null && found.key.id !== newest.id;
		if (isDue) {
			const { entry: _, ...row } = found.row;
			const fields = await credentials.unseal(found.key, tenant, name, found.row);
			const envelope = await credentials.seal(newest, tenant, name, row, fields);
			await credentials.append(tenant, name, { ...row, envelope });
		}
		if (found !== null) await sealSessionAgain(tenant, name, found, newest);
		const rows = await credentials.rows(tenant, name);
		const best = rows.values.find(
			(row) => row.kind === "deleted" || row.envelope.startsWith(`v1.${newest.id}.`),
		);
		if (best !== undefined) await credentials.remove(listOutranked(rows, best));
		return isDue;
	}

	async function sealSessionAgain(
		tenant: string,
		name: string,
		{ row: { put }, rows }: { row: ValueRow; rows: CredentialRows },
		newest: VaultKey,
	): Promise<void> {
		const session = await credentials.findSession(tenant, rows, put);
		if (session === null || session.key === null || session.key.id === newest.id) return;
		const { entry: _, ...row } = session.row;
		const sealed = { ...row, envelope: row.envelope ?? "" };
		const tokens = await credentials.unsealSession(session.key, tenant, name, sealed);
		const envelope = await credentials.sealSession(newest, tenant, name, row, tokens);
		await credentials.append(tenant, name, { ...row, envelope });
	}
}

async function beginRotation(storage: VaultStorage): Promise<{ id: string; entry: VaultEntry }> {
	const page = { tenant: SYSTEM_OWNER, type: "vault_key", page: PAGE } as const;
	await storage.once({ ...page, metadata: { id: randomToken(12) } });
	for await (const entry of storage.list(page)) {
		return { id: String((entry.metadata as { id?: unknown }).id), entry };
	}
	throw new Error("another rotation has just ended: start it again");
}

async function listTenants(storage: VaultStorage): Promise<Set<string>> {
	const tenants = new Set<string>();
	for await (const entry of storage.list({ type: "vault_key" })) {
		if (parseStoredKey(entry) !== null) tenants.add(entry.tenant);
	}
	return tenants;
}
