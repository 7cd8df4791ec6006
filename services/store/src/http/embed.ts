import { EmbedStatus } from "@tripline/contract/embed";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

export function embedRoutes({ semantic }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/embed/status",
			tag: "Search",
			summary: "Progress of the semantic index",
			description:
				"Entries whose metadata has a truthy `embed` are embedded after their write is answered. Failures are retried with increasing delays. Internal callers only: the counts cover every namespace.",
			responses: { 200: { description: "The status", body: EmbedStatus } },
			async handle({ caller }) {
				assertInternal(caller);
				const { last_error: last, ...status } = await semantic.getStatus();
				return reply(200, {
					...status,
					last_error: last && { ...last, time: new Date(last.time * 1000).toISOString() },
				});
			},
		}),
	];
}
