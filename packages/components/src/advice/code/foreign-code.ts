/** The beginning of the code says in which language it is. */
const MAX_LINES = 200;
const MAX_LINE_LENGTH = 200;

const PYTHON: readonly RegExp[] = [
	/^[ \t]*(?:async )?def \w+\(/,
	/^[ \t]*import [\w.]+(?: as \w+)?[ \t]*$/,
	/^[ \t]*from [\w.]+ import /,
	/^[ \t]*elif .+:[ \t]*$/,
	/^[ \t]*(?:for \w+(?:, ?\w+)* in|if|while|with|except|class|try|else|finally)\b[^{}]*:[ \t]*(?:#.*)?$/,
	/^[ \t]*print [^(=]/,
	/^[ \t]*#(?!!)/,
	/\blambda \w*:/,
	/\[[^[\]]+ for \w+ in [^[\]]+\]/,
	/\bf"[^"]*\{/,
	/ (?:and|or|not|is) .*(?:None|True|False)\b/,
];
const TYPES =
	/\b(?:const|let|var) \w+ ?: ?[\w<>[\]| ]+=|\b(?:interface|type|enum) \w+\b.*[{=]|\bas (?:any|string|number)\b|\) ?: ?[\w<>[\]]+ ?\{/;
const IMPORT = /^[ \t]*(?:import\b|export\b)/;
const TEMPLATE = /\{\{ *[\w.[\]"']+.*\}\}/;

export const FENCE_HINT = "Delete the lines with ```";

/** A hint for code that is not JavaScript. The code has been found not to parse. */
export function adviseForeignCode(code: string, offset: number): string | undefined {
	const lines = code.split("\n", MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
	const start = code.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
	const line = code.slice(start, start + MAX_LINE_LENGTH).split("\n", 1)[0] ?? "";
	if (code.trimStart().startsWith("```")) return FENCE_HINT;
	if (TEMPLATE.test(line)) {
		return "The code is not a template: pass the value in the node's `input`, and read it as input.name";
	}
	if (lines.some((line) => PYTHON.some((pattern) => pattern.test(line))))
		return "It looks like Python. `code` runs JavaScript: rewrite it, with `return` for the output";
	if (IMPORT.test(line))
		return "There are no modules: write what you need in the code, and `return` the output";
	if (TYPES.test(line)) return "Types are TypeScript. `code` runs JavaScript: delete them";
	return undefined;
}
