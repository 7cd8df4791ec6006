import * as z from "zod";
import type { VaultEntry } from "./storage.ts";

/**
 * A credential is one or more entries on the page of its name, of which the highest counts. Entries are only ever
 * added and removed, never written over: so a put and a rotation at the same moment cannot undo each other, and no
 * store needs more than insert and delete for it.
 */
const Row = z.discriminatedUnion("kind", [
	z.object({
		kind: z.literal("value"),
		/** Counts the puts of this name. */
		version: z.int().min(1),
		/** Tells parallel puts of one version apart; stays the same when a rotation seals the value again. */
		put: z.string(),
		auth_recipe: z.string(),
		fields: z.array(z.string()),
		envelope: z.string(),
		updated_at: z.string(),
	}),
	/** The name was deleted; stays a while, so that a rotation under way does not bring the value back. */
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
	/** The highest first. */
	readonly values: readonly (ValueRow | DeletedRow)[];
	/** The latest first. */
	readonly uses: readonly UseRow[];
}

/** The rows of one name. */
export function credentialRows(entries: readonly VaultEntry[]): CredentialRows {
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

/** Entries that nobody will look at again: anyone may remove them at any time. */
export const outranked = ({ values, uses }: CredentialRows, best: ValueRow | DeletedRow): VaultEntry[] => [
	...values.slice(values.indexOf(best) + 1).map(({ entry }) => entry),
	...(best.kind === "deleted" ? uses : uses.slice(1)).map(({ entry }) => entry),
];

/** By version, then by put; of one put's envelopes the one under the newest key, then any, but always the same. */
function rank(row: ValueRow | DeletedRow): (string | number)[] {
	return [row.version, row.put, row.kind === "value" ? keyNumber(row.envelope) : 0, row.entry.id];
}

const keyNumber = (envelope: string): number => Number(/^v1\.(\d{1,9})\./.exec(envelope)?.[1] ?? 0);

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
	for (const [index, part] of a.entries()) {
		const other = b[index] as string | number;
		if (part !== other) return part < other ? -1 : 1;
	}
	return 0;
}
