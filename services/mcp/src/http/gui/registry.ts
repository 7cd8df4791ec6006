import { GuiMarketQuery } from "@tripline/contract/gui";
import { ComponentAnswer, ComponentPage, VersionAnswer } from "@tripline/contract/market";
import { RecipeId } from "@tripline/contract/recipes";
import { ComponentVersion } from "@tripline/contract/registry";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, requireFound, TAG as tag } from "./parts.ts";

const COMPONENT = "component";

export const registryRoutes = ({ registry }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/registry/components",
		tag,
		summary: "The market: components that can be installed",
		query: GuiMarketQuery,
		responses: { 200: { description: "A page", body: ComponentPage } },
		async handle({ query }) {
			return reply(200, await registry.list(query));
		},
	}),

	route({
		method: "GET",
		path: "/gui/registry/components/{id}",
		tag,
		summary: "A component of the market and all its versions",
		params: z.object({ id: RecipeId }),
		responses: { 200: { description: "The component", body: ComponentAnswer } },
		async handle({ params }) {
			return reply(200, requireFound(await registry.component(params.id), COMPONENT));
		},
	}),

	route({
		method: "GET",
		path: "/gui/registry/components/{id}/{version}",
		tag,
		summary: "One version: its allowed hosts, the credentials it takes, its hash",
		params: z.object({ id: RecipeId, version: ComponentVersion }),
		responses: { 200: { description: "The version", body: VersionAnswer } },
		async handle({ params }) {
			return reply(200, requireFound(await registry.version(params.id, params.version), COMPONENT));
		},
	}),
];
