import { DeletedAnswer } from "@tripline/contract/entries";
import {
	Backfilled,
	SavedWorkflow,
	WorkflowDocument,
	WorkflowList,
	WorkflowSource,
} from "@tripline/contract/executor";
import { Failed, notFound } from "@tripline/contract/failures";
import { Namespace } from "@tripline/contract/names";
import { TRASH_DAYS } from "@tripline/contract/workflow-versions";
import { RunResult, WorkflowName, WorkflowTag } from "@tripline/contract/workflows";
import type { Incoming } from "@tripline/web/http-message";
import { type Reply, type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { SavedWorkflow as ListedWorkflow } from "../domain/saved-workflow.ts";
import type { OwnersTrigger, Trigger } from "../runs/execute.ts";
import { workflowNotFound } from "../workflows/find.ts";
import type { Saved, SaveOptions } from "../workflows/saved.ts";
import type { Versioned } from "../workflows/stored.ts";
import { wantsEvents, wantsYaml } from "./accept.ts";
import {
	buildEtag,
	buildEtagHeader,
	CONDITION_HEADERS,
	readAuthor,
	readCondition,
	readVersion,
	SAVE_HEADERS,
	STALE,
} from "./change.ts";
import type { ExecutorParts } from "./deps.ts";
import { findByMethod } from "./receive.ts";
import { readBodySource } from "./source.ts";
import type { Target } from "./target.ts";
import { TRIGGER_RESPONSES, triggerDescription } from "./trigger-description.ts";
import { buildTriggerUrl, getBaseUrl } from "./urls.ts";

const tag = "Workflows";
const Name = z.object({ name: WorkflowName });
const WrittenDocument = WorkflowDocument.meta({
	description: "The original text with its comments if it was saved as YAML, else the document as YAML",
});

export function namedRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { saved, stored } = parts;
	return [
		route({
			method: "POST",
			path: "/webhooks/named",
			tag,
			summary: "Create or replace a workflow by name",
			description: "Takes a graph, triplets, nodes and edges, or a whole workflow document.",
			accepts: { "application/json": WorkflowSource, "application/yaml": WorkflowSource },
			responses: {
				200: { description: "Replaced", body: SavedWorkflow },
				201: { description: "Created", body: SavedWorkflow },
				412: STALE,
			},
			headers: SAVE_HEADERS,
			handle: ({ caller, request }) => saveWorkflow(parts, caller, request, { whole: false }),
		}),

		route({
			method: "GET",
			path: "/webhooks/named",
			tag,
			summary: "List the tenant's workflows",
			query: z.object({
				name: WorkflowName.optional().meta({ description: "Return only the workflow of this name" }),
				tag: WorkflowTag.optional().meta({ description: "Return only workflows with this tag" }),
			}),
			responses: { 200: { description: "All workflows", body: WorkflowList } },
			async handle({ caller, query, request }) {
				return reply(200, { workflows: await listWorkflows(parts, caller, request, query) });
			},
		}),

		route({
			method: "GET",
			path: "/webhooks/named/{name}",
			tag,
			summary: "Get a workflow's definition as a portable document",
			description:
				"YAML if the Accept header asks for it, else JSON. The header ETag is the number of its current version.",
			params: Name,
			query: z.object({
				written: z.enum(["true", "false"], "must be true or false").optional().meta({
					description: "true: return only the original YAML text, or 404 if none is stored",
				}),
			}),
			responses: {
				200: {
					description: "The document",
					body: WorkflowDocument,
					content: { "application/yaml": WrittenDocument },
				},
			},
			async handle({ caller: { namespace }, params: { name }, query, request }) {
				if (!wantsYaml(request)) {
					const { value, version } = await stored.document(namespace, name);
					return { status: 200, body: value, headers: buildEtagHeader(version) };
				}
				if (query.written !== "true") return toYamlResponse(await stored.text(namespace, name));
				const written = await stored.written(namespace, name);
				if (written === null) throw notFound("no original text of this workflow is stored");
				return toYamlResponse(written);
			},
		}),

		route({
			method: "DELETE",
			path: "/webhooks/named/{name}",
			tag,
			summary: "Delete a workflow",
			description: `It can be restored with its versions for ${TRASH_DAYS} days, see /deleted-workflows.`,
			params: Name,
			headers: CONDITION_HEADERS,
			responses: { 200: { description: "Deleted from both stores", body: DeletedAnswer }, 412: STALE },
			async handle({ caller, params, request }) {
				const by = readAuthor(parts, caller, request);
				const ifVersion = readVersion(request);
				if (!(await saved.delete(caller.namespace, params.name, by, ifVersion))) throw workflowNotFound();
				return reply(200, { deleted: true });
			},
		}),

		route({
			method: "POST",
			path: "/webhooks/named/{name}/trigger",
			tag,
			summary: "Run a workflow",
			...triggerDescription,
			params: Name,
			responses: { ...TRIGGER_RESPONSES, 200: { description: "The run succeeded", body: RunResult } },
			async handle({ caller, params, request }) {
				const found = await resolveTarget(parts, caller.namespace, params.name, "named");
				const target = { ...found, isOwners: true };
				const trigger = readOwnersTrigger(parts, request);
				if (trigger === null) requireEnabled(target);
				const run = trigger !== null && wantsEvents(request) ? parts.watch : parts.trigger;
				return markSource(target, await run(request, trigger === null ? target : { ...target, trigger }));
			},
		}),

		route({
			method: "POST",
			path: "/webhooks/named/{namespace}/{name}/trigger",
			tag,
			open: true,
			anyMethod: true,
			summary: "Run a workflow by namespace and name, without the tenant header",
			...triggerDescription,
			params: z.object({ namespace: Namespace, name: WorkflowName }),
			responses: { ...TRIGGER_RESPONSES, 200: { description: "The run succeeded", body: RunResult } },
			async handle({ params, request }) {
				const find = () => resolveTarget(parts, params.namespace, params.name, "named");
				const target = await (request.method === "POST" ? find() : findByMethod(find));
				requireEnabled(target);
				return markSource(target, await parts.trigger(request, target));
			},
		}),

		route({
			method: "POST",
			path: "/workflows/backfill-search-entries",
			tag,
			summary: "Copy the tenant's legacy workflows into the store",
			description: "Safe to repeat. Workflows that are already in the store stay unchanged.",
			responses: { 200: { description: "Copied", body: Backfilled } },
			async handle({ caller }) {
				return reply(200, await parts.legacy.backfill(caller.namespace));
			},
		}),
	];
}

