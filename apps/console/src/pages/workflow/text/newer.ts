/** A text as it was stored, and when; null: never. */
export interface StoredText {
	readonly text: string;
	readonly at: string | null;
}

/** Whether what is stored now came after what was stored then. Times are to the second, in which two may save. */
export function isNewer(now: StoredText, then: StoredText): boolean {
	if (now.at === null || then.at === null) return false;
	return now.at === then.at ? now.text !== then.text : now.at > then.at;
}
