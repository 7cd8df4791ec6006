/** Shorter names often differ by one letter, so they are not compared. */
const MIN_COMPARED_LENGTH = 5;

/** Whether people could mistake one name for the other: they look alike or are one typing error apart. */
export function isConfusable(one: string, other: string): boolean {
	if (one === other) return true;
	if (Math.min(one.length, other.length) < MIN_COMPARED_LENGTH) return false;
	return toLookalikeKey(one) === toLookalikeKey(other) || isOneTypoApart(one, other);
}

/** Maps names that look alike to the same text. */
const toLookalikeKey = (name: string): string =>
	name
		.toLowerCase()
		.replaceAll(/[-_. ]/g, "")
		.replaceAll("0", "o")
		.replaceAll(/[1i]/g, "l")
		.replaceAll("5", "s")
		.replaceAll("rn", "m")
		.replaceAll("vv", "w");

/** One character added, removed, changed, or swapped with its neighbour. */
function isOneTypoApart(one: string, other: string): boolean {
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
