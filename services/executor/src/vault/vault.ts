import { Failed } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { MasterKeys } from "@tripline/platform/master-key";
import { briefCache } from "./brief-cache.ts";
import { type CredentialRows, listOutranked, listSessions, type NewSessionRow } from "./credential-rows.ts";
import { credentialStorage, type Fields, type SessionTokens } from "./credential-storage.ts";
import { keyCheck } from "./key-check.ts";
import { masterRing } from "./master-ring.ts";
import { runSealers } from "./run-sealers.ts";
import { signatures } from "./signatures.ts";
import type { VaultStorage } from "./storage.ts";
import { tenantKeys } from "./tenant-keys.ts";

interface PutCredential {
	readonly auth_recipe: string;
	readonly fields: Fields;
}

/** The non-secret part of a credential. */
interface DescribedCredential {
	readonly name: string;
	readonly auth_recipe: string;
	/** Field names. */
	readonly fields: readonly string[];
	readonly updated_at: string;
}

type WrittenCredential = DescribedCredential & { readonly created: boolean };
type ListedCredential = DescribedCredential & {
	readonly last_used_at: string | null;
	/** Null if nobody has signed in. */
	readonly session: DescribedSession | null;
};

/** The part of a session that is not secret. */
type DescribedSession = Pick<NewSessionRow, "is_ended" | "account" | "signed_in_at" | "expires_at">;

/** A session as it is stored next. */
type PutSession = Omit<NewSessionRow, "kind" | "envelope" | "is_ended"> & {
	/** Null: the sign-in has ended. */
	readonly tokens: SessionTokens | null;
};

export interface Revealed extends PutCredential {
	/** Different for every put. */
	readonly put: string;
	/** Null if nobody has signed in. */
	readonly session: PutSession | null;
}

const VALUE_CACHE_MS = 5_000;
const MAX_CACHED_VALUES = 1_000;
const USE_INTERVAL_MS = 60 * 60_000;
const MAX_CACHED_USES = 10_000;
const MAX_TRIES = 8;

