import type { Place, StoredBackup } from "./places.ts";

const DAY_MS = 86_400_000;

export interface Retention {
	readonly count: number;
	/** Null: of any age. */
	readonly days: number | null;
}

/** What is beyond the count, or too old. The newest stays, however old it is. */
export function chooseExpired(
	/** Oldest first. */
	backups: readonly StoredBackup[],
	{ count, days }: Retention,
	now: Date,
): readonly StoredBackup[] {
	const oldest = days === null ? Number.NEGATIVE_INFINITY : now.getTime() - days * DAY_MS;
	return backups.filter(
		({ at }, nth) => nth < backups.length - 1 && (nth < backups.length - count || at.getTime() < oldest),
	);
}

/** Returns the names of what was deleted. */
export async function deleteExpired(place: Place, retention: Retention, now: Date): Promise<string[]> {
	const expired = chooseExpired(await place.list(), retention, now);
	for (const { name } of expired) await place.delete(name);
	return expired.map(({ name }) => name);
}
