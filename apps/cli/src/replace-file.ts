import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CliProblem } from "./command.ts";

/** Writes a file as a whole: whoever reads it meanwhile sees the old one or the new one. */
export function replaceFile(path: string, text: string): void {
	const target = behindLinks(path);
	const draft = `${target}.${randomBytes(4).toString("hex")}.draft`;
	try {
		mkdirSync(dirname(target), { recursive: true });
		writeFileSync(draft, text, { flag: "wx", mode: modeOf(target), flush: true });
		renameSync(draft, target);
	} catch (error) {
		rmSync(draft, { force: true });
		throw new CliProblem(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
			hint: "see that its folder and the file itself can be written by you",
		});
	}
}

/** A link stays one: what it leads to is replaced. */
function behindLinks(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

function modeOf(path: string): number {
	const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0o644 };
	return mode & 0o777;
}

/** Indented as the text before it was. */
export function jsonLike(before: string | null, value: object): string {
	const indent = /^([ \t]+)"/m.exec(before ?? "")?.[1] ?? "  ";
	return `${JSON.stringify(value, null, indent)}\n`;
}
