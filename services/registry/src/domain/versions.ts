/** Negative, zero or positive if `one` is lower than, equal to or higher than `other`. Both have the form `1.2.3`. */
export function compareVersions(one: string, other: string): number {
	const others = parseParts(other);
	const differences = parseParts(one).map((part, index) => part - (others[index] ?? 0));
	return differences.find((difference) => difference !== 0) ?? 0;
}

const parseParts = (version: string): number[] => version.split(".").map(Number);
