/** Shorter names differ by one letter too easily for that to mean anything. */
const SHORTEST = 5;

/** Whether people could take one name for the other: the same in another spelling, or one slip of the keyboard away. */
export function isConfusable(one: string, other: string): boolean {
	if (one === other) return true;
	if (Math.min(one.length, other.length) < SHORTEST) return false;
	return looksOf(one) === looksOf(other) || isOneSlipAway(one, other);
}

/** The same text for names that look alike. */
const looksOf = (name: string): string =>
	name
		.toLowerCase()
		.replaceAll(/[-_. ]/g, "")
		.replaceAll("0", "o")
		.replaceAll(/[1i]/g, "l")
		.replaceAll("5", "s")
		.replaceAll("rn", "m")
		.replaceAll("vv", "w");

/** One character added, left out, changed, or swapped with its neighbour. */
function isOneSlipAway(one: string, other: string): boolean {
	const [short, long] = one.length <= other.length ? [one, other] : [other, one];
	if (long.length - short.length > 1) return false;
	let at = 0;
	while (at < short.length && short[at] === long[at]) at++;
	const isSwapped =
		short.length === long.length &&
		short[at] === long[at + 1] &&
		short[at + 1] === long[at] &&
		short.slice(at + 2) === long.slice(at + 2);
	return isSwapped || short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
