/** A key of an object, or an index of a list. */
export type Step = string | number;

const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}_]*$/u;
/** Names with a meaning of their own in templates. A node of that name is read as `nodes["name"]`. */
const ROOTS: ReadonlySet<string> = new Set([
	"input",
	"context",
	"workflow",
	"execution",
	"request",
	"credential",
	"nodes",
]);
/** Templates refuse these keys. */
const REFUSED: ReadonlySet<Step> = new Set(["__proto__", "constructor", "prototype"]);
const MAX_STEPS = 64;
const MAX_INDEX = 999_999_999;

/** The first part of the path to a node's output. */
export const buildNodeRoot = (node: string): string =>
	IDENTIFIER.test(node) && !ROOTS.has(node) ? node : `nodes[${quote(node)}]`;

/** `a.b[0]["c d"]`, after a root that is written already. */
export const buildPath = (root: string, steps: readonly Step[]): string =>
	root + steps.map((step, index) => renderStep(step, root === "" && index === 0)).join("");

/** The path as a template; null if no template can read it. */
export function buildTemplate(root: string, steps: readonly Step[]): string | null {
	const isReadable = steps.every((step) =>
		typeof step === "number" ? step <= MAX_INDEX : !REFUSED.has(step) && step.isWellFormed(),
	);
	// A root of `nodes["name"]` is two steps.
	if (!isReadable || steps.length > MAX_STEPS - 2) return null;
	return `{{${buildPath(root, steps)}}}`;
}

function renderStep(step: Step, isFirst: boolean): string {
	if (typeof step === "number") return `[${step}]`;
	if (!IDENTIFIER.test(step)) return `[${quote(step)}]`;
	return isFirst ? step : `.${step}`;
}

/** Templates know fewer escapes than JSON. */
const quote = (text: string): string =>
	JSON.stringify(text).replace(/\\(.)/g, (sequence, letter) =>
		letter === "b" ? "\\u0008" : letter === "f" ? "\\u000c" : sequence,
	);
