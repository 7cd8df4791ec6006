import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { CliProblem } from "./command.ts";

const OF_OTHERS = 0o077;

/** The text of a file with secrets, which only its owner may be able to read. `path` stands in messages as `shown`. */
export function privateText(path: string, shown: string): string {
	const file = opened(path, shown);
	try {
		// Of the open file: what is read is what was looked at. Windows has no such modes.
		const { mode } = fstatSync(file);
		if (process.platform !== "win32" && (mode & OF_OTHERS) !== 0)
			throw new CliProblem(
				`others on this machine can read or change ${shown} (mode ${(mode & 0o777).toString(8)})`,
				{ hint: `chmod 600 ${quoted(shown)}` },
			);
		return readFileSync(file, "utf8");
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

function unreadable(shown: string, error: unknown): CliProblem {
	const { code } = error as NodeJS.ErrnoException;
	return new CliProblem(
		code === "ENOENT" ? `there is no file ${shown}` : `${shown} cannot be read (${code})`,
	);
}

/** As a shell takes it. */
const quoted = (path: string): string =>
	/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
