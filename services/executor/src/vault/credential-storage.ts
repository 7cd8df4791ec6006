import type { Clock } from "@tripline/platform/clock";
import { readKeyId, seal, unseal, type VaultKey } from "@tripline/platform/vault";
import {
	type CredentialRows,
	listSessions,
	type NewRow,
	type NewSessionRow,
	parseCredentialRows,
	type SessionRow,
	type ValueRow,
} from "./credential-rows.ts";
import type { VaultEntry, VaultStorage } from "./storage.ts";
import type { TenantKeys } from "./tenant-keys.ts";

export type Fields = Readonly<Record<string, string>>;

/** What the service issued when the owner signed in. Times are Unix milliseconds. */
export interface SessionTokens {
	readonly access: string;
	/** Null: the owner must sign in again when the access token ends. */
	readonly refresh: string | null;
	/** Null if the service does not say when the access token expires. */
	readonly expiresAt: number | null;
	/** When it should be renewed; null like `expiresAt`. */
	readonly renewAt: number | null;
	/** Fields of the credential that the service named. They are not secret. */
	readonly fields: Fields;
}

/** How long the tombstone of a deleted credential is kept. */
const TOMBSTONE_MS = 60 * 60_000;
const MAX_TRIES = 8;

/** Reads, seals and cleans up a tenant's credential entries. */
export function credentialStorage(deps: { storage: VaultStorage; keys: TenantKeys; clock: Clock }) {
	const { storage, keys, clock } = deps;
	return {
		rows: readRows,

		/** Without the sealed values, so that a listing does not hold all of a tenant's secrets in memory. */
		async listByName(tenant: string): Promise<Map<string, CredentialRows>> {
			const entries = new Map<string, VaultEntry[]>();
			for await (const entry of storage.list({ type: "credential", tenant })) {
				const light = {
					...entry,
					metadata: { ...entry.metadata, envelope: copyEnvelopeHead(entry.metadata) },
				};
				const known = entries.get(entry.page);
				if (known === undefined) entries.set(entry.page, [light]);
				else known.push(light);
			}
			return new Map([...entries].map(([name, each]) => [name, parseCredentialRows(each)]));
		},

		append: (tenant: string, name: string, row: NewRow) =>
			storage.append({ tenant, type: "credential", page: name, metadata: row }),

		async remove(entries: readonly VaultEntry[]): Promise<void> {
			for (const entry of entries) await storage.delete(entry);
		},

		/**
		 * The current value with its key. A row whose key is gone was never acknowledged, or was sealed again after it was
		 * read.
		 */
		async findCurrent(
			tenant: string,
			name: string,
		): Promise<{ row: ValueRow; key: VaultKey; rows: CredentialRows } | null> {
			for (let tries = 0; tries < MAX_TRIES; tries++) {
				const rows = await readRows(tenant, name);
				if (rows.values.length === 0) return null;
				for (const row of rows.values) {
					if (row.kind === "deleted") return null;
					const key = await keys.find(tenant, readKeyId(row.envelope) ?? "");
					if (key !== null) return { row, key, rows };
				}
			}
			return null;
		},

		/** The current session of a put; the key is null if it has ended. The same applies to a row whose key is gone. */
		async findSession(
			tenant: string,
			rows: CredentialRows,
			put: string,
		): Promise<{ row: SessionRow; key: VaultKey | null } | null> {
			for (const row of listSessions(rows, put)) {
				if (row.envelope === null) return { row, key: null };
				const key = await keys.find(tenant, readKeyId(row.envelope) ?? "");
				if (key !== null) return { row, key };
			}
			return null;
		},

		sealSession: (
			key: VaultKey,
			tenant: string,
			name: string,
			of: SealedSession,
			tokens: SessionTokens,
		): Promise<string> => sealJson(key, buildSessionContext(tenant, name, of), tokens),

		unsealSession: (
			key: VaultKey,
			tenant: string,
			name: string,
			row: SealedSession & { readonly envelope: string },
		): Promise<SessionTokens> => unsealJson(key, buildSessionContext(tenant, name, row), row.envelope),

		seal: (key: VaultKey, tenant: string, name: string, of: Sealed, fields: Fields): Promise<string> =>
			sealJson(key, buildContext(tenant, name, of), fields),

		unseal: (key: VaultKey, tenant: string, name: string, row: ValueRow): Promise<Fields> =>
			unsealJson(key, buildContext(tenant, name, row), row.envelope),

		isLongDeleted: ({ values: [best] }: CredentialRows): boolean =>
			best?.kind === "deleted" && Date.parse(best.updated_at) < clock.now() - TOMBSTONE_MS,
	};

	async function readRows(tenant: string, name: string): Promise<CredentialRows> {
		const entries: VaultEntry[] = [];
		for await (const entry of storage.list({ type: "credential", tenant, page: name })) entries.push(entry);
		return parseCredentialRows(entries);
	}
}

export type CredentialStorage = ReturnType<typeof credentialStorage>;

type Sealed = Pick<ValueRow, "version" | "auth_recipe">;
type SealedSession = Pick<NewSessionRow, "put" | "login" | "revision">;

async function sealJson(key: VaultKey, context: readonly string[], value: object): Promise<string> {
	const plaintext = new TextEncoder().encode(JSON.stringify(value));
	const envelope = await seal(key, context, plaintext);
	plaintext.fill(0);
	return envelope;
}

async function unsealJson<Value>(
	key: VaultKey,
	context: readonly string[],
	envelope: string,
): Promise<Readonly<Value>> {
	const plaintext = await unseal(key, context, envelope);
	const value = JSON.parse(new TextDecoder().decode(plaintext)) as Value;
	plaintext.fill(0);
	return Object.freeze(value);
}

/** Includes the put, whose auth recipe decides where the tokens may be sent. */
const buildSessionContext = (
	tenant: string,
	name: string,
	{ put, login, revision }: SealedSession,
): string[] => ["credential session", tenant, name, put, login, String(revision)];

/** Includes the auth recipe, because that decides where the secret may be sent. */
const buildContext = (tenant: string, name: string, { version, auth_recipe }: Sealed): string[] => [
	"credential",
	tenant,
	name,
	String(version),
	auth_recipe,
];

/** Enough characters to read the key's id. */
const HEAD_LENGTH = 80;

function copyEnvelopeHead(metadata: object): unknown {
	const { envelope } = metadata as { envelope?: unknown };
	// A plain slice would keep the whole string in memory.
	return typeof envelope === "string" ? [...envelope.slice(0, HEAD_LENGTH)].join("") : envelope;
}
