import * as z from "zod";
import type { VaultEntry } from "./storage.ts";

/**
 * A credential is one or more entries on the page of its name; the highest-ranked one counts. Entries are only added and
 * removed, never updated, so that a concurrent put and rotation cannot undo each other, and the store only needs insert
 * and delete.
 */
const Row = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("value"),
		/** Counts the puts of this name. */
		version: z.int().min(1),
		/** Distinguishes concurrent puts of one version. A rotation that seals the value again keeps it. */
		put: z.string(),
		auth_recipe: z.string(),
		fields: z.array(z.string()),
		envelope: z.string(),
		updated_at: z.string(),
	}),
	/** A tombstone, kept for a while so that a concurrent rotation does not bring the value back. */
	z.object({
		kind: z.literal("deleted"),
		version: z.int().min(1),
		put: z.string(),
		updated_at: z.string(),
	}),
	z.object({ kind: z.literal("use"), last_used_at: z.string() }),
	/** The account that the owner signed in with. It belongs to one put: a replaced credential is not signed in. */
	z.object({
		kind: z.literal("session"),
		put: z.string(),
		/** Increases with every sign-in, so that a late renewal of an earlier one does not count. */
		login: z.string(),
		/** Counts the renewals of this sign-in. */
		revision: z.int().min(0),
		/** The owner must sign in again. */
		is_ended: z.boolean(),
		account: z.string().nullable(),
		signed_in_at: z.string(),
		/** Null if the sign-in is renewed without the owner. */
		expires_at: z.string().nullable(),
		/** The tokens; null if the sign-in has ended. */
		envelope: z.string().nullable(),
	}),
]);

export type NewRow = z.infer<typeof Row>;
export type ValueRow = Extract<NewRow, { kind: "value" }> & { readonly entry: VaultEntry };
type DeletedRow = Extract<NewRow, { kind: "deleted" }> & { readonly entry: VaultEntry };
export type NewSessionRow = Extract<NewRow, { kind: "session" }>;
export type SessionRow = NewSessionRow & { readonly entry: VaultEntry };
type UseRow = Extract<NewRow, { kind: "use" }> & { readonly entry: VaultEntry };

export interface CredentialRows {
	/** Highest rank first. */
	readonly values: readonly (ValueRow | DeletedRow)[];
	/** Latest first. */
	readonly uses: readonly UseRow[];
	/** Highest rank first. */
	readonly sessions: readonly SessionRow[];
}

/** The rows of one name. */
export function parseCredentialRows(entries: readonly VaultEntry[]): CredentialRows {
	const values: (ValueRow | DeletedRow)[] = [];
	const uses: UseRow[] = [];
	const sessions: SessionRow[] = [];
	for (const entry of entries) {
		const parsed = Row.safeParse(entry.metadata);
		if (!parsed.success) continue;
		if (parsed.data.kind === "use") uses.push({ ...parsed.data, entry });
		else if (parsed.data.kind === "session") sessions.push({ ...parsed.data, entry });
		else values.push({ ...parsed.data, entry });
	}
	return {
		values: values.sort((a, b) => compare(rank(b), rank(a))),
		uses: uses.sort((a, b) => compare([b.last_used_at], [a.last_used_at])),
		sessions: sessions.sort((a, b) => compare(rankSession(b), rankSession(a))),
	};
}

/** The sessions of a put, the current one first. */
export const listSessions = ({ sessions }: CredentialRows, put: string): SessionRow[] =>
	sessions.filter((session) => session.put === put);

/** Superseded entries, which may be removed at any time. */
export const listOutranked = (rows: CredentialRows, best: ValueRow | DeletedRow): VaultEntry[] => {
	const { values, uses, sessions } = rows;
	const higher = new Set(values.slice(0, values.indexOf(best)).map(({ put }) => put));
	const [current] = listSessions(rows, best.put);
	return [
		...values.slice(values.indexOf(best) + 1).map(({ entry }) => entry),
		...(best.kind === "deleted" ? uses : uses.slice(1)).map(({ entry }) => entry),
		...sessions.filter((each) => each !== current && !higher.has(each.put)).map(({ entry }) => entry),
	];
};

/** Ranks by version, then put, then the newest key of the put's envelopes; the id makes the order deterministic. */
function rank(row: ValueRow | DeletedRow): (string | number)[] {
	return [row.version, row.put, row.kind === "value" ? parseKeyNumber(row.envelope) : 0, row.entry.id];
}

/** A renewal that succeeded counts before one that was refused at the same time. */
function rankSession({ login, revision, is_ended, envelope, entry }: SessionRow): (string | number)[] {
	return [login, revision, is_ended ? 0 : 1, parseKeyNumber(envelope ?? ""), entry.id];
}

const parseKeyNumber = (envelope: string): number => Number(/^v1\.(\d{1,9})\./.exec(envelope)?.[1] ?? 0);

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
	for (const [index, part] of a.entries()) {
		const other = b[index] as string | number;
		if (part !== other) return part < other ? -1 : 1;
	}
	return 0;
}
