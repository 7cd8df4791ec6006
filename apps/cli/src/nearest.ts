import { measureDistance } from "@tripline/engine/nearest";

/** The name that was probably meant, or null. The beginning of a name stands for it. */
export function findNearest(given: string, names: readonly string[]): string | null {
	const meant = given.toLowerCase();
	const far = Math.max(1, Math.floor(meant.length / 3));
	const isBeginning = (name: string) => meant.length > 2 && name.startsWith(meant);
	const found = names
		.map((name) => ({
			name,
			distance: isBeginning(name)
				? name.length - meant.length
				: measureDistance(meant, name.toLowerCase(), far),
		}))
		.filter(({ name, distance }) => distance <= far || isBeginning(name))
		.sort((one, other) => one.distance - other.distance)[0];
	return found?.name ?? null;
}
