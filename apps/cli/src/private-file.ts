import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { CliProblem } from "./command.ts";
import { quoteWord } from "./quote-word.ts";
import { decodeText, folderProblem, unreadableProblem } from "./text-file.ts";

const OTHERS_MODE = 0o077;

/** Reads a file with secrets, which only its owner may read. Messages name it as `shown`. */
export function readPrivateText(path: string, shown: string): string {
	const file = openFile(path, shown);
	try {
		// Checks the open file, so that the file checked is the file read. Windows has no such modes.
		const found = fstatSync(file);
		if (found.isDirectory()) throw folderProblem(shown);
		const { mode } = found;
		if (process.platform !== "win32" && (mode & OTHERS_MODE) !== 0)
			throw new CliProblem(
				`others on this machine can read or change ${shown} (mode ${(mode & 0o777).toString(8)})`,
				{ hint: `chmod 600 ${quoteWord(shown)}` },
			);
		return decodeText(readFileSync(file), shown);
	} catch (error) {
		throw error instanceof CliProblem ? error : unreadableProblem(shown, error);
	} finally {
		closeSync(file);
	}
}

function openFile(path: string, shown: string): number {
	try {
		return openSync(path, "r");
	} catch (error) {
		throw unreadableProblem(shown, error);
	}
}
