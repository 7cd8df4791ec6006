/** The reference being typed in a template or an expression. */
export type Reference =
	| { readonly kind: "head"; readonly from: number }
	/** After a dot: a member of the preceding steps. */
	| { readonly kind: "member"; readonly steps: readonly string[]; readonly from: number }
	| { readonly kind: "node name"; readonly quote: string; readonly from: number }
	| { readonly kind: "filter"; readonly from: number };

const NAME = /[\p{ID_Start}_][\p{ID_Continue}_]*/u.source;
const TAIL = new RegExp(`((?:${NAME}\\.)*)(?:${NAME})?$`, "u");
const NAMED = new RegExp(`nodes\\[(?:"([^"]+)"|'([^']+)')\\]\\.((?:${NAME}\\.)*)(?:${NAME})?$`, "u");

/** The open argument of a filter; only `default` takes a reference. */
const CONSTANT_ARGUMENT = /(?<!\|)\|\s*(?!default\b)[a-z_0-9]+\s*\([^)|]*$/;

/** Parses the reference before the cursor; null if there is nothing to complete. */
export function parseReference(text: string): Reference | null {
	const open = /\bnodes\[(["'])([^"'\]]*)$/u.exec(text);
	if (open !== null)
		return { kind: "node name", quote: open[1] ?? '"', from: text.length - (open[2] ?? "").length };
	const named = NAMED.exec(text);
	if (named !== null) {
		const steps = [named[1] ?? named[2] ?? "", ...splitSteps(named[3] ?? "")];
		return { kind: "member", steps, from: text.length - getLastWord(text).length };
	}
	if (isInQuotes(text)) return null;
	const filter = /\|\s*([a-z_0-9]*)$/.exec(text);
	if (filter !== null && !text.endsWith("||"))
		return { kind: "filter", from: text.length - (filter[1] ?? "").length };
	if (CONSTANT_ARGUMENT.test(text)) return null;
	const tail = TAIL.exec(text);
	const before = text.slice(0, tail?.index);
	if (/[\p{ID_Continue}\].]$/u.test(before)) return null;
	const steps = splitSteps(tail?.[1] ?? "");
	const from = text.length - getLastWord(text).length;
	return steps.length === 0 ? { kind: "head", from } : { kind: "member", steps, from };
}

const splitSteps = (text: string): string[] => text.split(".").filter((step) => step !== "");
const getLastWord = (text: string): string => new RegExp(`(?:${NAME})?$`, "u").exec(text)?.[0] ?? "";

function isInQuotes(text: string): boolean {
	let quote: string | null = null;
	for (const char of text)
		if (quote === null && (char === '"' || char === "'")) quote = char;
		else if (char === quote) quote = null;
	return quote !== null;
}
