import type { Component } from "../resources/components.ts";

const MAX_COMPONENTS = 15;
/** Words shared by a larger share of the components are ignored. */
const MAX_COMMON_SHARE = 0.2;
const MAX_WORDS = 200;
const DESCRIPTION_WEIGHT = 0.1;
/** Stop words: rare in names of components, but common in goals. */
const STOP_WORDS = new Set([
	"and",
	"are",
	"each",
	"every",
	"for",
	"from",
	"into",
	"the",
	"then",
	"when",
	"with",
]);

/** Components that are not built in and share words with the text, those with the rarest words first. */
export function findMatchingComponents(text: string, components: readonly Component[]): readonly Component[] {
	const others = components
		.filter(({ source }) => source !== "built-in")
		.map((component) => ({
			component,
			name: splitWords(`${component.id} ${component.title}`),
			description: splitWords(component.description),
		}));
	const wanted = [...splitWords(text)].slice(0, MAX_WORDS).map((word) => {
		const having = others.filter(({ name, description }) => name.has(word) || description.has(word)).length;
		return { word, weight: having > others.length * MAX_COMMON_SHARE ? 0 : 1 / having };
	});
	return others
		.map((other) => ({ component: other.component, score: computeScore(other) }))
		.filter(({ score }) => score > 0)
		.sort((one, other) => other.score - one.score)
		.slice(0, MAX_COMPONENTS)
		.map(({ component }) => component);

	function computeScore({ name, description }: (typeof others)[number]): number {
		return wanted.reduce((sum, { word, weight }) => {
			if (name.has(word)) return sum + weight;
			return description.has(word) ? sum + weight * DESCRIPTION_WEIGHT : sum;
		}, 0);
	}
}

/** Normalized, so that issue and issues are the same. */
const splitWords = (text: string): ReadonlySet<string> =>
	new Set(
		(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
			.filter((word) => word.length > 2 && !STOP_WORDS.has(word))
			.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word)),
	);
