import { ExecutionPage, ExecutionQuery } from "@tripline/contract/execution-log";
import {
	MailboxStatus,
	PollStatus,
	SavedWorkflow,
	Validation,
	ValidationQuery,
	WorkflowDocument,
} from "@tripline/contract/executor";
import { WorkflowName } from "@tripline/contract/workflows";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import { previewForm } from "../forms/preview.ts";
import { compileForTenant } from "../workflows/compiled.ts";
import { workflowNotFound } from "../workflows/find.ts";
import { SAVE_HEADERS, STALE } from "./change.ts";
import type { ExecutorParts } from "./deps.ts";
import { listWorkflowExecutions } from "./executions.ts";
import { saveWorkflow } from "./named.ts";
import { readBodySource } from "./source.ts";

const tag = "Workflows";
const ACCEPTS = { "application/json": WorkflowDocument, "application/yaml": WorkflowDocument };

export function workflowRoutes(parts: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/workflows",
			tag,
			summary: "Save a workflow document",
			query: z.object({
				name: WorkflowName.optional().meta({ description: "Refuse a document with a different name" }),
			}),
			accepts: ACCEPTS,
			responses: {
				200: { description: "Replaced", body: SavedWorkflow },
				201: { description: "Created", body: SavedWorkflow },
				412: STALE,
			},
			headers: SAVE_HEADERS,
			handle: ({ caller, query, request }) =>
				saveWorkflow(parts, caller, request, { whole: true, name: query.name }),
		}),

		route({
			method: "POST",
			path: "/workflows/validate",
			tag,
			summary: "Compile a workflow document without saving it",
			query: ValidationQuery,
			accepts: ACCEPTS,
			responses: { 200: { description: "All diagnostics", body: Validation } },
			async handle({ caller, query, request }) {
				const source = await readBodySource(request, parts, caller.namespace);
				const { plan, definition, diagnostics, missing } = await compileForTenant(source, {
					catalogue: () => parts.catalogues.catalogue(caller.namespace),
					credentials: await parts.vault.listByName(caller.namespace),
					named: true,
					turns: parts.turns,
					runTimeoutMs: parts.settings.runTimeoutMs,
					provided: parts.provided,
					finder: parts.finder,
					namespace: caller.namespace,
				});
				const graph = definition?.graph ?? null;
				const answer = { valid: plan !== null, diagnostics, missing, graph };
				if (query.form === undefined) return reply(200, answer);
				const isDrawn = plan !== null && definition !== null;
				const form = isDrawn ? await previewForm(definition, query.form, parts.settings) : null;
				return reply(200, { ...answer, form });
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/poll",
			tag,
			summary: "Get the state of a workflow's polls",
			params: z.object({ name: WorkflowName }),
			responses: { 200: { description: "What is known from the polls so far", body: PollStatus } },
			async handle({ caller, params }) {
				if (!(await parts.finder.exists(caller.namespace, params.name))) throw workflowNotFound();
				const state = await parts.pollStates.find(caller.namespace, params.name);
				const { since = null, failures = 0, error = null, retry_at = null, seen = [] } = state ?? {};
				return reply(200, { since, remembered: seen.length, failures, error, retry_at });
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/mailbox",
			tag,
			summary: "Get the state of the mailbox whose mails start a workflow",
			params: z.object({ name: WorkflowName }),
			responses: { 200: { description: "What is known from reading it so far", body: MailboxStatus } },
			async handle({ caller, params }) {
				if (!(await parts.finder.exists(caller.namespace, params.name))) throw workflowNotFound();
				return reply(200, await readMailboxStatus(parts, caller.namespace, params.name));
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/executions",
			tag,
			summary: "List a workflow's execution records, newest first",
			params: z.object({ name: WorkflowName }),
			query: ExecutionQuery.omit({ owner_id: true, workflow: true, runs_of: true, order: true }),
			responses: { 200: { description: "A page", body: ExecutionPage } },
			async handle({ caller, params, query: { limit, since, until }, request }) {
				if (!(await parts.finder.exists(caller.namespace, params.name))) throw workflowNotFound();
				const which = { name: params.name, limit, since, until };
				return reply(200, await listWorkflowExecutions(parts, caller, request, which));
			},
		}),
	];
}

async function readMailboxStatus(
	{ store, mailboxStates, mailing }: ExecutorParts,
	namespace: string,
	name: string,
): Promise<z.output<typeof MailboxStatus>> {
	const entry = await store.entries.get(namespace, "workflow", name);
	const state = entry === null ? null : await mailboxStates.find(namespace, entry.id);
	const { since = null, last_mail_at = null, failures = 0, error = null, retry_at = null } = state ?? {};
	const reader = (entry === null ? null : mailing?.describe(entry.id)) ?? NOBODY;
	const { read_by } = reader;
	const connected_at = read_by === "another_process" ? (state?.connected_at ?? null) : reader.connected_at;
	return { read_by, connected_at, since, last_mail_at, failures, error, retry_at };
}

const NOBODY = { read_by: null, connected_at: null } as const;
