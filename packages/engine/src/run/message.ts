const MAX_MESSAGE_LENGTH = 2_000;

/** The message of a thrown value, bounded and storable in every database. */
export function toMessage(thrown: unknown): string {
	const text = readMessage(thrown);
	if (text === "") return "the component failed without an error message";
	return text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed().replaceAll("\u0000", "\uFFFD");
}

function readMessage(thrown: unknown): string {
	try {
		return thrown instanceof Error ? String(thrown.message) : "";
	} catch {
		return "";
	}
}
