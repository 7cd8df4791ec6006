import { DeletedAnswer } from "@tripline/contract/entries";
import { SavedWorkflow, WorkflowDocument } from "@tripline/contract/executor";
import { AnyJson } from "@tripline/contract/json";
import { DraftQuery, WorkflowDraft } from "@tripline/contract/workflow-versions";
import { RunResult, WorkflowName } from "@tripline/contract/workflows";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { Runnable } from "../runs/runnable.ts";
import { wantsEvents } from "./accept.ts";
import { readAuthor, STALE } from "./change.ts";
import type { ExecutorParts } from "./deps.ts";
import { answerSaved } from "./named.ts";
import { readWrittenSource } from "./source.ts";
import type { Target } from "./target.ts";
import { TEST_RESPONSES } from "./trigger-description.ts";

const tag = "Drafts";
const path = "/workflows/{name}/draft";
const params = z.object({ name: WorkflowName });
export function draftRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { drafts } = parts;
	return [
		route({
			method: "GET",
			path,
			tag,
			summary: "Get a workflow's draft",
			params,
			responses: { 200: { description: "The draft", body: WorkflowDraft } },
			handle: async ({ caller, params: { name } }) => reply(200, await drafts.get(caller.namespace, name)),
		}),

		route({
			method: "PUT",
			path,
			tag,
			summary: "Save a workflow's draft",
			description:
				"A workflow has one draft at most. It is kept as it was sent and need not compile; YAML may be half-written. The workflow itself stays as it is until the draft is published.",
			params,
			query: DraftQuery,
			accepts: { "application/json": WorkflowDocument, "application/yaml": WorkflowDocument },
			responses: { 200: { description: "The draft", body: WorkflowDraft } },
			async handle({ caller, params: { name }, query: { base }, request }) {
				const { text, format } = await readWrittenSource(request, parts, caller.namespace);
				const by = readAuthor(parts, caller, request);
				return reply(200, await drafts.save(caller.namespace, name, { text, format, base, by }));
			},
		}),

		route({
			method: "DELETE",
			path,
			tag,
			summary: "Discard a workflow's draft",
			params,
			responses: { 200: { description: "Discarded", body: DeletedAnswer } },
			async handle({ caller, params: { name } }) {
				await drafts.discard(caller.namespace, name);
				return reply(200, { deleted: true });
			},
		}),

		route({
			method: "POST",
			path: `${path}/run`,
			tag,
			summary: "Run a workflow's draft",
			description:
				"The body is the trigger context. The run is recorded with the trigger `test` and raises no `execution.failed`. If Accept includes text/event-stream, the answer streams the progress of the nodes.",
			params,
			accepts: { "application/json": z.record(z.string(), AnyJson).optional() },
			responses: { ...TEST_RESPONSES, 200: { description: "The run succeeded", body: RunResult } },
			async handle({ caller: { namespace }, params: { name }, request }) {
				const draft = await drafts.get(namespace, name);
				const target = buildDraftTarget(namespace, name, await drafts.prepare(namespace, draft));
				return (wantsEvents(request) ? parts.watch : parts.trigger)(request, target);
			},
		}),

		route({
			method: "POST",
			path: `${path}/publish`,
			tag,
			summary: "Publish a workflow's draft",
			description:
				"Saves it as a new version and discards the draft, in one step. 412 if the workflow has changed since the draft's base: save the draft again with ?base= the current version once it contains that change.",
			params,
			responses: { 200: { description: "Published", body: SavedWorkflow }, 412: STALE },
			async handle({ caller, params: { name }, request }) {
				const by = readAuthor(parts, caller, request);
				return answerSaved(parts, caller, request, await drafts.publish(caller.namespace, name, by));
			},
		}),
	];
}

/** Compiled, and ready to be tested. */
export const buildDraftTarget = (namespace: string, name: string, runnable: Runnable): Target => ({
	runnable,
	workflow: name,
	namespace,
	trigger: "test",
	isOwners: true,
	rateKey: namespace,
	address: { kind: "named", namespace, name },
});
