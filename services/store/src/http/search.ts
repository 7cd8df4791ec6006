import { isInternal } from "@tripline/contract/entry-types";
import { Failed, invalid } from "@tripline/contract/failures";
import {
	RebuildRequest,
	RebuildStep,
	SearchRequest,
	type Suggestion,
	Suggestions,
} from "@tripline/contract/search";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller, ownerOrDefault } from "../domain/callers.ts";
import { find } from "../domain/search/find.ts";
import { isVague, parseQuery, type QueryWord, type Scope } from "../domain/search/query.ts";
import { show, showBeginning } from "../domain/search/snippet.ts";
import { EXCERPT, type FoundEntry } from "../storage/search.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Search";

export function searchRoutes({ search, settings }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/search",
			tag,
			summary: "Find entries by their words",
			description:
				'The entries that fit best first: rare words count more than common ones, the page\'s name more than the content, a word as it was written more than another form of it. The last word may be a beginning, unless white space follows. Entries that the service keeps for itself are never found; internal callers find workflows with entry_types ["workflow"].',
			body: SearchRequest,
			responses: { 200: { description: "The best first", body: Suggestions } },
			async handle({ caller, body }) {
				if (body.mode !== undefined && body.mode !== "suggest") throw onlySuggest();
				const scope: Scope = {
					owner_id: ownerOrDefault(caller, body.owner_id, settings.defaultOwner),
					...scopeOf(caller, body.entry_types),
				};
				return reply(200, { suggestions: await suggestions(parseQuery(body.q), scope, body.limit) });
			},
		}),
		route({
			method: "POST",
			path: "/search/rebuild",
			tag,
			summary: "Index a part of the entries anew",
			description:
				"Internal callers only. Each call does one bounded step; go on with `after` set to the `next` of the answer until that is null. Not needed in normal use: entries are indexed as they are written.",
			body: RebuildRequest,
			responses: { 200: { description: "One step was done", body: RebuildStep } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, await search.sweep(body.after));
			},
		}),
	];

	async function suggestions(
		words: readonly QueryWord[],
		scope: Scope,
		limit: number,
	): Promise<Suggestion[]> {
		// What was found by fewer first letters than were given may turn out to be another word.
		const most = words.some(isVague) ? 2 * limit + 20 : limit;
		const hits = await find(search.index, words, scope, most);
		if (hits.length === 0) return [];
		const scores = new Map(hits.map(({ seq, score }) => [seq, score]));
		const entries = await search.read(scope.owner_id, [...scores.keys()], scope.entry_types, most);
		return entries
			.map((entry) => suggestionOf(entry, scores.get(entry.seq) ?? 0, words))
			.filter((suggestion) => suggestion !== null)
			.slice(0, limit);
	}
}

function scopeOf(
	caller: Caller,
	entryTypes: readonly string[] | undefined,
): Pick<Scope, "area" | "entry_types"> {
	if (entryTypes?.includes("workflow") && caller.kind === "partner") {
		throw new Failed({ kind: "forbidden", message: "a partner key cannot search workflows" });
	}
	if (entryTypes?.length === 1 && entryTypes[0] === "workflow") return { area: "workflows" };
	const issues = (entryTypes ?? []).flatMap((type, place) =>
		isInternal(type) ? [{ path: `entry_types.${place}`, message: internalType(type) }] : [],
	);
	if (issues.length > 0) throw invalid(issues);
	return { area: "knowledge", entry_types: entryTypes };
}

const internalType = (type: string): string =>
	type === "workflow" ? "workflows are searched by themselves" : `${type} is internal and never searched`;

/** Null when the entry only has words with the same first letters as the one that was begun. */
function suggestionOf(entry: FoundEntry, score: number, words: readonly QueryWord[]): Suggestion | null {
	const { id, entry_type, page_name, content } = entry;
	const shown = show(page_name, content, words);
	const mayMatchElsewhere = content.length >= EXCERPT || !words.some(isVague);
	if (shown === null && !mayMatchElsewhere) return null;
	const { snippet, matches, why } = shown ?? showBeginning(page_name, content);
	return {
		id,
		entry_type,
		page_name,
		snippet,
		matches: [...matches],
		score: Math.round(score * 1000) / 1000,
		why,
	};
}

const onlySuggest = (): Failed =>
	new Failed({ kind: "bad_request", message: 'the only search mode is "suggest"; leave mode out' });
