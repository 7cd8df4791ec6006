import { readFileSync } from "node:fs";
import { CliProblem } from "./command.ts";

/** Reads a text file; messages name it as `shown`. */
export function readTextFile(path: string, shown: string, code: 1 | 2 = 1): string {
	try {
		return decodeText(readFileSync(path), shown);
	} catch (error) {
		throw error instanceof CliProblem ? error : unreadableProblem(shown, error, code);
	}
}

/** Decodes UTF-8 and drops a byte order mark. */
export function decodeText(bytes: Uint8Array, shown: string): string {
	try {
		const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		if (!text.includes("\0")) return text;
	} catch {
		// Reported below.
	}
	throw new CliProblem(`${shown} is not a text file in UTF-8`, {
		hint: "name another file, or save it as UTF-8 in your editor",
	});
}

export function unreadableProblem(shown: string, error: unknown, code: 1 | 2 = 1): CliProblem {
	const { code: why } = error as NodeJS.ErrnoException;
	if (why === "ENOENT") return new CliProblem(`there is no file ${shown}`, { code });
	if (why === "EISDIR") return folderProblem(shown, code);
	const hint = why === "EACCES" || why === "EPERM" ? { hint: "correct its permissions" } : {};
	return new CliProblem(`${shown} cannot be read (${why})`, { code, ...hint });
}

export const folderProblem = (shown: string, code: 1 | 2 = 1): CliProblem =>
	new CliProblem(`${shown} is a folder`, { code, hint: "a file is needed there" });