/** The tenants' credentials, sealed at rest. */
export function createVault(deps: {
	masterKeys: MasterKeys;
	storage: VaultStorage;
	background: Background;
	clock: Clock;
}) {
	const { storage, background, clock } = deps;
	const masters = masterRing(deps.masterKeys);
	const check = keyCheck({ masters, storage });
	const keys = tenantKeys({ kind: "data", masters, check, storage, clock });
	const runKeys = tenantKeys({ kind: "run", masters, check, storage, clock });
	const credentials = credentialStorage({ storage, keys, clock });
	const values = briefCache<Revealed>({ clock, milliseconds: VALUE_CACHE_MS, size: MAX_CACHED_VALUES });
	const recentUses = briefCache<true>({ clock, milliseconds: USE_INTERVAL_MS, size: MAX_CACHED_USES });

	return {
		...signatures(deps.masterKeys),
		...runSealers({ keys: runKeys, clock }),

		/** To be called at start. Throws `WrongMasterKey` if the vault cannot be read with the master key. */
		async checkKey(): Promise<void> {
			await check.verify();
		},

		/**
		 * A rotation may retire the key between sealing and writing. A put is acknowledged only if its key is still the
		 * newest after the write; otherwise it is sealed again.
		 */
		async put(
			tenant: string,
			name: string,
			{ auth_recipe, fields }: PutCredential,
		): Promise<WrittenCredential> {
			const [before] = (await credentials.rows(tenant, name)).values;
			const version = (before?.version ?? 0) + 1;
			const updated_at = now();
			const row = { kind: "value", version, put: uuidv7(clock.now()), auth_recipe, updated_at } as const;
			for (let tries = 0; ; tries++) {
				const key = await keys.ensureNewest(tenant);
				const envelope = await credentials.seal(key, tenant, name, row, fields);
				await credentials.append(tenant, name, { ...row, fields: Object.keys(fields), envelope });
				if (await keys.isNewest(tenant, key)) break;
				if (tries === MAX_TRIES) throw busy();
			}
			values.forget(buildKey(tenant, name));
			const rows = await credentials.rows(tenant, name);
			const written = rows.values.find((each) => each.put === row.put);
			if (written !== undefined) await credentials.remove(listOutranked(rows, written));
			const created = before?.kind !== "value";
			return { name, auth_recipe, fields: Object.keys(fields), created, updated_at };
		},

		list,

		/** Without values, for the compiler. */
		async listByName(tenant: string): Promise<Map<string, DescribedCredential>> {
			return new Map((await list(tenant)).map((credential) => [credential.name, credential]));
		},

		/** Whether it was there. */
		async delete(tenant: string, name: string): Promise<boolean> {
			const { values: found } = await credentials.rows(tenant, name);
			const [best] = found;
			if (best?.kind !== "value") return false;
			const put = uuidv7(clock.now());
			await credentials.append(tenant, name, {
				kind: "deleted",
				version: best.version + 1,
				put,
				updated_at: now(),
			});
			values.forget(buildKey(tenant, name));
			recentUses.forget(buildKey(tenant, name));
			const rows = await credentials.rows(tenant, name);
			const deleted = rows.values.find((each) => each.put === put);
			if (deleted !== undefined) await credentials.remove(listOutranked(rows, deleted));
			background.run("deleted credentials", () => removeLongDeleted(tenant));
			return true;
		},

		/**
		 * Stores what a sign-in or its renewal gave. False, and nothing is stored, if the credential was replaced or deleted
		 * meanwhile.
		 */
		async putSession(tenant: string, name: string, { tokens, ...session }: PutSession): Promise<boolean> {
			const row = { kind: "session", ...session, is_ended: tokens === null } as const;
			if (!isCurrent(await credentials.rows(tenant, name), session.put)) return false;
			for (let tries = 0; ; tries++) {
				const key = await keys.ensureNewest(tenant);
				const envelope =
					tokens === null ? null : await credentials.sealSession(key, tenant, name, row, tokens);
				await credentials.append(tenant, name, { ...row, envelope });
				if (await keys.isNewest(tenant, key)) break;
				if (tries === MAX_TRIES) throw busy();
			}
			values.forget(buildKey(tenant, name));
			const rows = await credentials.rows(tenant, name);
			const [best] = rows.values;
			if (best !== undefined) await credentials.remove(listOutranked(rows, best));
			return isCurrent(rows, session.put);
		},

		/**
		 * The secret values, for a signature or an outbound call. Null if there is no such credential. `isFresh`: as stored
		 * now, also by another process; this does not count as a use.
		 */
		async reveal(
			tenant: string,
			name: string,
			{ isFresh = false }: { readonly isFresh?: boolean } = {},
		): Promise<Revealed | null> {
			const known = isFresh ? undefined : values.get(buildKey(tenant, name));
			const revealed = known ?? (await open(tenant, name));
			if (revealed !== null && !isFresh) recordUse(tenant, name);
			return revealed;
		},
	};

	async function list(tenant: string): Promise<ListedCredential[]> {
		const listed: ListedCredential[] = [];
		for (const [name, rows] of await credentials.listByName(tenant)) {
			const { values, uses } = rows;
			const [best] = values;
			if (best?.kind !== "value") continue;
			const { auth_recipe, fields, updated_at } = best;
			listed.push({
				name,
				auth_recipe,
				fields,
				updated_at,
				last_used_at: uses[0]?.last_used_at ?? null,
				session: describeSession(listSessions(rows, best.put)[0]),
			});
		}
		return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	async function open(tenant: string, name: string): Promise<Revealed | null> {
		const age = values.age();
		const found = await credentials.findCurrent(tenant, name);
		if (found === null) return null;
		const fields = await credentials.unseal(found.key, tenant, name, found.row);
		const { auth_recipe, put } = found.row;
		const session = await openSession(tenant, name, found.rows, put);
		const revealed = { auth_recipe, fields, put, session };
		values.set(buildKey(tenant, name), revealed, age);
		return revealed;
	}

	async function openSession(
		tenant: string,
		name: string,
		rows: CredentialRows,
		put: string,
	): Promise<PutSession | null> {
		const found = await credentials.findSession(tenant, rows, put);
		if (found === null) return null;
		const { entry: _, kind: __, is_ended: ___, envelope, ...row } = found.row;
		if (found.key === null || envelope === null) return { ...row, tokens: null };
		return { ...row, tokens: await credentials.unsealSession(found.key, tenant, name, { ...row, envelope }) };
	}

	/** Records the use at most once an hour, so that a busy webhook does not write on every call. */
	function recordUse(tenant: string, name: string): void {
		if (recentUses.get(buildKey(tenant, name)) !== undefined) return;
		recentUses.set(buildKey(tenant, name), true);
		background.run("credential use", async () => {
			const before = await credentials.rows(tenant, name);
			const latest = before.uses[0]?.last_used_at;
			if (latest !== undefined && Date.parse(latest) > clock.now() - USE_INTERVAL_MS) return;
			await credentials.append(tenant, name, { kind: "use", last_used_at: now() });
			await credentials.remove(before.uses.map(({ entry }) => entry));
		});
	}

	async function removeLongDeleted(tenant: string): Promise<void> {
		for (const [, rows] of await credentials.listByName(tenant)) {
			if (credentials.isLongDeleted(rows)) await credentials.remove(orderForRemoval(rows));
		}
	}

	function now(): string {
		return new Date(clock.now()).toISOString();
	}
}

export type Vault = ReturnType<typeof createVault>;

/** The tombstone must be removed last: as long as it exists, the entries below it do not count. */
const orderForRemoval = ({ values, uses, sessions }: CredentialRows) =>
	[...uses, ...sessions, ...[...values].reverse()].map(({ entry }) => entry);

const describeSession = (row: DescribedSession | undefined): DescribedSession | null => {
	if (row === undefined) return null;
	const { is_ended, account, signed_in_at, expires_at } = row;
	return { is_ended, account, signed_in_at, expires_at };
};

const isCurrent = ({ values: [best] }: CredentialRows, put: string): boolean =>
	best?.kind === "value" && best.put === put;

const buildKey = (tenant: string, name: string): string => `${tenant}\n${name}`;

const busy = (): Failed =>
	new Failed({
		kind: "unavailable",
		message: "the vault's keys keep changing, try again",
		retryAfterSeconds: 5,
	});
