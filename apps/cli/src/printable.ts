/** Text of others: control characters and changes of direction would show something else than is there. */
export const printable = (text: string): string =>
	text.replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, " ");
