import { MAX_JSON_DEPTH } from "@tripline/contract/json";
import { Composer, type Document, LineCounter } from "yaml";
import type { Locate, Report } from "./diagnostics.ts";
import { TooMuchWork } from "./meter.ts";
import type { ReadYaml, Source } from "./source.ts";
import { describeTag, findMistake, type Mistake } from "./yaml/mistakes.ts";
import { type Anchors, locateInYaml } from "./yaml/places.ts";
import { FAILED, Reading } from "./yaml/reading.ts";
import { type Marks, readTokens } from "./yaml/tokens.ts";

const MAX_YAML_LENGTH = 256 * 1024;

const MAX_TAGS = 20;
/** Searching for the cause reads a few lines of limited length and every bracket once. */
const UNITS_PER_MISTAKE = 4_000;

export const yamlSource = (yaml: string): Source => ({ yaml, read: readYaml });

/** Reads YAML as plain data: only the tags of JSON, no duplicate keys, bounded aliases, merges with `<<`. */
export function readYaml(text: string, report: Report): ReadYaml {
	const lines = new LineCounter();
	if (text.length > MAX_YAML_LENGTH) {
		const message = `YAML may be at most ${MAX_YAML_LENGTH} characters long, this is ${text.length}`;
		report.error("too_large", message, { path: [] }, "Send it as JSON");
		return { value: undefined, locate: atStart };
	}
	if (nestsTooDeep(text)) {
		report.error("bad_yaml", `the YAML nests too deeply: at most ${MAX_JSON_DEPTH} levels`, { path: [] });
		return { value: undefined, locate: atStart };
	}
	const marks: Marks = { brackets: [], quotes: [] };
	const document = parseBounded(text, report, lines, marks);
	if (document === null) return { value: undefined, locate: atStart };
	const targets: Anchors = new Map();
	const locate = locateInYaml(text, document.contents, lines, targets);
	const mistakes = report.runBounded(() => listMistakes(text, document, marks, report), null);
	for (const { offset, message, hint } of mistakes ?? []) {
		report.error("bad_yaml", message, { path: [], sourceOffset: offset }, hint);
	}
	if (mistakes === null || mistakes.length > 0) return { value: undefined, locate };
	const reading = new Reading(report, text, marks, targets);
	const value = report.runBounded(() => reading.value(document.contents, []), FAILED);
	return { value: value === FAILED ? undefined : value, locate };
}

/** The parser recurses for every level. Brackets inside strings count too, so the bound leaves room for them. */
function nestsTooDeep(text: string): boolean {
	if (/(?:[-?:] ){128}/.test(text)) return true;
	let depth = 0;
	for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
		depth = Math.max(0, depth + (bracket === "[" || bracket === "{" ? 1 : -1));
		if (depth > 2 * MAX_JSON_DEPTH) return true;
	}
	return false;
}

const atStart: Locate = () => ({ order: [0], line: 1, column: 1 });

/** Null if it cannot be parsed, or not with the work that the report allows. */
export const parseBounded = (
	text: string,
	report: Report,
	lines = new LineCounter(),
	marks: Marks = { brackets: [], quotes: [] },
): Document.Parsed | null => report.runBounded(() => parse(text, lines, marks, report), null);

/** The library compares keys pairwise, which is slow on a large map, so `Reading` finds duplicates instead. */
function parse(text: string, lines: LineCounter, marks: Marks, report: Report): Document.Parsed | null {
	try {
		const composer = new Composer({
			version: "1.2",
			schema: "core",
			uniqueKeys: false,
			prettyErrors: false,
			resolveKnownTags: false,
			logLevel: "silent",
		});
		const tokens = readTokens(text, lines, marks, report.meter);
		const [document = null] = composer.compose(tokens, true, text.length);
		return document;
	} catch (error) {
		if (error instanceof TooMuchWork) throw error;
		const reason = error instanceof RangeError ? "it nests too deeply" : (error as Error).message;
		report.error("bad_yaml", `the YAML cannot be read: ${reason}`, { path: [] });
		return null;
	}
}

/** The first syntax error, because most of those after it are its consequences, and the tags before it. */
function listMistakes(text: string, document: Document.Parsed, marks: Marks, report: Report): Mistake[] {
	const first = document.errors
		.filter(({ code }) => code !== "TAG_RESOLVE_FAILED")
		.reduce<Document.Parsed["errors"][number] | null>(
			(first, error) => (first === null || error.pos[0] < first.pos[0] ? error : first),
			null,
		);
	const spend = () => report.meter.spend(UNITS_PER_MISTAKE + marks.brackets.length);
	const tags = [...document.errors, ...document.warnings]
		.filter(({ code, pos }) => code === "TAG_RESOLVE_FAILED" && pos[0] < (first?.pos[0] ?? text.length))
		.slice(0, MAX_TAGS)
		.map(({ pos }) => {
			spend();
			return describeTag(text, marks, pos[0]);
		});
	if (first === null) return tags;
	spend();
	return [...tags, findMistake(text, marks, first)];
}
