const MAX_MESSAGE = 2_000;

/** What a thrown value says, fit for a record: bounded, and text that every database can hold. */
export function messageOf(thrown: unknown): string {
	const text = textOf(thrown);
	if (text === "") return "the component failed without saying why";
	return text.slice(0, MAX_MESSAGE).toWellFormed().replaceAll("\u0000", "\uFFFD");
}

function textOf(thrown: unknown): string {
	try {
		return thrown instanceof Error ? String(thrown.message) : "";
	} catch {
		return "";
	}
}
