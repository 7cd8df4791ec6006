import { DeletedAnswer } from "@tripline/contract/entries";
import {
	AcceptedRun,
	PortalWorkflows,
	SavedWorkflow,
	Validation,
	ValidationQuery,
	WorkflowDocument,
} from "@tripline/contract/executor";
import { GuiWorkflow } from "@tripline/contract/gui";
import { TRASH_DAYS } from "@tripline/contract/workflow-versions";
import { type JsonObject, RunInput, RunResult, TestRun, WorkflowName } from "@tripline/contract/workflows";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { buildCallInstructions } from "./calling.ts";
import { CONDITION_HEADERS, readIfVersion, STALE } from "./condition.ts";
import { readDocumentSource } from "./document-source.ts";
import { RunEvents, toEventResponse, wantsEvents } from "./events.ts";
import {
	createNotFound,
	type GuiCall,
	type GuiParts,
	getExecutor,
	requireFound,
	TAG as tag,
} from "./parts.ts";

const Name = z.object({ name: WorkflowName });
const ACCEPTS = { "application/json": WorkflowDocument, "application/yaml": WorkflowDocument };
const MAX_SHOWN = 20;

export function workflowRoutes(parts: GuiParts): Route<McpCaller>[] {
	const { maxBodyBytes } = parts.settings;
	return [
		route({
			method: "GET",
			path: "/gui/workflows",
			tag,
			summary: "The workflows, each with its latest execution and next run",
			responses: { 200: { description: "All workflows", body: PortalWorkflows } },
			async handle(call: GuiCall) {
				return reply(200, await getExecutor(parts, call).workflows.listWithLatestRuns());
			},
		}),

		route({
			method: "POST",
			path: "/gui/validate",
			tag,
			summary: "Compile a workflow document without saving it",
			query: ValidationQuery,
			accepts: ACCEPTS,
			responses: { 200: { description: "All diagnostics", body: Validation } },
			async handle(call) {
				const source = await readDocumentSource(call.request, maxBodyBytes);
				return reply(200, await getExecutor(parts, call).workflows.validate(source, call.query));
			},
		}),

		route({
			method: "GET",
			path: "/gui/workflows/{name}",
			tag,
			summary: "A workflow: its text, its draft, its document, how to call it, and its latest executions",
			params: Name,
			responses: { 200: { description: "The workflow", body: GuiWorkflow } },
			async handle(call) {
				const { name } = call.params;
				const { workflows, drafts } = getExecutor(parts, call);
				const [workflow, document, text, draft, page] = await Promise.all([
					workflows.describe(name),
					workflows.document(name),
					workflows.text(name),
					drafts.get(name),
					parts.store.executionLog.list({
						owner_id: call.caller.namespace,
						workflow: name,
						runs_of: "named",
						limit: MAX_SHOWN,
					}),
				]);
				const { webhook_url, trigger } = requireFound(workflow, WORKFLOW);
				const found = requireFound(document, WORKFLOW);
				return reply(200, {
					workflow,
					document: found,
					text: requireFound(text, WORKFLOW),
					draft,
					call: buildCallInstructions(webhook_url, found),
					executions: page.executions,
					...(await workflows.triggerState(name, trigger)),
				});
			},
		}),

		route({
			method: "PUT",
			path: "/gui/workflows/{name}",
			tag,
			summary: "Create or replace a workflow",
			description:
				"A document that does not compile or has another name is rejected with 400 and its diagnostics.",
			params: Name,
			accepts: ACCEPTS,
			responses: {
				200: { description: "Replaced", body: SavedWorkflow },
				201: { description: "Created", body: SavedWorkflow },
				412: STALE,
			},
			headers: { ...CONDITION_HEADERS, "If-None-Match": "*: only if there is no workflow of that name" },
			async handle(call) {
				const ifVersion = readIfVersion(call.request);
				const source = await readDocumentSource(call.request, maxBodyBytes);
				const { workflows } = getExecutor(parts, call);
				const saved = await workflows.save(source, { name: call.params.name, ifVersion });
				return reply(saved.created ? 201 : 200, saved);
			},
		}),

		route({
			method: "DELETE",
			path: "/gui/workflows/{name}",
			tag,
			summary: "Delete a workflow",
			description: `It can be restored with its versions for ${TRASH_DAYS} days, see /gui/deleted-workflows.`,
			params: Name,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle(call) {
				if (!(await getExecutor(parts, call).workflows.delete(call.params.name)))
					throw createNotFound(WORKFLOW);
				return reply(200, { deleted: true });
			},
		}),

		route({
			method: "POST",
			path: "/gui/workflows/{name}/run",
			tag,
			summary: "Run a workflow and wait for its result",
			description:
				"The body is the trigger context. A failed run is answered with 200, success false and its trace, because the request itself succeeded. The run continues if the caller disconnects. Its record has the trigger console.\n\nIf Accept includes text/event-stream, the answer streams the progress of the nodes.",
			params: Name,
			body: RunInput,
			responses: {
				200: {
					description: "The result, also of a failed run",
					body: RunResult,
					content: { "text/event-stream": RunEvents },
				},
				202: { description: "The run waits, and goes on by itself", body: AcceptedRun },
			},
			async handle(call) {
				if (wantsEvents(call.request)) return watchRun(call);
				const { workflows } = getExecutor(parts, call);
				const result = await workflows.run(call.params.name, call.body, { trigger: "console" });
				const answer = requireFound(result, WORKFLOW);
				return "success" in answer ? reply(200, answer) : reply(202, answer);
			},
		}),

		route({
			method: "POST",
			path: "/gui/workflows/{name}/test",
			tag,
			summary: "Test a workflow, with pinned outputs of nodes, and wait for its result",
			description:
				"Runs the draft, or the current version if there is no draft. Its record has the trigger test. If Accept includes text/event-stream, the answer streams the progress of the nodes.",
			params: Name,
			body: TestRun,
			responses: {
				200: {
					description: "The result, also of a failed run",
					body: RunResult,
					content: { "text/event-stream": RunEvents },
				},
			},
			async handle(call) {
				const { workflows } = getExecutor(parts, call);
				const { name } = call.params;
				if (wantsEvents(call.request))
					return toEventResponse(requireFound(await workflows.watchTest(name, call.body), WORKFLOW));
				return reply(200, requireFound(await workflows.test(name, call.body), WORKFLOW));
			},
		}),
	];

	async function watchRun(call: GuiCall & { params: { name: string }; body: JsonObject }): Promise<Response> {
		const events = await getExecutor(parts, call).workflows.watch(call.params.name, call.body);
		return toEventResponse(requireFound(events, WORKFLOW));
	}
}

const WORKFLOW = "workflow";
