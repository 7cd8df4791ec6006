import { type Completion, snippetCompletion } from "@codemirror/autocomplete";
import type { Asked, Offered } from "./completion-request.ts";
import type { Place } from "./place.ts";

const WORDS = [
	["then", "ON_SUCCESS"],
	["ON_FAIL", "ON_FAIL"],
	["ALWAYS", "ALWAYS"],
	["if true", "ON_TRUE"],
	["if false", "ON_FALSE"],
	["FOREACH", "FOREACH"],
	["REPEAT", "REPEAT"],
	["CASE", "CASE"],
	["DEFAULT", "DEFAULT"],
	["while waiting", "ON_WAIT"],
	["ON_SUCCESS", "ON_SUCCESS"],
	["ON_TRUE", "ON_TRUE"],
	["ON_FALSE", "ON_FALSE"],
	["ON_WAIT", "ON_WAIT"],
] as const;

/** Completes nodes as subject and object, and relations between them. */
export function listTripletOptions(
	place: Place & { kind: "triplet" },
	{ after, outline, text }: Asked,
): Offered {
	const isLast = place.part === 2 || after.includes(">>");
	const next = isLast ? "" : " >> ";
	const options =
		place.part === 1
			? WORDS.map(([word, relation], index) => toRelationOption(word, text.relations[relation], next, -index))
			: ["input", ...outline.nodes]
					.filter((name) => place.part === 0 || name !== "input")
					.map(
						(name): Completion => ({
							label: name,
							detail: describeNode(name),
							apply: name + next,
							type: "key",
						}),
					);
	return { from: place.from, options, validFor: /^[^>]*$/ };

	function describeNode(name: string): string {
		if (name === "input") return text.referenceHeads.input;
		const component = outline.configured.get(name);
		return component ?? (outline.configured.has(name) ? text.node : text.noSettings);
	}
}

function toRelationOption(label: string, detail: string, next: string, boost: number): Completion {
	if (label === "CASE") return snippetCompletion(`CASE #{value}${next}`, { label, detail, boost });
	if (label === "FOREACH") return snippetCompletion(`FOREACH #{item}${next}`, { label, detail, boost });
	if (label === "REPEAT") return snippetCompletion(`REPEAT #{turn}${next}`, { label, detail, boost });
	return { label, detail, apply: label + next, type: "key", boost };
}
