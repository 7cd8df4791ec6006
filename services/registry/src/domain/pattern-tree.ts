/** The parts of a regular expression that decide its running time: which characters they match and how often. */
export type Part = Repeated & (Characters | Group);

interface Repeated {
	readonly least: number;
	readonly most: number;
}
interface Characters {
	readonly kind: "characters";
	/** Indexed by ASCII code; the last element represents all other characters. */
	readonly set: Uint8Array;
}
interface Group {
	/** Lookaheads and lookbehinds consume nothing. */
	readonly kind: "group" | "look";
	readonly alternatives: readonly Sequence[];
}
export type Sequence = readonly Part[];

export const PLACES = 129;
const OTHERS = 128;
const MAX_DEPTH = 50;

const buildSet = (includes: (code: number) => boolean): Uint8Array =>
	Uint8Array.from({ length: PLACES }, (_, code) => (includes(code) ? 1 : 0));
const buildPatternSet = (pattern: RegExp, others: boolean): Uint8Array =>
	buildSet((code) => (code === OTHERS ? others : pattern.test(String.fromCharCode(code))));
/** A negated class still contains some non-ASCII characters, whatever it excludes. */
const invertSet = (set: Uint8Array): Uint8Array =>
	set.map((member, code) => (code === OTHERS ? 1 : 1 - member));

const EVERY = buildSet(() => true);
const ANY = buildPatternSet(/[^\n\r]/, true);
const CLASSES: Readonly<Record<string, Uint8Array>> = {
	d: buildPatternSet(/\d/, false),
	D: buildPatternSet(/\D/, true),
	w: buildPatternSet(/\w/, false),
	W: buildPatternSet(/\W/, true),
	s: buildPatternSet(/\s/, true),
	S: buildPatternSet(/\S/, true),
};
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };

/** Parses a pattern leniently, because compiling it reports syntax errors. Null if it is nested too deeply. */
export function parsePattern(source: string, ignoresCase: boolean): readonly Sequence[] | null {
	let at = 0;
	let depth = 0;
	try {
		return alternatives();
	} catch (error) {
		if (error instanceof TooDeep) return null;
		throw error;
	}

	function alternatives(): Sequence[] {
		if (++depth > MAX_DEPTH) throw new TooDeep();
		const found: Part[][] = [[]];
		while (at < source.length && source[at] !== ")") {
			if (source[at] === "|") {
				at++;
				found.push([]);
			} else {
				const part = parseRepeated();
				if (part !== null) found.at(-1)?.push(part);
			}
		}
		depth--;
		return found;
	}

	function parseRepeated(): Part | null {
		const one = parseSingle();
		const times = parseQuantifier();
		return one === null ? null : ({ ...one, ...times } as Part);
	}

	function parseSingle(): Characters | Group | null {
		const character = source[at++];
		switch (character) {
			case "(":
				return parseGroup();
			case "[":
				return { kind: "characters", set: foldCase(parseCharacterClass()) };
			case ".":
				return { kind: "characters", set: ANY };
			case "^":
			case "$":
				return null;
			case "\\":
				return parseEscape();
			default:
				return { kind: "characters", set: foldCase(buildSingleSet(character ?? "")) };
		}
	}

	function parseGroup(): Group {
		const opening = /^\?(?:<?[=!]|<[^>]*>|[a-z-]*:)/.exec(source.slice(at, at + 80))?.[0] ?? "";
		at += opening.length;
		const inner = alternatives();
		at++;
		return { kind: /[=!]$/.test(opening) ? "look" : "group", alternatives: inner };
	}

	function parseEscape(): Characters | null {
		const letter = source[at] ?? "";
		if (letter === "b" || letter === "B") {
			at++;
			return null;
		}
		if (/[1-9]/.test(letter) || source.startsWith("k<", at)) {
			at += /^(?:\d+|k<[^>]*>)/.exec(source.slice(at, at + 80))?.[0].length ?? 1;
			// A backreference matches whatever its group matched.
			return { kind: "characters", set: EVERY };
		}
		return { kind: "characters", set: foldCase(parseEscapedSet()) };
	}

	/** After the backslash. */
	function parseEscapedSet(): Uint8Array {
		const rest = source.slice(at, at + 80);
		const code = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/i.exec(rest);
		if (code !== null) {
			at += code[0].length;
			return buildSingleSet(
				String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16))),
			);
		}
		const property = /^[pP]\{[^}]*\}/.exec(rest);
		at += property?.[0].length ?? 1;
		if (property !== null) return EVERY;
		const letter = rest[0] ?? "";
		return CLASSES[letter] ?? buildSingleSet(CONTROLS[letter] ?? letter);
	}

	function parseCharacterClass(): Uint8Array {
		const isInverted = source[at] === "^";
		if (isInverted) at++;
		const set = new Uint8Array(PLACES);
		while (at < source.length && source[at] !== "]") {
			const first = parseClassMember();
			const isRange = source[at] === "-" && at + 1 < source.length && source[at + 1] !== "]";
			if (isRange) at++;
			const last = isRange ? parseClassMember() : first;
			const [from, to] = isRange ? [first.indexOf(1), last.lastIndexOf(1)] : [1, 0];
			for (let code = from; code <= to; code++) set[code] = 1;
			for (let code = 0; code < PLACES; code++)
				set[code] = (set[code] ?? 0) | (first[code] ?? 0) | (last[code] ?? 0);
		}
		at++;
		return isInverted ? invertSet(set) : set;
	}

	function parseClassMember(): Uint8Array {
		const character = source[at++] ?? "";
		if (character !== "\\") return buildSingleSet(character);
		if (source[at] === "b") {
			at++;
			return buildSingleSet("\b");
		}
		return parseEscapedSet();
	}

	function parseQuantifier(): Repeated {
		const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at, at + 40));
		if (found === null) return { least: 1, most: 1 };
		at += found[0].length;
		const [, sign, least = "0", comma, most] = found;
		if (sign !== undefined)
			return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
		if (comma === "") return { least: Number(least), most: Number(least) };
		return { least: Number(least), most: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
	}

	function foldCase(set: Uint8Array): Uint8Array {
		if (!ignoresCase) return set;
		const both = set.slice();
		for (let code = 65; code <= 90; code++) {
			const either = (set[code] ?? 0) | (set[code + 32] ?? 0);
			both[code] = either;
			both[code + 32] = either;
		}
		return both;
	}
}

function buildSingleSet(character: string): Uint8Array {
	const set = new Uint8Array(PLACES);
	set[Math.min(OTHERS, character.codePointAt(0) ?? OTHERS)] = 1;
	return set;
}

class TooDeep extends Error {}
