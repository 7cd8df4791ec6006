import { StoreUsage } from "@tripline/contract/entries";
import { Owner } from "@tripline/contract/names";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { type Caller, resolveOwner } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

export function usageRoutes({ usage }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/usage",
			tag: "Entries",
			summary: "Storage usage",
			description:
				"The size of the database, and the number of an owner's entries per type, counted up to 10,000.",
			query: z.strictObject({ owner_id: Owner }),
			responses: { 200: { description: "Types in order of name", body: StoreUsage } },
			async handle({ caller, query }) {
				const owner = resolveOwner(caller, query.owner_id);
				const [size_bytes, types] = await Promise.all([
					caller.kind === "internal" ? usage.readSize() : null,
					usage.countTypes(owner),
				]);
				return reply(200, { size_bytes, types });
			},
		}),
	];
}
