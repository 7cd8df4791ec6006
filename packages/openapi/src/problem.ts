/** Why a description cannot be used at all. The message is for the person who sent it. */
export class DescriptionProblem extends Error {
	override readonly name = "DescriptionProblem";
}

/** A part of a description that the recipe does not have, or has in another form. */
export interface Note {
	/** Place in the description. */
	readonly path: string;
	readonly message: string;
}

const MAX_NOTES = 500;
const MAX_PATH_LENGTH = 300;

/** Collects notes, each once. */
export class Notes {
	readonly #notes = new Map<string, Note>();

	add(path: string, message: string): void {
		if (this.#notes.size >= MAX_NOTES) return;
		const note = { path: path.slice(0, MAX_PATH_LENGTH), message };
		this.#notes.set(`${note.path}\n${message}`, note);
	}

	list(): Note[] {
		return [...this.#notes.values()];
	}
}
