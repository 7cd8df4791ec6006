const MAX_MESSAGE = 2_000;

/** The message of a thrown value, bounded and storable in every database. */
export function messageOf(thrown: unknown): string {
	const text = textOf(thrown);
	if (text === "") return "the component failed without an error message";
	return text.slice(0, MAX_MESSAGE).toWellFormed().replaceAll("\u0000", "\uFFFD");
}

function textOf(thrown: unknown): string {
	try {
		return thrown instanceof Error ? String(thrown.message) : "";
	} catch {
		return "";
	}
}
