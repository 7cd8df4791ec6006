import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { CliProblem } from "./command.ts";
import { folderProblem, textIn, unreadable } from "./text-file.ts";

const OF_OTHERS = 0o077;

/** The text of a file with secrets, which only its owner may be able to read. `path` stands in messages as `shown`. */
export function privateText(path: string, shown: string): string {
	const file = opened(path, shown);
	try {
		// Of the open file: what is read is what was looked at. Windows has no such modes.
		const found = fstatSync(file);
		if (found.isDirectory()) throw folderProblem(shown);
		const { mode } = found;
		if (process.platform !== "win32" && (mode & OF_OTHERS) !== 0)
			throw new CliProblem(
				`others on this machine can read or change ${shown} (mode ${(mode & 0o777).toString(8)})`,
				{ hint: `chmod 600 ${quoted(shown)}` },
			);
		return textIn(readFileSync(file), shown);
	} catch (error) {
		throw error instanceof CliProblem ? error : unreadable(shown, error);
	} finally {
		closeSync(file);
	}
}

function opened(path: string, shown: string): number {
	try {
		return openSync(path, "r");
	} catch (error) {
		throw unreadable(shown, error);
	}
}

/** As a shell takes it. */
const quoted = (path: string): string =>
	/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
