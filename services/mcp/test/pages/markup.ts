import assert from "node:assert/strict";

export interface Element {
	readonly tag: string;
	readonly attributes: ReadonlyMap<string, string>;
	/** The text between this tag and the next one. */
	text: string;
}

const TAG = /^<(\/?)([a-z][a-z0-9]*)((?:\s+[A-Za-z-]+(?:="[^"<>]*")?)*)\s*\/?>/;
const ATTRIBUTE = /([A-Za-z-]+)(?:="([^"<>]*)")?/g;
const ENTITIES: Readonly<Record<string, string>> = {
	"&amp;": "&",
	"&lt;": "<",
	"&gt;": ">",
	"&quot;": '"',
	"&#39;": "'",
};

/**
 * Parses the subset of HTML that the pages use, and fails on anything else. In that subset a browser sees no tag or
 * attribute that this parser misses, so two texts with the same elements are the same page.
 */
export function parseElements(html: string): Element[] {
	const start = "<!doctype html>";
	assert.ok(html.startsWith(start));
	const found: Element[] = [];
	let at = start.length;
	while (at < html.length) {
		const next = html.indexOf("<", at);
		const text = html.slice(at, next === -1 ? html.length : next);
		const last = found.at(-1);
		if (last !== undefined) last.text += last.tag === "style" ? text : decodeEntities(text);
		if (next === -1) break;
		const tag = TAG.exec(html.slice(next, next + 20_000));
		assert.ok(tag, `not a tag: ${html.slice(next, next + 60)}`);
		const attributes = [...(tag[3] ?? "").matchAll(ATTRIBUTE)].map(
			([, name = "", value = ""]): [string, string] => [name, decodeEntities(value)],
		);
		assert.equal(
			new Set(attributes.map(([name]) => name)).size,
			attributes.length,
			"an attribute comes twice",
		);
		found.push({ tag: `${tag[1]}${tag[2]}`, attributes: new Map(attributes), text: "" });
		at = next + tag[0].length;
	}
	return found;
}

/** The page without its texts, which no input may change. */
export const toSkeleton = (elements: readonly Element[]): string[] =>
	elements.map(({ tag, attributes }) => [tag, ...attributes.keys()].join(" "));

export const joinText = (elements: readonly Element[]): string =>
	elements
		.filter(({ tag }) => tag !== "style")
		.map(({ text }) => text)
		.join("")
		.replaceAll(/\s+/g, " ");

function decodeEntities(text: string): string {
	assert.doesNotMatch(text, /&(?!(?:amp|lt|gt|quot|#39);)/, "an ampersand that is not escaped");
	return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] as string);
}
