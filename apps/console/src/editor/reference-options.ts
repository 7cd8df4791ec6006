import type { Completion } from "@codemirror/autocomplete";
import type { FilterName } from "@tripline/contract/template-filters";
import type { Asked, Offered } from "./completion-request.ts";
import { isPlainName } from "./outline.ts";
import { parseReference } from "./reference.ts";
import { describeType, listProperties, type Schema } from "./schema.ts";

/** All filters in the order in which they are offered; true if one needs an argument. */
const NEEDS_ARGUMENT: Readonly<Record<FilterName, boolean>> = {
	default: true,
	json: false,
	parse_json: false,
	text: false,
	number: false,
	join: true,
	split: true,
	replace: true,
	trim: false,
	upper: false,
	lower: false,
	length: false,
	first: false,
	last: false,
	slice: true,
	unique: false,
	pluck: true,
	named: true,
	sum: false,
	min: false,
	max: false,
	keys: false,
	entries: false,
	round: false,
	date: true,
	html: false,
	url: false,
	base64: false,
	from_base64: false,
	sha256: false,
};
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
	request: ["method", "query", "headers", "content_type"],
	workflow: ["name", "version"],
	execution: ["id", "time", "trigger"],
};
/** Ends the name of what a loop's nodes returned in the turn before. */
const LAST = "_last";
const WORD = /^[\p{ID_Continue}]*$/u;

/** Names that a template or an expression can read; `start` is the column at which its text starts. */
export async function listReferenceOptions(
	text: string,
	start: number,
	asked: Asked,
): Promise<Offered | null> {
	const reference = parseReference(text);
	if (reference === null) return null;
	const from = start + reference.from;
	switch (reference.kind) {
		case "head":
			return { from, options: listHeads(asked, text), validFor: WORD };
		case "member":
			return { from, options: await listMembers(reference.steps, asked), validFor: WORD };
		case "filter":
			return { from, options: Object.entries(NEEDS_ARGUMENT).map(toFilterOption), validFor: WORD };
		case "node name": {
			const end = asked.after.startsWith(reference.quote) ? "" : `${reference.quote}]`;
			const options = asked.outline.nodes.map((name) => ({ label: name, apply: name + end }));
			return { from, options, validFor: /^[^"'\]]*$/ };
		}
	}

	function toFilterOption([name, needsArgument]: readonly [string, boolean], index: number): Completion {
		return {
			label: name,
			detail: asked.text.filter,
			boost: -index,
			...(needsArgument && { apply: `${name}(` }),
		};
	}
}

function listHeads({ outline, text }: Asked, written: string): Completion[] {
	// Inside a double-quoted text only single quotes can be used.
	const quote = written.includes('"') ? "'" : '"';
	return [
		...outline.elements.map((name) => ({ label: name, detail: text.element, boost: 2 })),
		...outline.turns.flatMap((name) => [
			{ label: name, detail: text.turn, boost: 2 },
			{ label: name + LAST, detail: text.lastTurn, boost: 2 },
		]),
		...outline.nodes.map((name) => ({
			label: name,
			detail: outline.configured.get(name) ?? text.node,
			boost: 1,
			...(!isPlainName(name) && { apply: `nodes[${quote}${name}${quote}]` }),
		})),
		...Object.entries(text.referenceHeads).map(([label, detail]) => ({
			label,
			detail,
			boost: label === "input" ? 3 : 0,
		})),
	];
}

async function listMembers(steps: readonly string[], { outline, sources }: Asked): Promise<Completion[]> {
	const isLast = outline.turns.some((name) => name + LAST === steps[0]);
	if (isLast && steps.length === 1) return outline.nodes.filter(isPlainName).map((label) => ({ label }));
	const [head = "", ...inner] = isLast ? steps.slice(1) : steps;
	if (head === "context" && inner.length === 0) return outline.context.map((label) => ({ label }));
	if (head === "credential" && inner.length === 0)
		return (await sources.credentials()).filter(isPlainName).map((label) => ({ label }));
	const known = inner.length === 0 ? MEMBERS[head] : undefined;
	if (known !== undefined) return known.map((label) => ({ label }));
	if (!outline.nodes.includes(head)) return [];
	const detail = await sources.component(outline.configured.get(head) ?? head);
	return listProperties((detail?.output ?? {}) as Schema, inner).map(({ name, schema }) => ({
		label: name,
		detail: describeType(schema),
		...(schema.description !== undefined && { info: schema.description }),
	}));
}
