/** A stored text and the time it was saved; null if never. */
export interface StoredText {
	readonly text: string;
	readonly at: string | null;
}

/**
 * Whether one stored text is newer than another. Times have a resolution of one second, in which two users may save.
 */
export function isNewer(now: StoredText, then: StoredText): boolean {
	if (now.at === null || then.at === null) return false;
	return now.at === then.at ? now.text !== then.text : now.at > then.at;
}
