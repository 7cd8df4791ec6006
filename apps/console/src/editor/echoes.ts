/**
 * The page passes every reported text back as its value, possibly after more has been typed. Such a value is an echo;
 * treating it as a new text would lose what was typed since.
 */
export function trackEchoes(value: string) {
	let latest = value;
	/** Reported texts that have not been echoed yet, oldest first. */
	let awaited: readonly string[] = [];
	return {
		/** Returns whether the text has changed since the last report. */
		report(text: string): boolean {
			if (text === latest) return false;
			latest = text;
			awaited = [...awaited, text];
			return true;
		},

		/** False if the text comes from elsewhere. The page may skip echoes but never repeats one. */
		isEcho(text: string): boolean {
			const at = awaited.indexOf(text);
			if (at === -1 && text === latest) return true;
			awaited = at === -1 ? [] : awaited.slice(at + 1);
			if (at === -1) latest = text;
			return at !== -1;
		},
	};
}
