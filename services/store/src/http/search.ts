import { INTERNAL_ENTRY_TYPES, isInternal } from "@tripline/contract/entry-types";
import { Failed, invalid } from "@tripline/contract/failures";
import {
	RebuildRequest,
	RebuildStep,
	SearchRequest,
	type Suggestion,
	Suggestions,
} from "@tripline/contract/search";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller, resolveOwnerOrDefault } from "../domain/callers.ts";
import { findHits, type Hit } from "../domain/search/find.ts";
import { isVague, parseQuery, type QueryWord, type Scope } from "../domain/search/query.ts";
import { buildBeginning, buildSnippet } from "../domain/search/snippet.ts";
import { type FoundEntry, MAX_EXCERPT_LENGTH } from "../storage/search.ts";
import type { TypeFilter } from "../storage/vectors.ts";
import { fuse } from "../vectors/fuse.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Search";

export function searchRoutes({ search, semantic, settings }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/search",
			tag,
			summary: "Search entries by words and meaning",
			description:
				'Best match first: rare words count more than common ones, the page name more than the content, the exact form of a word more than another form. The last word also matches as a prefix unless white space follows. Entries whose metadata carries embed are also found by meaning and rank below word matches, or among them if a trained model is configured. Internal entries are never found; internal callers find workflows with entry_types ["workflow"].',
			body: SearchRequest,
			responses: { 200: { description: "Best match first", body: Suggestions } },
			async handle({ caller, body }) {
				if (body.mode !== undefined && body.mode !== "suggest") throw unsupportedMode();
				const scope: Scope = {
					owner_id: resolveOwnerOrDefault(caller, body.owner_id, settings.defaultOwner),
					...resolveScope(caller, body.entry_types),
				};
				return reply(200, { suggestions: await findSuggestions(body.q, scope, body.limit) });
			},
		}),
		route({
			method: "POST",
			path: "/search/rebuild",
			tag,
			summary: "Reindex a batch of entries",
			description:
				"Internal callers only. Each call does one bounded step; repeat with `after` set to the response's `next` until that is null. Not needed in normal use: entries are indexed when they are written.",
			body: RebuildRequest,
			responses: { 200: { description: "The result of the step", body: RebuildStep } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, await search.sweep(body.after));
			},
		}),
	];

	async function findSuggestions(q: string, scope: Scope, limit: number): Promise<Suggestion[]> {
		const words = parseQuery(q);
		// Hits by a prefix shorter than the typed one may turn out to be other words, so more are read.
		const most = words.some(isVague) ? 2 * limit + 20 : limit;
		const hits = await findHits(search.index, words, scope, most);
		const found = await addMeaningHits(q, scope, hits, limit);
		if (found.length === 0) return [];
		const hitAt = new Map(found.map((hit) => [hit.seq, hit]));
		const entries = await search.read(scope.owner_id, [...hitAt.keys()]);
		return entries
			.values()
			.map((entry) => toSuggestion(entry, hitAt.get(entry.seq) as FoundHit, words))
			.filter((suggestion) => suggestion !== null)
			.take(limit)
			.toArray();
	}

	/** Adds hits by meaning below the word hits, or among them if a trained model found them. */
	async function addMeaningHits(
		q: string,
		scope: Scope,
		hits: readonly Hit[],
		limit: number,
	): Promise<readonly FoundHit[]> {
		const byWords = hits.map((hit) => ({ ...hit, isByMeaning: false }));
		if (!semantic.isModel && hits.length >= limit) return byWords;
		const nearest = await semantic.findNearest(scope.owner_id, q, limit, toTypeFilter(scope));
		if (nearest.length === 0) return byWords;
		const fused = fuse({
			words: hits,
			nearest,
			isModel: semantic.isModel,
			limit: hits.length + nearest.length,
		});
		return fused.map(({ seq, score, by }) => ({ seq, score, isByMeaning: by === "meaning" }));
	}
}

interface FoundHit extends Hit {
	/** The entry may contain none of the words. */
	readonly isByMeaning: boolean;
}

const toTypeFilter = ({ area, entry_types }: Scope): TypeFilter => {
	if (area === "workflows") return { only: ["workflow"] };
	return entry_types === undefined ? { except: INTERNAL_ENTRY_TYPES } : { only: entry_types };
};

function resolveScope(
	caller: Caller,
	entryTypes: readonly string[] | undefined,
): Pick<Scope, "area" | "entry_types"> {
	if (entryTypes?.includes("workflow") && caller.kind === "partner") {
		throw new Failed({ kind: "forbidden", message: "a partner key cannot search workflows" });
	}
	if (entryTypes?.length === 1 && entryTypes[0] === "workflow") return { area: "workflows" };
	const issues = (entryTypes ?? []).flatMap((type, place) =>
		isInternal(type) ? [{ path: `entry_types.${place}`, message: describeInternalType(type) }] : [],
	);
	if (issues.length > 0) throw invalid(issues);
	return { area: "knowledge", entry_types: entryTypes };
}

const describeInternalType = (type: string): string =>
	type === "workflow"
		? "workflow cannot be combined with other types"
		: `${type} is internal and never searched`;

/** Null if the entry only has words that share the indexed prefix but not the typed one. */
function toSuggestion(entry: FoundEntry, hit: FoundHit, words: readonly QueryWord[]): Suggestion | null {
	const { id, entry_type, page_name, content } = entry;
	const shown = buildSnippet(page_name, content, words);
	const mayMatchElsewhere = content.length >= MAX_EXCERPT_LENGTH || !words.some(isVague);
	if (shown === null && !hit.isByMeaning && !mayMatchElsewhere) return null;
	const beginning = () => buildBeginning(page_name, content, hit.isByMeaning ? "meaning" : "text");
	const { snippet, matches, why } = shown ?? beginning();
	return {
		id,
		entry_type,
		page_name,
		snippet,
		matches: [...matches],
		score: Math.round(hit.score * 1000) / 1000,
		why,
	};
}

const unsupportedMode = (): Failed =>
	new Failed({ kind: "bad_request", message: 'the only search mode is "suggest"; leave mode out' });
