import { MAX_WAITING_RUNS } from "@tripline/contract/accepted-runs";
import { RaisedEvents } from "@tripline/contract/executor";
import { readBody } from "@tripline/web/body";
import { type Route, reply, route } from "@tripline/web/route";
import type { Caller } from "../domain/callers.ts";
import { EventBody, parseEvent } from "./cloud-event.ts";
import type { ExecutorParts } from "./deps.ts";

export function eventRoutes(parts: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/events",
			tag: "Events",
			summary: "Start the workflows that listen for an event",
			description:
				"CloudEvents 1.0 in structured or binary mode, or `{ type, data }`. Runs that wait for the event go on with it. The same source and id again within 24 hours does nothing.",
			accepts: { "application/json": EventBody, "application/cloudevents+json": EventBody },
			responses: {
				202: { description: "Accepted", body: RaisedEvents },
				429: {
					description: `${MAX_WAITING_RUNS} runs are waiting to start; nothing was started, see Retry-After`,
				},
			},
			async handle({ caller, request }) {
				const body = await readBody(request, parts.settings.maxBodyBytes);
				const { type, data, dedupKey, extensions, ...attributes } = parseEvent(request.headers, body);
				const raised = await parts.events.raise({
					namespace: caller.namespace,
					type,
					data,
					dedupKey,
					depth: 1,
					isOwners: true,
					attributes: { ...extensions, ...attributes },
				});
				return reply(202, raised);
			},
		}),
	];
}
