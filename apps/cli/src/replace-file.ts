import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliProblem } from "./command.ts";

/** Replaces a file atomically: a concurrent reader sees either the old or the new content. */
export function replaceFile(path: string, text: string): void {
	const target = resolveLinks(path);
	// Not the file's name with a suffix, which could be longer than a name may be.
	const draft = join(dirname(target), `.${randomBytes(8).toString("hex")}.draft`);
	try {
		mkdirSync(dirname(target), { recursive: true });
		writeFileSync(draft, text, { flag: "wx", mode: readMode(target), flush: true });
		renameSync(draft, target);
	} catch (error) {
		// Without a folder there is no draft either.
		if (existsSync(draft)) rmSync(draft);
		throw new CliProblem(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
			hint: "check that you can write to the file and its folder",
		});
	}
}

/** Resolves links, so that the target of a link is replaced and not the link. */
function resolveLinks(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

function readMode(path: string): number {
	const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0o644 };
	return mode & 0o777;
}

/** Renders JSON with the indentation of the previous text. */
export function renderJsonLike(before: string | null, value: object): string {
	const indent = /^([ \t]+)"/m.exec(before ?? "")?.[1] ?? "  ";
	return `${JSON.stringify(value, null, indent)}\n`;
}
