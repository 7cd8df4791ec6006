/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
	const one = new TextEncoder().encode(given);
	const other = new TextEncoder().encode(expected);
	let difference = one.length ^ other.length;
	for (let index = 0; index < other.length; index++) {
		difference |= (other[index] as number) ^ (one[index % one.length] ?? 0);
	}
	return difference === 0;
}
