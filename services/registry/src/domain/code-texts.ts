/** A slash after one of these keywords starts a pattern; after any other name it is a division. */
const BEFORE_PATTERN =
	/(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield|instanceof)$/;
const MAX_RECENT_LENGTH = 32;

/**
 * The strings in JavaScript code as written, without quotes; of a template each piece, ending in `${` if an expression
 * follows. Regular expressions are skipped, because a quote in one starts no string.
 */
export function findTexts(code: string): string[] {
	const texts: string[] = [];
	/** The number of open braces in the current `${` of each open template. */
	const templates: number[] = [];
	let recent = "";
	let at = 0;
	while (at < code.length) {
		const character = code[at] as string;
		if (code.startsWith("//", at)) at = findEnd(/[\n\r\u2028\u2029]|$/g, at);
		else if (code.startsWith("/*", at)) at = findEnd(/\*\/|$/g, at + 2);
		else if (character === '"' || character === "'") readText(character);
		else if (character === "`") readTemplate();
		else if (character === "}" && templates.at(-1) === 0) {
			templates.pop();
			readTemplate();
		} else if (character === "/" && startsPattern()) skipPattern();
		else readPlain(character);
	}
	return texts;

	function readPlain(character: string): void {
		const open = templates.length - 1;
		if (open >= 0 && character === "{") templates[open] = (templates[open] ?? 0) + 1;
		if (open >= 0 && character === "}") templates[open] = (templates[open] ?? 0) - 1;
		if (!/\s/.test(character)) recent = (recent + character).slice(-MAX_RECENT_LENGTH);
		else if (/[\w$]$/.test(recent)) recent = `${recent} `.slice(-MAX_RECENT_LENGTH);
		at++;
	}

	function readText(quote: string): void {
		const start = ++at;
		while (at < code.length && code[at] !== quote) at += code[at] === "\\" ? 2 : 1;
		texts.push(code.slice(start, at));
		at++;
		recent = '"';
	}

	/** Reads from the template's start, or from the end of a `${}` in it. */
	function readTemplate(): void {
		const start = ++at;
		while (at < code.length && code[at] !== "`" && !code.startsWith("${", at))
			at += code[at] === "\\" ? 2 : 1;
		const isOpen = code[at] === "$";
		texts.push(code.slice(start, at) + (isOpen ? "${" : ""));
		if (isOpen) {
			templates.push(0);
			at += 2;
			recent = "(";
		} else {
			at++;
			recent = '"';
		}
	}

	function skipPattern(): void {
		at++;
		let isInClass = false;
		while (at < code.length && (isInClass || code[at] !== "/") && code[at] !== "\n") {
			if (code[at] === "[") isInClass = true;
			if (code[at] === "]") isInClass = false;
			at += code[at] === "\\" ? 2 : 1;
		}
		at++;
		recent = '"';
	}

	function startsPattern(): boolean {
		const before = recent.trimEnd();
		if (before === "") return true;
		// After a closing brace a slash is read as a pattern: a division there is rare, and what is missed is only shown.
		return BEFORE_PATTERN.test(before) || !/[\w$)\]"]$/.test(before);
	}

	function findEnd(end: RegExp, from: number): number {
		end.lastIndex = from;
		const found = end.exec(code);
		return found === null ? code.length : Math.max(at + 1, found.index + found[0].length);
	}
}
