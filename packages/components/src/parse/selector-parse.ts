import type { AttributeOperator, Combinator, Selector, SelectorList, Test } from "./selector.ts";
import { PLAIN, WITH_POSITION, WITH_SELECTORS } from "./selector-pseudo.ts";
import {
	COMBINATOR,
	decodeEscapes,
	FLAG,
	IDENTIFIER,
	NAME,
	NTH,
	OPERATOR,
	SPACE,
	STRING,
} from "./selector-words.ts";

/** What a selector that begins with a combinator is relative to; null if it must not. */
type RelativeTo = "scope" | "anchor" | null;

export class SelectorError extends Error {}

export const MAX_SELECTOR_CHARACTERS = 1_000;
/** Of a name in a message. */
const MAX_SHOWN = 40;
const MAX_NESTING = 8;

/** Throws a SelectorError. A selector that begins with a combinator is relative to `:scope`. */
export function parseSelector(text: string): SelectorList {
	if (text.length > MAX_SELECTOR_CHARACTERS)
		throw new SelectorError(`it is longer than ${MAX_SELECTOR_CHARACTERS} characters`);
	let at = 0;
	skipSpace();
	const list = readList(0, "scope");
	if (at < text.length) throw createError(`unexpected ${describeNext()}`);
	return list;

	function readList(nesting: number, relativeTo: RelativeTo): SelectorList {
		if (nesting > MAX_NESTING) throw createError("too many parentheses inside each other");
		const list = [readSelector(nesting, relativeTo)];
		skipSpace();
		while (text[at] === ",") {
			at++;
			skipSpace();
			list.push(readSelector(nesting, relativeTo));
			skipSpace();
		}
		return list;
	}

	function readSelector(nesting: number, relativeTo: RelativeTo): Selector {
		const leading = relativeTo === null ? undefined : (matchAt(COMBINATOR)?.[1] as Combinator | undefined);
		const isRelative = relativeTo !== null && (leading !== undefined || relativeTo === "anchor");
		let selector: Selector = {
			tests: readTests(nesting),
			before: isRelative
				? { combinator: leading ?? " ", selector: { tests: [{ kind: relativeTo }], before: null } }
				: null,
		};
		for (;;) {
			const before = at;
			const found = matchAt(COMBINATOR);
			if (found === undefined) return selector;
			if (found[1] === undefined && (at >= text.length || text[at] === "," || text[at] === ")")) {
				at = before;
				return selector;
			}
			const combinator = (found[1] ?? " ") as Combinator;
			selector = { tests: readTests(nesting), before: { combinator, selector } };
		}
	}

	function readTests(nesting: number): Test[] {
		const tests: Test[] = [];
		const type = readIdentifier(IDENTIFIER);
		if (type !== undefined) tests.push({ kind: "type", value: type.toLowerCase() });
		const isAny = type === undefined && text[at] === "*";
		if (isAny) at++;
		if (text[at] === "|") throw createError("namespaces are not supported");
		for (;;) {
			const sign = text[at];
			if (sign === ".") tests.push({ kind: "class", value: expect(IDENTIFIER, "the name of a class") });
			else if (sign === "#") tests.push({ kind: "id", value: expect(NAME, "an id") });
			else if (sign === "[") tests.push(readAttribute());
			else if (sign === ":") tests.push(...readPseudoClass(nesting));
			else {
				if (tests.length === 0 && !isAny)
					throw createError(`expected an element such as h1 or .price, not ${describeNext()}`);
				return tests;
			}
		}
	}

	function readAttribute(): Test {
		at++;
		skipSpace();
		const name = readIdentifier(IDENTIFIER)?.toLowerCase();
		if (name === undefined) throw createError("expected the name of an attribute");
		skipSpace();
		const operator = matchAt(OPERATOR)?.[0] as AttributeOperator | undefined;
		let value = "";
		let ignoresCase = false;
		if (operator !== undefined) {
			skipSpace();
			value = readValue();
			skipSpace();
			ignoresCase = matchAt(FLAG)?.[0].toLowerCase() === "i";
			skipSpace();
		}
		if (text[at] !== "]") throw createError("expected ]");
		at++;
		return {
			kind: "attribute",
			name,
			operator: operator ?? null,
			value: ignoresCase ? value.toLowerCase() : value,
			ignoresCase,
		};
	}

	function readValue(): string {
		const quoted = matchAt(STRING);
		if (quoted !== undefined) return decodeEscapes(quoted[1] ?? quoted[2] ?? "");
		const value = readIdentifier(IDENTIFIER);
		if (value === undefined) throw createError("expected a value; put it in quotes");
		return value;
	}

	function readPseudoClass(nesting: number): readonly Test[] {
		const start = at;
		at++;
		if (text[at] === ":") {
			throw createError(
				"pseudo-elements such as ::text are not supported: an element gives its text, and attribute: href an attribute",
				start,
			);
		}
		const name = readIdentifier(IDENTIFIER)?.toLowerCase();
		if (name === undefined) throw createError("expected the name of a pseudo-class");
		const plain = PLAIN.get(name);
		if (plain !== undefined) return plain;
		const position = WITH_POSITION.get(name);
		const kind = WITH_SELECTORS.get(name);
		if (position === undefined && kind === undefined) {
			const known = [...PLAIN.keys(), ...WITH_POSITION.keys(), ...WITH_SELECTORS.keys()];
			// As it is written, because an escape may stand for a control character.
			const written = text.slice(start, Math.min(at, start + MAX_SHOWN));
			throw createError(`there is no ${written} here; there are ${known.join(", ")}`, start);
		}
		if (text[at] !== "(") throw createError(`expected ( after :${name}`);
		at++;
		skipSpace();
		const test: Test =
			kind === undefined
				? { ...readNth(), ...(position as NonNullable<typeof position>) }
				: { kind, list: readList(nesting + 1, kind === "has" ? "anchor" : null) };
		skipSpace();
		if (text[at] !== ")") throw createError("expected )");
		at++;
		return [test];
	}

	function readNth(): { kind: "nth"; step: number; offset: number } {
		const found = matchAt(NTH);
		if (found === undefined) throw createError("expected a position such as 2, odd or 3n+1");
		const [, even, odd, step, sign, offset, only] = found;
		if (even !== undefined || odd !== undefined)
			return { kind: "nth", step: 2, offset: odd === undefined ? 0 : 1 };
		if (only !== undefined) return { kind: "nth", step: 0, offset: Number(only) };
		const isBare = step === "" || step === "+" || step === "-";
		return {
			kind: "nth",
			step: isBare ? Number(`${step}1`) : Number(step),
			offset: Number(`${sign ?? ""}${offset ?? 0}`),
		};
	}

	/** Reads what follows the sign at this place. */
	function expect(pattern: RegExp, what: string): string {
		at++;
		const found = readIdentifier(pattern);
		if (found === undefined) throw createError(`expected ${what}`);
		return found;
	}

	function readIdentifier(pattern: RegExp): string | undefined {
		const found = matchAt(pattern)?.[0];
		return found === undefined ? undefined : decodeEscapes(found);
	}

	function skipSpace(): void {
		matchAt(SPACE);
	}

	function matchAt(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		if (found === null) return undefined;
		at += found[0].length;
		return found;
	}

	function describeNext(): string {
		return at >= text.length
			? "the end"
			: JSON.stringify(String.fromCodePoint(text.codePointAt(at) as number));
	}

	function createError(what: string, place = at): SelectorError {
		return new SelectorError(`${what} (character ${place + 1})`);
	}
}