export async function resolveTarget(
	parts: ExecutorParts,
	namespace: string,
	name: string,
	trigger: Trigger,
): Promise<Target> {
	const found = await parts.finder.find(namespace, name);
	if (found === null) throw workflowNotFound();
	return {
		runnable: found.runnable,
		isLegacy: found.source === "kv",
		isDisabled: found.isDisabled,
		versionNumber: found.versionNumber,
		workflow: name,
		namespace,
		trigger,
		address: { kind: "named", namespace, name },
		rateKey: namespace,
	};
}

/** Throws if the triggers of the workflow are switched off. */
export function requireEnabled({ isDisabled }: Target): void {
	if (isDisabled === true) throw new Failed({ kind: "conflict", message: "workflow is disabled" });
}

/** Marks an answer when the version in the legacy key-value store ran, which may be older than the store's. */
export function markSource<Answer extends Reply | Response>(target: Target, answer: Answer): Answer {
	if (target.isLegacy !== true) return answer;
	if (!(answer instanceof Response)) return { ...answer, headers: { ...answer.headers, ...FROM_LEGACY } };
	for (const [name, value] of Object.entries(FROM_LEGACY)) answer.headers.set(name, value);
	return answer;
}

const FROM_LEGACY = { "x-workflow-source": "kv" } as const;

export const toYamlResponse = ({ value, version }: Versioned<string>): Response =>
	new Response(value, {
		headers: {
			"content-type": "application/yaml; charset=utf-8",
			vary: "accept",
			...buildEtagHeader(version),
		},
	});

/** The trigger that the MCP server names for its runs. The header is ignored from other callers. */
function readOwnersTrigger({ tenants }: ExecutorParts, request: Incoming): OwnersTrigger | null {
	const said = request.headers.get("x-run-trigger");
	return (said === "mcp" || said === "console") && tenants.isInternal(request) ? said : null;
}

export async function saveWorkflow(
	parts: ExecutorParts,
	caller: Caller,
	request: Incoming,
	options: Pick<SaveOptions, "whole" | "name">,
): Promise<Reply> {
	const condition = readCondition(request);
	const source = await readBodySource(request, parts, caller.namespace);
	const by = readAuthor(parts, caller, request);
	return answerSaved(
		parts,
		caller,
		request,
		await parts.saved.save(caller.namespace, source, { ...options, by, condition }),
	);
}

export function answerSaved(
	{ settings }: ExecutorParts,
	{ namespace }: Caller,
	request: Incoming,
	{ created, name, description, ...rest }: Saved,
): Reply {
	const webhook_url = buildTriggerUrl(getBaseUrl(settings, request), namespace, name);
	return {
		status: created ? 201 : 200,
		body: { name, description, created, webhook_url, ...rest },
		headers: { etag: buildEtag(rest.version_number) },
	};
}

export async function listWorkflows(
	{ stored, settings }: ExecutorParts,
	{ namespace }: Caller,
	request: Incoming,
	{ name, tag }: { readonly name?: string | undefined; readonly tag?: string | undefined },
) {
	const base = getBaseUrl(settings, request);
	const found =
		name === undefined ? await stored.list(namespace, tag) : ((await stored.describe(namespace, name)) ?? []);
	const hasTag = ({ tags }: ListedWorkflow) => tag === undefined || tags.includes(tag);
	return [found]
		.flat()
		.filter(hasTag)
		.map((workflow) => ({
			...workflow,
			webhook_url: buildTriggerUrl(base, namespace, workflow.name),
		}));
}
