import { SYSTEM_OWNER } from "@tripline/contract/names";
import { SeededRecipes } from "@tripline/contract/recipes";
import { type Route, reply, route } from "@tripline/web/route";
import { seedRecipes } from "../catalogue/seed.ts";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorParts } from "./deps.ts";

export function seedRoutes({ ownedComponents, catalogues, tenants }: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/init/seed",
			tag: "Recipes",
			open: true,
			summary: "Seed the bundled recipes for all tenants",
			description: "Repeating it changes nothing.",
			responses: { 200: { description: "How many were created, updated or unchanged", body: SeededRecipes } },
			async handle({ request }) {
				tenants.checkAccess(request);
				const seeded = await seedRecipes(ownedComponents);
				catalogues.forget(SYSTEM_OWNER);
				return reply(200, seeded);
			},
		}),
	];
}
