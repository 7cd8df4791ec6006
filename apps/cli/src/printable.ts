/** Text from elsewhere: control characters and bidirectional overrides could make a terminal show something else. */
export const toPrintable = (text: string): string =>
	text.replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, " ");
