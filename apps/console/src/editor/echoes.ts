/**
 * The page gives every text that it was told back as its value, some time later, when more may have been typed: such a
 * value is an echo, and taking it for a new text would lose what was typed since.
 */
export function untilEchoed(value: string) {
	let latest = value;
	/** Told, and not come back yet, oldest first. */
	let awaited: readonly string[] = [];
	return {
		/** Whether the text is news. */
		tell(text: string): boolean {
			if (text === latest) return false;
			latest = text;
			awaited = [...awaited, text];
			return true;
		},

		/** False: somebody else wrote it. The page may pass over some, but never goes back to one. */
		isEcho(text: string): boolean {
			const at = awaited.indexOf(text);
			if (at === -1 && text === latest) return true;
			awaited = at === -1 ? [] : awaited.slice(at + 1);
			if (at === -1) latest = text;
			return at !== -1;
		},
	};
}
