import { StreamLanguage, type StringStream } from "@codemirror/language";
import { Tag, tags } from "@lezer/highlight";

/** Tags for syntax that only workflow documents have. */
export const TRIPLET_TAGS = {
	node: Tag.define(),
	relation: Tag.define(),
	failure: Tag.define(),
	arrow: Tag.define(),
	section: Tag.define(),
	template: Tag.define(),
};

interface Reading {
	/** The top-level key that the line belongs to. */
	section: string;
	/** Indentation of the key whose block scalar is being read; null outside a block scalar. */
	block: number | null;
	quote: '"' | "'" | null;
	isTemplate: boolean;
	/** Part of a triplet: subject, relation or object; null outside a triplet. */
	part: 0 | 1 | 2 | null;
	/** Open braces and brackets of flow style. */
	depth: number;
	isValue: boolean;
	/** In an unquoted scalar, which extends to the end of the line. */
	isPlain: boolean;
	/** Indentation of the first key below `config`. */
	nodeIndent: number | null;
}

const KEY =
	/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#{}[\],"'|>-][^#{}[\],:]*|-[^\s:][^:]*)(?=\s*:(?:\s|$))/u;
const BLOCK = /^[|>][-+\d]*(?=\s*(?:#.*)?$)/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?=\s*(?:[,\]}]|\s#|$))/;
const ATOM = /^(?:true|false|null|~)(?=\s*(?:[,\]}]|\s#|$))/;
const FAILURE = /^(?:on[_ ]?fail|on[_ ]error|失敗時)\b/i;

/** A line-based tokenizer for the subset of YAML that workflow documents use. */
export const tokens = {
	name: "tripline",
	startState: (): Reading => ({
		section: "",
		block: null,
		quote: null,
		isTemplate: false,
		part: null,
		depth: 0,
		isValue: false,
		isPlain: false,
		nodeIndent: null,
	}),
	copyState: (state: Reading): Reading => ({ ...state }),
	token(stream: StringStream, state: Reading): string | null {
		if (stream.sol()) startLine(stream, state);
		if (state.isTemplate) return template(stream, state);
		if (state.block !== null) return text(stream, state, null);
		if (state.quote !== null) return text(stream, state, state.quote);
		if (stream.eatSpace()) return null;
		const isSpaced = stream.start === 0 || /\s/.test(stream.string.charAt(stream.start - 1));
		if (isSpaced && stream.peek() === "#") {
			stream.skipToEnd();
			return "comment";
		}
		if (state.part !== null) return triplet(stream, state);
		if (state.isPlain) return readPlain(stream, state);
		return readYaml(stream, state);
	},
	languageData: {
		commentTokens: { line: "#" },
		closeBrackets: { brackets: ["(", "[", "{", "'", '"'], before: ")]}:;>\"'" },
	},
	tokenTable: {
		...TRIPLET_TAGS,
		key: tags.propertyName,
		string: tags.string,
		number: tags.number,
		atom: tags.atom,
		comment: tags.comment,
		punctuation: tags.punctuation,
	},
};

export const workflowLanguage = StreamLanguage.define<Reading>(tokens);

function startLine(stream: StringStream, state: Reading): void {
	const indent = stream.indentation();
	const isBlank = /^\s*$/.test(stream.string);
	if (state.block !== null && !isBlank && indent <= state.block) state.block = null;
	if (state.block === null) state.isTemplate = false;
	state.part = null;
	state.isPlain = false;
	if (state.depth === 0 && state.quote === null) state.isValue = false;
}

function readYaml(stream: StringStream, state: Reading): string | null {
	const column = stream.column();
	if (state.isValue && state.depth === 0 && stream.match("{{", false)) {
		state.isPlain = true;
		return readPlain(stream, state);
	}
	if (!state.isValue && stream.match(/^-(?=\s|$)/)) {
		if (state.section === "triplets" || state.section === "flow") startTriplet(stream, state);
		return "punctuation";
	}
	if (stream.match(/^[{[]/)) {
		state.depth++;
		state.isValue = stream.current() === "[";
		if (state.isValue && column > 0 && /^(?:triplets|flow):/.test(stream.string)) startTriplet(stream, state);
		return "punctuation";
	}
	if (stream.match(/^[}\]]/)) {
		state.depth = Math.max(0, state.depth - 1);
		state.isValue = true;
		return "punctuation";
	}
	if (stream.match(",")) {
		if (state.depth > 0) state.isValue = false;
		return "punctuation";
	}
	if (stream.match(":")) {
		state.isValue = true;
		return "punctuation";
	}
	if (!state.isValue) {
		const key = stream.match(KEY) as RegExpMatchArray | null;
		if (key !== null) return classifyKey(key[0], column, state);
	}
	if (stream.match(BLOCK)) {
		state.block = stream.indentation();
		return "punctuation";
	}
	if (stream.match(/^["']/)) {
		state.quote = stream.current() as '"' | "'";
		return "string";
	}
	if (stream.match(NUMBER)) return "number";
	if (stream.match(ATOM)) return "atom";
	if (state.depth === 0) {
		state.isPlain = true;
		return readPlain(stream, state);
	}
	stream.match(/^[^\s,{}[\]:]+/);
	if (stream.pos === stream.start) stream.next();
	return "string";
}

function readPlain(stream: StringStream, state: Reading): string {
	if (stream.match("{{")) {
		state.isTemplate = true;
		return "template";
	}
	stream.match(/^(?:[^\s{]|\{(?!\{)|\s(?!\s*#))+/);
	return "string";
}

function classifyKey(key: string, column: number, state: Reading): string {
	if (state.depth === 0 && column === 0) {
		state.section = key;
		state.nodeIndent = null;
		return "section";
	}
	if (state.section !== "config" || state.depth > 0) return "key";
	state.nodeIndent ??= column;
	return column === state.nodeIndent ? "node" : "key";
}

function startTriplet(stream: StringStream, state: Reading): void {
	if (stream.string.includes(">>", stream.pos)) state.part = 0;
}

function triplet(stream: StringStream, state: Reading): string | null {
	if (stream.match(">>")) {
		state.part = state.part === 0 ? 1 : 2;
		return "arrow";
	}
	if (stream.match(/^["',\]]/)) {
		if (stream.current() === ",") state.part = 0;
		return "punctuation";
	}
	const isRelation = state.part === 1;
	const isFailure =
		isRelation && stream.match(FAILURE, false) !== null && stream.match(FAILURE, false) !== false;
	stream.match(/^(?:[^>\s"',\]]|>(?!>)|\s(?!\s*(?:>>|#|$)))+/);
	if (stream.pos === stream.start) stream.next();
	if (!isRelation) return "node";
	return isFailure ? "failure" : "relation";
}

/** Reads a quoted or block scalar up to its end or the next template. */
function text(stream: StringStream, state: Reading, quote: '"' | "'" | null): string | null {
	if (stream.match("{{")) {
		state.isTemplate = true;
		return "template";
	}
	while (!stream.eol()) {
		if (stream.match("{{", false)) return "string";
		const next = stream.next();
		if (quote === '"' && next === "\\") stream.next();
		else if (next === quote && quote !== null) {
			if (quote === "'" && stream.peek() === "'") stream.next();
			else {
				state.quote = null;
				return "string";
			}
		}
	}
	return "string";
}

function template(stream: StringStream, state: Reading): string {
	if (stream.skipTo("}}")) {
		stream.match("}}");
		state.isTemplate = false;
	} else stream.skipToEnd();
	return "template";
}
