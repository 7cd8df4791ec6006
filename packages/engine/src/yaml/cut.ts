import { isScalar, Scalar } from "yaml";
import { type Path, quoteText, type Report } from "../diagnostics.ts";
import { findBlockValue, readLine, suggestQuotes } from "./quoting.ts";

const MAX_SEARCHED_LENGTH = 400;

/** Warns about a template or an expression that ` #` cut off: YAML reads the rest of the line as a comment. */
export function reportCut(node: Scalar, path: Path, text: string, report: Report): void {
	const value = String(node.value).slice(-MAX_SEARCHED_LENGTH);
	const comment = (node.comment ?? "").slice(0, MAX_SEARCHED_LENGTH);
	report.meter.spendOnText(value.length + comment.length);
	const isGlued = /^[^\s#]/.test(comment) && /\{\{|\}\}/.test(comment);
	if (!isGlued && !(isUnfinished(value) && /["')\]}]/.test(comment))) return;
	const end = node.range?.[1] ?? 0;
	const sourceOffset = text.indexOf("#", end);
	const message = `" #" starts a comment, so this value ends at ${quoteText(value.slice(-20))}`;
	const hint = suggestQuotes(findBlockValue(readLine(text, sourceOffset)));
	report.warning("cut_by_comment", message, { path, sourceOffset }, hint);
}

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Whether a bracket or a quote is open at the end. */
function isUnfinished(value: string): boolean {
	const open: string[] = [];
	for (const letter of value) {
		const quote = open.at(-1);
		if (quote === '"' || quote === "'") {
			if (letter === quote) open.pop();
		} else if (/["'([{]/.test(letter)) open.push(letter);
		else if (Object.hasOwn(PAIRS, letter) && open.at(-1) === PAIRS[letter]) open.pop();
	}
	return open.length > 0;
}

/** Warns about `{ key:value }`, which is one key without a value. */
export function reportGlued(node: unknown, key: string, path: Path, report: Report): void {
	if (!isScalar(node) || node.type !== Scalar.PLAIN) return;
	const [, name, value] = /^([\w-]{1,64}):(?!\/\/)(\S.{0,64})$/.exec(key) ?? [];
	if (name === undefined) return;
	const message = `a space is missing after ":": ${quoteText(key)} is read as one key`;
	report.warning(
		"missing_space",
		message,
		{ path, key: true, sourceOffset: node.range?.[0] ?? 0 },
		`Write ${name}: ${value}`,
	);
}
