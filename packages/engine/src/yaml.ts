import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";
import {
	type Alias,
	Composer,
	type CST,
	type Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	Lexer,
	LineCounter,
	type Node,
	Parser,
	type Scalar,
	type YAMLMap,
} from "yaml";
import { type Locate, type Path, quoteText, type Report, type Spot } from "./diagnostics.ts";
import { type Meter, TooMuchWork } from "./meter.ts";
import type { ReadYaml, Source } from "./source.ts";
import { locateInYaml, toKeyName } from "./yaml-places.ts";

/** Maximum size of the document with its aliases expanded. */
const MAX_EXPANDED_LENGTH = 4 * 1024 * 1024;

const MAX_YAML_LENGTH = 256 * 1024;

/** One mistake often causes further errors after it. */
const MAX_PROBLEMS = 20;

/** A hundred times the cost of JSON. */
const UNITS_PER_LEXEME = 200;

const UNITS_PER_ESCAPE = 4;
/** The parser creates an error for each. */
const UNITS_PER_WRONG_ESCAPE = 400;
const WRONG_ESCAPE = /\\(?![0abefnrtvLNP_ "/\\\t\n\r]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/y;

export const yamlSource = (yaml: string): Source => ({ yaml, read: readYaml });

/** Reads YAML as plain data: only the tags of JSON, no duplicate keys, bounded aliases. */
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
	const document = report.runBounded(() => parse(text, lines, report), null);
	if (document === null) return { value: undefined, locate: atStart };
	const locate = locateInYaml(text, document.contents, lines);
	const problems = [...document.errors, ...document.warnings];
	for (const { code, message, pos } of problems.slice(0, MAX_PROBLEMS)) {
		const tag = code === "TAG_RESOLVE_FAILED";
		const problem = tag ? "only plain data is allowed, without custom tags" : message;
		report.error("bad_yaml", problem, { path: [], sourceOffset: pos[0] });
	}
	if (problems.length > 0) return { value: undefined, locate };
	const value = report.runBounded(() => new Reading(report).value(document.contents, []), FAILED);
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

/** The library compares keys pairwise, which is slow on a large map, so `Reading` finds duplicates instead. */
function parse(text: string, lines: LineCounter, report: Report): Document.Parsed | null {
	try {
		const composer = new Composer({
			version: "1.2",
			schema: "core",
			uniqueKeys: false,
			prettyErrors: false,
			resolveKnownTags: false,
			logLevel: "silent",
		});
		const [document = null] = composer.compose(readTokens(text, lines, report.meter), true, text.length);
		return document;
	} catch (error) {
		if (error instanceof TooMuchWork) throw error;
		const reason = error instanceof RangeError ? "it nests too deeply" : (error as Error).message;
		report.error("bad_yaml", `the YAML cannot be read: ${reason}`, { path: [] });
		return null;
	}
}

/**
 * Yields the parser's tokens and charges for each before it is composed. Stops after as many errors as are reported.
 */
function* readTokens(text: string, lines: LineCounter, meter: Meter): Generator<CST.Token, void> {
	const parser = new Parser(lines.addNewLine);
	lines.addNewLine(0);
	let errors = 0;
	for (const lexeme of new Lexer().lex(text)) {
		meter.spend(UNITS_PER_LEXEME);
		if (lexeme.startsWith('"')) spendOnEscapes(lexeme, meter);
		for (const token of parser.next(lexeme)) {
			yield token;
			if (token.type === "error" && ++errors >= MAX_PROBLEMS) return;
		}
	}
	yield* parser.end();
}

function spendOnEscapes(quoted: string, meter: Meter): void {
	for (let at = quoted.indexOf("\\"); at !== -1; at = quoted.indexOf("\\", at + 2)) {
		WRONG_ESCAPE.lastIndex = at;
		meter.spend(WRONG_ESCAPE.test(quoted) ? UNITS_PER_WRONG_ESCAPE : UNITS_PER_ESCAPE);
	}
}

const FAILED = Symbol("failed");

/** Converts the parsed document to JSON and measures its size with aliases expanded. */
class Reading {
	readonly #report: Report;
	readonly #anchors = new Map<string, { readonly value: Json; readonly size: number }>();
	#size = 0;

	constructor(report: Report) {
		this.#report = report;
	}

	value(node: unknown, path: Path): Json | typeof FAILED {
		if (path.length > MAX_JSON_DEPTH) return this.#fail("bad_yaml", "it nests too deeply", { path });
		if (isAlias(node)) return this.#alias(node, path);
		const before = this.#size;
		const value = this.#content(node, path);
		const anchor = (node as Node | null)?.anchor;
		if (anchor !== undefined && value !== FAILED) {
			this.#anchors.set(anchor, { value, size: this.#size - before });
		}
		return value;
	}

	#content(node: unknown, path: Path): Json | typeof FAILED {
		this.#size += 1;
		if (isMap(node)) return this.#map(node, path);
		if (isSeq(node)) {
			const list = node.items.map((item, index) => this.value(item, [...path, index]));
			return list.includes(FAILED) ? FAILED : (list as Json[]);
		}
		return isScalar(node) ? this.#scalar(node, path) : null;
	}

	#scalar({ value }: Scalar, path: Path): Json | typeof FAILED {
		if (typeof value === "string") this.#size += value.length;
		if (typeof value === "number" && !Number.isFinite(value)) {
			return this.#fail("bad_yaml", "must be a finite number", { path });
		}
		return value as Json;
	}

	#map(map: YAMLMap, path: Path): Json | typeof FAILED {
		const entries = new Map<string, Json>();
		let failed = false;
		for (const pair of map.items) {
			const key = toKeyName(pair.key);
			if (key === undefined) {
				this.#fail("bad_yaml", "a key must be text", { path });
				failed = true;
				continue;
			}
			const below = [...path, key];
			const value = this.value(pair.value, below);
			failed ||= value === FAILED;
			if (entries.has(key)) this.#duplicate(key, below, pair.key);
			else if (value !== FAILED) entries.set(key, value);
		}
		return failed ? FAILED : Object.fromEntries(entries);
	}

	#duplicate(key: string, path: Path, node: unknown): void {
		const isNode = path.length === 2 && path[0] === "config";
		const message = `duplicate ${isNode ? "node" : "key"} ${quoteText(key)}`;
		this.#report.error(isNode ? "duplicate_node" : "duplicate_key", message, {
			path,
			sourceOffset: (node as Node | null)?.range?.[0] ?? 0,
		});
	}

	#alias(alias: Alias, path: Path): Json | typeof FAILED {
		const anchor = this.#anchors.get(alias.source);
		if (anchor === undefined) {
			return this.#fail("bad_yaml", `*${alias.source} refers to no anchor before it`, { path });
		}
		this.#size += anchor.size;
		if (this.#size > MAX_EXPANDED_LENGTH) {
			return this.#fail("too_large", "the document is too long with its aliases expanded", { path });
		}
		return anchor.value;
	}

	#fail(code: string, message: string, spot: Spot): typeof FAILED {
		this.#report.error(code, message, spot);
		return FAILED;
	}
}
