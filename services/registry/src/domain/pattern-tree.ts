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
const DEEPEST = 50;

const setOf = (includes: (code: number) => boolean): Uint8Array =>
	Uint8Array.from({ length: PLACES }, (_, code) => (includes(code) ? 1 : 0));
const ofPattern = (pattern: RegExp, others: boolean): Uint8Array =>
	setOf((code) => (code === OTHERS ? others : pattern.test(String.fromCharCode(code))));
/** A negated class still contains some non-ASCII characters, whatever it excludes. */
const inverted = (set: Uint8Array): Uint8Array =>
	set.map((member, code) => (code === OTHERS ? 1 : 1 - member));

const EVERY = setOf(() => true);
const ANY = ofPattern(/[^\n\r]/, true);
const CLASSES: Readonly<Record<string, Uint8Array>> = {
	d: ofPattern(/\d/, false),
	D: ofPattern(/\D/, true),
	w: ofPattern(/\w/, false),
	W: ofPattern(/\W/, true),
	s: ofPattern(/\s/, true),
	S: ofPattern(/\S/, true),
};
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };

/** Parses a pattern leniently, because compiling it reports syntax errors. Null if it is nested too deeply. */
export function patternTree(source: string, ignoresCase: boolean): readonly Sequence[] | null {
	let at = 0;
	let depth = 0;
	try {
		return alternatives();
	} catch (error) {
		if (error instanceof TooDeep) return null;
		throw error;
	}

	function alternatives(): Sequence[] {
		if (++depth > DEEPEST) throw new TooDeep();
		const found: Part[][] = [[]];
		while (at < source.length && source[at] !== ")") {
			if (source[at] === "|") {
				at++;
				found.push([]);
			} else {
				const part = repeated();
				if (part !== null) found.at(-1)?.push(part);
			}
		}
		depth--;
		return found;
	}

	function repeated(): Part | null {
		const one = single();
		const times = quantifier();
		return one === null ? null : ({ ...one, ...times } as Part);
	}

	function single(): Characters | Group | null {
		const character = source[at++];
		switch (character) {
			case "(":
				return group();
			case "[":
				return { kind: "characters", set: folded(characterClass()) };
			case ".":
				return { kind: "characters", set: ANY };
			case "^":
			case "$":
				return null;
			case "\\":
				return afterBackslash();
			default:
				return { kind: "characters", set: folded(only(character ?? "")) };
		}
	}

	function group(): Group {
		const opening = /^\?(?:<?[=!]|<[^>]*>|[a-z-]*:)/.exec(source.slice(at, at + 80))?.[0] ?? "";
		at += opening.length;
		const inner = alternatives();
		at++;
		return { kind: /[=!]$/.test(opening) ? "look" : "group", alternatives: inner };
	}

	function afterBackslash(): Characters | null {
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
		return { kind: "characters", set: folded(escaped()) };
	}

	/** After the backslash. */
	function escaped(): Uint8Array {
		const rest = source.slice(at, at + 80);
		const code = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/i.exec(rest);
		if (code !== null) {
			at += code[0].length;
			return only(
				String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16))),
			);
		}
		const property = /^[pP]\{[^}]*\}/.exec(rest);
		at += property?.[0].length ?? 1;
		if (property !== null) return EVERY;
		const letter = rest[0] ?? "";
		return CLASSES[letter] ?? only(CONTROLS[letter] ?? letter);
	}

	function characterClass(): Uint8Array {
		const isInverted = source[at] === "^";
		if (isInverted) at++;
		const set = new Uint8Array(PLACES);
		while (at < source.length && source[at] !== "]") {
			const first = classMember();
			const isRange = source[at] === "-" && at + 1 < source.length && source[at + 1] !== "]";
			if (isRange) at++;
			const last = isRange ? classMember() : first;
			const [from, to] = isRange ? [first.indexOf(1), last.lastIndexOf(1)] : [1, 0];
			for (let code = from; code <= to; code++) set[code] = 1;
			for (let code = 0; code < PLACES; code++)
				set[code] = (set[code] ?? 0) | (first[code] ?? 0) | (last[code] ?? 0);
		}
		at++;
		return isInverted ? inverted(set) : set;
	}

	function classMember(): Uint8Array {
		const character = source[at++] ?? "";
		if (character !== "\\") return only(character);
		if (source[at] === "b") {
			at++;
			return only("\b");
		}
		return escaped();
	}

	function quantifier(): Repeated {
		const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at, at + 40));
		if (found === null) return { least: 1, most: 1 };
		at += found[0].length;
		const [, sign, least = "0", comma, most] = found;
		if (sign !== undefined)
			return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
		if (comma === "") return { least: Number(least), most: Number(least) };
		return { least: Number(least), most: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
	}

	function folded(set: Uint8Array): Uint8Array {
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

function only(character: string): Uint8Array {
	const set = new Uint8Array(PLACES);
	set[Math.min(OTHERS, character.codePointAt(0) ?? OTHERS)] = 1;
	return set;
}

class TooDeep extends Error {}
