import {
	Belief,
	FactQuery,
	FoundTriplets,
	GraphOwner,
	GraphSearchQuery,
	NeighborQuery,
	Neighbors,
	NodeSources,
	Traversal,
	TraverseQuery,
} from "@tripline/contract/graph";
import { NodeName } from "@tripline/contract/triplets";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, TAG as tag } from "./parts.ts";

const Named = z.object({ name: NodeName });
const owner = { owner_id: true } as const;

/** The store's graph queries, limited to the caller's namespace. */
export const graphRoutes = ({ store: { graph } }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/graph/neighbors/{name}",
		tag,
		summary: "The neighbors of a node",
		params: Named,
		query: NeighborQuery.omit(owner),
		responses: { 200: { description: "Nearest first", body: Neighbors } },
		async handle({ caller, params, query }) {
			return reply(200, await graph.listNeighbors(params.name, toStoreQuery(caller, query)));
		},
	}),
	route({
		method: "GET",
		path: "/gui/graph/traverse",
		tag,
		summary: "Traverse the graph from a node, breadth first",
		query: TraverseQuery.omit(owner),
		responses: { 200: { description: "Nodes and triplets, nearest first", body: Traversal } },
		async handle({ caller, query }) {
			return reply(200, await graph.traverse(toStoreQuery(caller, query)));
		},
	}),
	route({
		method: "GET",
		path: "/gui/graph/search",
		tag,
		summary: "Search triplets by words",
		query: GraphSearchQuery.omit(owner),
		responses: { 200: { description: "Best match first", body: FoundTriplets } },
		async handle({ caller, query }) {
			return reply(200, { triplets: await graph.search(toStoreQuery(caller, query)) });
		},
	}),
	route({
		method: "GET",
		path: "/gui/graph/source/{name}",
		tag,
		summary: "The sources of the facts about a node",
		params: Named,
		query: GraphOwner.omit(owner),
		responses: { 200: { description: "Each source once, newest first", body: NodeSources } },
		async handle({ caller, params: { name }, query }) {
			return reply(200, { name, sources: await graph.listSources(name, toStoreQuery(caller, query)) });
		},
	}),
	route({
		method: "GET",
		path: "/gui/graph/why",
		tag,
		summary: "Why a fact is believed",
		query: FactQuery.omit(owner),
		responses: { 200: { description: "The fact and its reasons", body: Belief } },
		async handle({ caller, query }) {
			return reply(200, await graph.explainFact({ ...query, owner_id: caller.namespace }));
		},
	}),
];

/** Encodes a parsed query for the store. */
const toStoreQuery = <Query extends { readonly includeDeprecated: boolean; readonly depth?: number }>(
	{ namespace }: McpCaller,
	query: Query,
) => ({
	...query,
	owner_id: namespace,
	includeDeprecated: query.includeDeprecated ? ("true" as const) : ("false" as const),
});
