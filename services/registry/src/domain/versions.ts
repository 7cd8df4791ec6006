/** Negative, zero or positive if `one` is lower than, equal to or higher than `other`. Both have the form `1.2.3`. */
export function compareVersions(one: string, other: string): number {
	const others = partsOf(other);
	const differences = partsOf(one).map((part, index) => part - (others[index] ?? 0));
	return differences.find((difference) => difference !== 0) ?? 0;
}

const partsOf = (version: string): number[] => version.split(".").map(Number);
