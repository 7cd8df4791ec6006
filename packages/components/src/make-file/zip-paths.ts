import { TerminalError } from "@tripline/engine/terminal-error";

const MAX_CHARACTERS = 1000;

/** The paths of a zip file: safe to extract on any system, and unique also where case does not count. */
export class ZipPaths {
	readonly #files = new Set<string>();
	readonly #folders = new Set<string>();
	/** The last number that was added to a name. */
	readonly #numbers = new Map<string, number>();

	/** Takes a path that was chosen; `place` names it in errors. */
	reserve(path: string, place: string): void {
		const problem = findPathProblem(path) ?? this.#findConflict(path);
		if (problem !== null) throw new TerminalError(`${place} ${problem}`);
		this.#add(path);
	}

	/** A path for a file of that name. */
	choose(given: string): string {
		const name = toSafeName(given);
		const key = toKey(name);
		let path = name;
		let number = this.#numbers.get(key) ?? 1;
		while (this.#findConflict(path) !== null) path = addNumber(name, ++number);
		this.#numbers.set(key, number);
		this.#add(path);
		return path;
	}

	#findConflict(path: string): string | null {
		const key = toKey(path);
		if (this.#files.has(key)) return `is the path of two files: ${path}`;
		if (this.#folders.has(key)) return `is the path of a file and of a folder: ${path}`;
		const folder = listFolders(key).find((above) => this.#files.has(above));
		return folder === undefined ? null : `is below a file: ${path}`;
	}

	#add(path: string): void {
		const key = toKey(path);
		this.#files.add(key);
		for (const folder of listFolders(key)) this.#folders.add(folder);
	}
}

function findPathProblem(path: string): string | null {
	if (path.length > MAX_CHARACTERS) return `must be at most ${MAX_CHARACTERS} characters`;
	// A colon is a drive or a second stream on Windows; controls and changes of direction make a name look like another.
	if (/[\\:\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(path))
		return "must not contain \\, : or invisible characters";
	const isRelative = path.split("/").every((segment) => !/^(?:\.{0,2}|\s.*|.*[\s.])$/.test(segment));
	return isRelative
		? null
		: "must be a relative path such as reports/may.csv, without . or .. and no name that starts or ends with a space or ends with a dot";
}

/** A name that could be a path, as far as that is needed to extract it anywhere. */
const toSafeName = (name: string): string => name.replace(/[\\/:]/g, "_").replace(/[\s.]+$/, "") || "file";

/** Equal for paths that are the same file on some system. */
const toKey = (path: string): string => path.normalize("NFC").toLowerCase();

const listFolders = (path: string): string[] =>
	Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index));

/** `report.csv` becomes `report (2).csv`. */
function addNumber(name: string, number: number): string {
	const dot = name.lastIndexOf(".");
	return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`;
}
