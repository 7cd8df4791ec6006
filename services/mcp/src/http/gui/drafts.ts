import { DeletedAnswer } from "@tripline/contract/entries";
import { SavedWorkflow, WorkflowDocument } from "@tripline/contract/executor";
import { DraftQuery, WorkflowDraft } from "@tripline/contract/workflow-versions";
import { RunInput, RunResult, WorkflowName } from "@tripline/contract/workflows";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { STALE } from "./condition.ts";
import { readDocumentSource } from "./document-source.ts";
import { RunEvents, toEventResponse, wantsEvents } from "./events.ts";
import { createNotFound, type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

const path = "/gui/workflows/{name}/draft";
const params = z.object({ name: WorkflowName });
const DRAFT = "draft";

export const draftRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path,
		tag,
		summary: "A workflow's draft",
		params,
		responses: { 200: { description: "The draft", body: WorkflowDraft } },
		async handle(call) {
			return reply(200, requireFound(await getExecutor(parts, call).drafts.get(call.params.name), DRAFT));
		},
	}),

	route({
		method: "PUT",
		path,
		tag,
		summary: "Save a workflow's draft",
		description: "It need not compile. The workflow stays as it is until the draft is published.",
		params,
		query: DraftQuery,
		accepts: { "application/json": WorkflowDocument, "application/yaml": WorkflowDocument },
		responses: { 200: { description: "The draft", body: WorkflowDraft } },
		async handle(call) {
			const source = await readDocumentSource(call.request, parts.settings.maxBodyBytes);
			const { drafts } = getExecutor(parts, call);
			const draft = await drafts.save(call.params.name, source, call.query.base);
			return reply(200, requireFound(draft, "workflow"));
		},
	}),

	route({
		method: "DELETE",
		path,
		tag,
		summary: "Discard a workflow's draft",
		params,
		responses: { 200: { description: "Discarded", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).drafts.discard(call.params.name))) throw createNotFound(DRAFT);
			return reply(200, { deleted: true });
		},
	}),

	route({
		method: "POST",
		path: `${path}/run`,
		tag,
		summary: "Run a workflow's draft and wait for its result",
		description:
			"As a run of the workflow itself, but its record has the trigger test. If Accept includes text/event-stream, the answer streams the progress of the nodes.",
		params,
		body: RunInput,
		responses: {
			200: {
				description: "The result, also of a failed run",
				body: RunResult,
				content: { "text/event-stream": RunEvents },
			},
		},
		async handle(call) {
			const { drafts } = getExecutor(parts, call);
			const { name } = call.params;
			if (wantsEvents(call.request))
				return toEventResponse(requireFound(await drafts.watch(name, call.body), DRAFT));
			return reply(200, requireFound(await drafts.run(name, call.body), DRAFT));
		},
	}),

	route({
		method: "POST",
		path: `${path}/publish`,
		tag,
		summary: "Publish a workflow's draft",
		description: "Saves it as a new version and discards the draft, in one step.",
		params,
		responses: { 200: { description: "Published", body: SavedWorkflow }, 412: STALE },
		async handle(call) {
			return reply(200, requireFound(await getExecutor(parts, call).drafts.publish(call.params.name), DRAFT));
		},
	}),
];
