import { Failed } from "@tripline/contract/failures";
import {
	Belief,
	FactQuery,
	FoundTriplets,
	GraphOwner,
	GraphSearchQuery,
	NeighborQuery,
	Neighbors,
	NodeSources,
	Refreshed,
	RefreshRequest,
	Traversal,
	TraverseQuery,
} from "@tripline/contract/graph";
import { RUN_HEADER } from "@tripline/contract/headers";
import { NodeName } from "@tripline/contract/triplets";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { type Caller, resolveOwnerOrDefault } from "../domain/callers.ts";
import { listSuperseded, type Walk, walk } from "../domain/graph.ts";
import { findHits } from "../domain/search/find.ts";
import { parseQuery, type Scope } from "../domain/search/query.ts";
import { buildSnippet } from "../domain/search/snippet.ts";
import { foldName } from "../domain/triplets.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Graph";
const Named = z.object({ name: NodeName });
const REFRESH_TIMEOUT_MS = 10_000;

export function graphRoutes({ graph, search, settings, fetch }: StoreParts): Route<Caller>[] {
	const getOwner = (caller: Caller, given: string | undefined) =>
		resolveOwnerOrDefault(caller, given, settings.defaultOwner);

	return [
		route({
			method: "GET",
			path: "/graph/neighbors/{name}",
			tag,
			summary: "List a node's neighbors",
			params: Named,
			query: NeighborQuery,
			responses: { 200: { description: "Nearest first", body: Neighbors } },
			async handle({ caller, params, query }) {
				const owner = getOwner(caller, query.owner_id);
				const { reached, truncated } = await walkFrom(params.name, owner, query);
				const folded = foldName(params.name);
				const gloss = (await graph.readGlosses(owner, [folded])).get(folded) ?? null;
				return reply(200, { name: params.name, gloss, neighbors: reached, truncated });
			},
		}),
		route({
			method: "GET",
			path: "/graph/traverse",
			tag,
			summary: "Walk from a node, breadth first",
			query: TraverseQuery,
			responses: { 200: { description: "Nodes and triplets, nearest first", body: Traversal } },
			async handle({ caller, query }) {
				const owner = getOwner(caller, query.owner_id);
				const { nodes, reached, truncated } = await walkFrom(query.name, owner, query);
				const glosses = await graph.readGlosses(owner, [...nodes.keys()]);
				return reply(200, {
					start: query.name,
					nodes: [...nodes].map(([folded, node]) => ({ ...node, gloss: glosses.get(folded) ?? null })),
					triplets: reached.map(({ triplet }) => triplet),
					truncated,
				});
			},
		}),
		route({
			method: "GET",
			path: "/graph/search",
			tag,
			summary: "Find triplets by their words",
			query: GraphSearchQuery,
			responses: { 200: { description: "Best match first", body: FoundTriplets } },
			async handle({ caller, query }) {
				return reply(200, { triplets: await searchTriplets(getOwner(caller, query.owner_id), query) });
			},
		}),
		route({
			method: "GET",
			path: "/graph/source/{name}",
			tag,
			summary: "List the sources of a node's triplets",
			params: Named,
			query: GraphOwner,
			responses: { 200: { description: "Each source pointer once, newest first", body: NodeSources } },
			async handle({ caller, params, query }) {
				const view = { owner: getOwner(caller, query.owner_id), includeDeprecated: query.includeDeprecated };
				return reply(200, {
					name: params.name,
					sources: await graph.listSources(view, foldName(params.name)),
				});
			},
		}),
		route({
			method: "GET",
			path: "/graph/why",
			tag,
			summary: "Explain why a fact is believed",
			description:
				"The active statements of the fact, the statements they replaced, and the deprecated statements of the fact.",
			query: FactQuery,
			responses: { 200: { description: "The fact and its reasons", body: Belief } },
			async handle({ caller, query }) {
				const owner = getOwner(caller, query.owner_id);
				const history = await graph.listHistory(owner, foldName(query.subject), foldName(query.predicate));
				const said = history.filter((triplet) => foldName(triplet.object) === foldName(query.object));
				const because = said.filter((triplet) => triplet.status === "active");
				return reply(200, {
					believed: because.length > 0,
					because,
					superseded: listSuperseded(
						because.map(({ id }) => id),
						history,
					),
					no_longer: said.filter((triplet) => triplet.status === "deprecated"),
				});
			},
		}),
		route({
			method: "POST",
			path: "/graph/refresh",
			tag,
			summary: "Ask the ingest address to reread a source",
			description:
				"Only forwards the request to the address in STORE_INGEST_URL. Meant for people: a request from a run gets 403.",
			body: RefreshRequest.optional(),
			responses: { 200: { description: "Whether it was forwarded", body: Refreshed } },
			async handle({ caller, body, request, requestId }) {
				if (request.headers.has(RUN_HEADER)) {
					throw new Failed({ kind: "forbidden", message: "a run cannot start a refresh" });
				}
				const owner_id = getOwner(caller, body?.owner_id);
				if (settings.ingestUrl === undefined) return reply(200, { forwarded: false });
				const status = await forward(settings.ingestUrl, { ...body, owner_id }, requestId);
				return reply(200, { forwarded: true, status });
			},
		}),
	];

	function walkFrom(name: string, owner: string, query: z.output<typeof NeighborQuery>): Promise<Walk> {
		const view = { owner, includeDeprecated: query.includeDeprecated };
		const predicate = query.predicate === undefined ? undefined : foldName(query.predicate);
		return walk(name, query, (names, limit) =>
			graph.listEdges(view, { names, direction: query.direction, predicate, limit }),
		);
	}

	async function searchTriplets(owner_id: string, query: z.output<typeof GraphSearchQuery>) {
		const words = parseQuery(query.q);
		// The predicate filter removes hits, so more are read.
		const most = query.predicate === undefined ? 2 * query.limit : 10 * query.limit;
		const areas: readonly Scope[] = [
			{ owner_id, area: "knowledge", entry_types: ["triplet"] },
			...(query.includeDeprecated ? [{ owner_id, area: "history" } as const] : []),
		];
		const hits = (await Promise.all(areas.map((scope) => findHits(search.index, words, scope, most)))).flat();
		const scores = new Map(
			hits.sort((one, other) => other.score - one.score).map(({ seq, score }) => [seq, score]),
		);
		const predicate = query.predicate === undefined ? undefined : foldName(query.predicate);
		const triplets = await graph.listAtPlaces(owner_id, [...scores.keys()], predicate);
		return triplets
			.filter(
				({ subject, predicate: said, object }) =>
					buildSnippet(subject, `${subject} ${said} ${object}`, words) !== null,
			)
			.slice(0, query.limit)
			.map(({ place, ...triplet }) => ({ ...triplet, score: scores.get(place) ?? 0 }));
	}

	async function forward(url: string, body: object, requestId: string): Promise<number> {
		try {
			const response = await fetch(url, {
				method: "POST",
				headers: { "content-type": "application/json", "x-request-id": requestId },
				body: JSON.stringify(body),
				redirect: "manual",
				signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS),
			});
			await response.body?.cancel();
			return response.status;
		} catch {
			throw new Failed({ kind: "bad_gateway", message: "the ingest address did not answer" });
		}
	}
}
