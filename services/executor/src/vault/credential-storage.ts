import type { Clock } from "@tripline/platform/clock";
import { keyIdOf, seal, unseal, type VaultKey } from "@tripline/platform/vault";
import { type CredentialRows, credentialRows, type NewRow, type ValueRow } from "./credential-rows.ts";
import type { DataKeys } from "./data-keys.ts";
import type { VaultEntry, VaultStorage } from "./storage.ts";

export type Fields = Readonly<Record<string, string>>;

/** How long the tombstone of a deleted credential is kept. */
const DELETED_MS = 60 * 60_000;
const TRIES = 8;

/** Reads, seals and cleans up a tenant's credential entries. */
export function credentialStorage(deps: { storage: VaultStorage; keys: DataKeys; clock: Clock }) {
	const { storage, keys, clock } = deps;
	return {
		rows,

		/** Without the sealed values, so that a listing does not hold all of a tenant's secrets in memory. */
		async byName(tenant: string): Promise<Map<string, CredentialRows>> {
			const entries = new Map<string, VaultEntry[]>();
			for await (const entry of storage.list({ type: "credential", tenant })) {
				const light = { ...entry, metadata: { ...entry.metadata, envelope: envelopeHead(entry.metadata) } };
				const known = entries.get(entry.page);
				if (known === undefined) entries.set(entry.page, [light]);
				else known.push(light);
			}
			return new Map([...entries].map(([name, each]) => [name, credentialRows(each)]));
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
		async current(tenant: string, name: string): Promise<{ row: ValueRow; key: VaultKey } | null> {
			for (let tries = 0; tries < TRIES; tries++) {
				const { values } = await rows(tenant, name);
				if (values.length === 0) return null;
				for (const row of values) {
					if (row.kind === "deleted") return null;
					const key = await keys.find(tenant, keyIdOf(row.envelope) ?? "");
					if (key !== null) return { row, key };
				}
			}
			return null;
		},

		async seal(key: VaultKey, tenant: string, name: string, of: Sealed, fields: Fields): Promise<string> {
			const plaintext = new TextEncoder().encode(JSON.stringify(fields));
			const envelope = await seal(key, context(tenant, name, of), plaintext);
			plaintext.fill(0);
			return envelope;
		},

		async unseal(key: VaultKey, tenant: string, name: string, row: ValueRow): Promise<Fields> {
			const plaintext = await unseal(key, context(tenant, name, row), row.envelope);
			const fields = JSON.parse(new TextDecoder().decode(plaintext)) as Fields;
			plaintext.fill(0);
			return Object.freeze(fields);
		},

		isLongDeleted: ({ values: [best] }: CredentialRows): boolean =>
			best?.kind === "deleted" && Date.parse(best.updated_at) < clock.now() - DELETED_MS,
	};

	async function rows(tenant: string, name: string): Promise<CredentialRows> {
		const entries: VaultEntry[] = [];
		for await (const entry of storage.list({ type: "credential", tenant, page: name })) entries.push(entry);
		return credentialRows(entries);
	}
}

export type CredentialStorage = ReturnType<typeof credentialStorage>;

type Sealed = Pick<ValueRow, "version" | "auth_recipe">;

/** Includes the auth recipe, because that decides where the secret may be sent. */
const context = (tenant: string, name: string, { version, auth_recipe }: Sealed): string[] => [
	"credential",
	tenant,
	name,
	String(version),
	auth_recipe,
];

/** Enough characters to read the key's id. */
const HEAD = 80;

function envelopeHead(metadata: object): string | undefined {
	const { envelope } = metadata as { envelope?: unknown };
	// A plain slice would keep the whole string in memory.
	return typeof envelope === "string" ? [...envelope.slice(0, HEAD)].join("") : undefined;
}
