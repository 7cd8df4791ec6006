import { SYSTEM_OWNER } from "@tripline/contract/names";
import type { StoreClient } from "@tripline/store/client";

/** Records the first use of an authorization code. */
interface CodeUse {
	/** The hash of the access token for which the code is exchanged. */
	readonly token: string;
	/** When the token was issued; null: not issued, or not yet. */
	readonly issued_at: number | null;
}

const ENTRY_TYPE = "oauth_code";

/** Kept in the store, because key-value storage cannot decide which of two concurrent requests was first. */
export function codeUses({ entries }: Pick<StoreClient, "entries">) {
	const toEntry = (codeHash: string, mark: CodeUse) => ({
		entry_type: ENTRY_TYPE,
		owner_id: SYSTEM_OWNER,
		page_name: codeHash,
		content: JSON.stringify(mark),
	});

	return {
		/** Null: this is the first use. */
		async claim(codeHash: string, token: string): Promise<CodeUse | null> {
			const { entry, created } = await entries.createOnce(toEntry(codeHash, { token, issued_at: null }));
			return created ? null : parseUse(entry.content);
		},

		async get(codeHash: string): Promise<CodeUse | null> {
			const entry = await entries.get(SYSTEM_OWNER, ENTRY_TYPE, codeHash);
			return entry === null ? null : parseUse(entry.content);
		},

		async recordIssued(codeHash: string, token: string, issued_at: number): Promise<void> {
			await entries.upsert(toEntry(codeHash, { token, issued_at }));
		},
	};
}

const parseUse = (content: string): CodeUse => JSON.parse(content) as CodeUse;
