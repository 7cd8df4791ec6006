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
]);

export type NewRow = z.infer<typeof Row>;
export type ValueRow = Extract<NewRow, { kind: "value" }> & { readonly entry: VaultEntry };
type DeletedRow = Extract<NewRow, { kind: "deleted" }> & { readonly entry: VaultEntry };
type UseRow = Extract<NewRow, { kind: "use" }> & { readonly entry: VaultEntry };

export interface CredentialRows {
	/** Highest rank first. */
	readonly values: readonly (ValueRow | DeletedRow)[];
	/** Latest first. */
	readonly uses: readonly UseRow[];
}

/** The rows of one name. */
export function parseCredentialRows(entries: readonly VaultEntry[]): CredentialRows {
	const values: (ValueRow | DeletedRow)[] = [];
	const uses: UseRow[] = [];
	for (const entry of entries) {
		const parsed = Row.safeParse(entry.metadata);
		if (!parsed.success) continue;
		if (parsed.data.kind === "use") uses.push({ ...parsed.data, entry });
		else values.push({ ...parsed.data, entry });
	}
	return {
		values: values.sort((a, b) => compare(rank(b), rank(a))),
		uses: uses.sort((a, b) => compare([b.last_used_at], [a.last_used_at])),
	};
}

/** Superseded entries, which may be removed at any time. */
export const listOutranked = (
	{ values, uses }: CredentialRows,
	best: ValueRow | DeletedRow,
): VaultEntry[] => [
	...values.slice(values.indexOf(best) + 1).map(({ entry }) => entry),
	...(best.kind === "deleted" ? uses : uses.slice(1)).map(({ entry }) => entry),
];

/** Ranks by version, then put, then the newest key of the put's envelopes; the id makes the order deterministic. */
function rank(row: ValueRow | DeletedRow): (string | number)[] {
	return [row.version, row.put, row.kind === "value" ? parseKeyNumber(row.envelope) : 0, row.entry.id];
}

const parseKeyNumber = (envelope: string): number => Number(/^v1\.(\d{1,9})\./.exec(envelope)?.[1] ?? 0);

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
	for (const [index, part] of a.entries()) {
		const other = b[index] as string | number;
		if (part !== other) return part < other ? -1 : 1;
	}
	return 0;
}
