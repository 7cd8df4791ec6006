import { EndedPage, EndedQuery, ExecutionPage, ExecutionQuery } from "@tripline/contract/execution-log";
import {
	AcceptedRun,
	CancelledExecution,
	ExecutionDetail,
	PortalWorkflows,
	ReplayExecution,
	ReplayExecutions,
	ReplayedExecutions,
	type UnfinishedExecution,
	UnfinishedPage,
	UnfinishedQuery,
} from "@tripline/contract/executor";
import { Failed, notFound } from "@tripline/contract/failures";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { WorkflowTag } from "@tripline/contract/workflows";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { HeldRun } from "../runs/held-runs.ts";
import type { ExecutorParts } from "./deps.ts";
import { listWorkflows } from "./named.ts";

const tag = "Executions";

export function executionRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { store, accepted, held, replays } = parts;
	return [
		route({
			method: "GET",
			path: "/executions",
			tag,
			summary: "List the tenant's execution records, newest first",
			query: ExecutionQuery.omit({ owner_id: true, order: true }),
			responses: { 200: { description: "A page", body: ExecutionPage } },
			async handle({ caller, request }) {
				return reply(200, await listExecutions(parts, caller, request));
			},
		}),

		route({
			method: "GET",
			path: "/executions/ended",
			tag,
			summary: "Follow the tenant's runs as they end",
			description:
				"Execution records in the order in which they are stored, also those of runs that started long ago. Without `after` no record is returned, only the present position. Pass `next` as `after` to continue, at once if has_more is true.",
			query: EndedQuery.omit({ owner_id: true }),
			responses: { 200: { description: "Records, and the next position", body: EndedPage } },
			async handle({ caller: { namespace }, query: { after, limit, ...filter } }) {
				await parts.records.settle();
				const asked = {
					...filter,
					owner_id: namespace,
					limit: String(limit),
					...(after !== undefined && { after: encodeCursor(after) }),
				};
				return reply(200, await store.executionLog.listEnded(asked));
			},
		}),

		route({
			method: "GET",
			path: "/executions/unfinished",
			tag,
			summary: "List the tenant's runs that have not ended",
			description:
				"Runs that no caller waits for: accepted ones, those of schedules that have effects, those of events, and those that wait for a time, an answer or an event. In the order in which they are due: a run that has `until` goes on by itself then, or before with its answer or event.",
			query: UnfinishedQuery,
			responses: { 200: { description: "A page", body: UnfinishedPage } },
			async handle({ caller: { namespace }, query: { limit, cursor } }) {
				const page = { limit, ...(cursor !== undefined && { cursor: encodeCursor(cursor) }) };
				return reply(200, await accepted.listUnfinished(namespace, page));
			},
		}),

		route({
			method: "POST",
			path: "/executions/{id}/cancel",
			tag,
			summary: "Cancel a run that has not ended",
			description:
				"Nodes in progress are aborted. A durable run then takes their `ALWAYS` edges and what follows these, for 30 seconds at most; nothing else starts. Its record is that of a failed run with the error `cancelled`. 409 if it has ended.",
			params: z.object({ id: Id }),
			responses: { 200: { description: "It is cancelled, or cleans up", body: CancelledExecution } },
			async handle({ caller: { namespace }, params: { id } }) {
				const outcome = await accepted.cancel(namespace, id);
				if (outcome === "cancelled" || outcome === "cancelling")
					return reply(200, { execution_id: id, status: outcome });
				if (outcome === "ended" || (await store.executionLog.get(namespace, id)) !== null)
					throw new Failed({ kind: "conflict", message: "the run has ended" });
				throw notFound("execution not found");
			},
		}),

		route({
			method: "POST",
			path: "/executions/replay",
			tag,
			summary: "Repeat failed runs",
			description:
				"Each as `POST /executions/{id}/replay` does, the oldest first. Cancelled runs and runs that repeat others are left out. An answer has a part of the runs: continue with next_cursor until it is null. A call that is sent again starts its runs again.",
			body: ReplayExecutions,
			responses: { 200: { description: "What became of each run", body: ReplayedExecutions } },
			async handle({ caller: { namespace }, body }) {
				await parts.records.settle();
				return reply(200, await replays.replayFailed(namespace, body));
			},
		}),

		route({
			method: "POST",
			path: "/executions/{id}/replay",
			tag,
			summary: "Repeat a run that has ended",
			description:
				"As a new run, which continues after the answer. From the start it needs the whole input of the old run, or another one; from where it failed, its steps: both are kept of runs that no caller waited for, if `options.keep` is `failed` or `all`. 409 if they are not kept.",
			params: z.object({ id: Id }),
			body: ReplayExecution,
			responses: { 202: { description: "The new run is accepted", body: AcceptedRun } },
			async handle({ caller: { namespace }, params: { id }, body }) {
				const execution_id = await replays.replay(namespace, id, body);
				const headers = { location: `/executions/${execution_id}` };
				return { ...reply(202, { execution_id, status: "accepted" }), headers };
			},
		}),

		route({
			method: "GET",
			path: "/executions/{id}",
			tag,
			summary: "Get the status of a run",
			params: z.object({ id: Id }),
			responses: { 200: { description: "Its status, record and trace", body: ExecutionDetail } },
			async handle({ caller: { namespace }, params: { id } }) {
				const [record, status, run] = await Promise.all([
					store.executionLog.get(namespace, id),
					accepted.status(namespace, id),
					held.find(namespace, id),
				]);
				if (record === null && status === null && run === null) throw notFound("execution not found");
				return reply(200, {
					execution_id: id,
					status: findStatus(record, run, status),
					workflow: record?.workflow ?? status?.workflow ?? null,
					record,
					unfinished: record === null && isUnfinished(status) ? status : null,
					nodes: run?.nodes ?? null,
				});
			},
		}),

		route({
			method: "GET",
			path: "/portal/data/workflows",
			tag,
			summary: "List the tenant's workflows, each with its latest execution",
			query: z.object({
				tag: WorkflowTag.optional().meta({ description: "Return only workflows with this tag" }),
			}),
			responses: { 200: { description: "All workflows", body: PortalWorkflows } },
			async handle({ caller, query, request }) {
				await parts.records.settle();
				const [workflows, latest] = await Promise.all([
					listWorkflows(parts, caller, request, query),
					store.executionLog.getLatest(caller.namespace, { runs_of: "named" }),
				]);
				return reply(200, {
					workflows: workflows.map((workflow) => ({
						...workflow,
						last_execution: findLatest(workflow.name),
					})),
				});

				function findLatest(name: string) {
					const record = Object.hasOwn(latest, name) ? latest[name] : undefined;
					if (record === undefined) return null;
					const { time, verdict, duration_ms, error } = record;
					return { time, verdict, duration_ms, error };
				}
			},
		}),
	];
}

function findStatus(
	record: { readonly verdict: "success" | "failed" } | null,
	run: HeldRun | null,
	stored: StoredStatus,
) {
	const status = isUnfinished(stored) ? "accepted" : stored?.status;
	return status === "cancelled" ? status : (record?.verdict ?? getVerdict(run) ?? status);
}

type StoredStatus = Awaited<ReturnType<ExecutorParts["accepted"]["status"]>>;

const isUnfinished = (stored: StoredStatus): stored is UnfinishedExecution =>
	stored !== null && "since" in stored;

/** For a run whose record is not stored yet, or was dropped by the daily limit. */
const getVerdict = (run: HeldRun | null): "success" | "failed" | undefined =>
	run === null ? undefined : run.success ? "success" : "failed";

const FORWARDED = ["workflow", "runs_of", "verdict", "since", "until", "q", "limit", "cursor"] as const;

/**
 * A page of a workflow's records: those under its name since it has it, then those under each name that it had before, as
 * long as it had it. A record keeps the name that the workflow had.
 */
export async function listWorkflowExecutions(
	parts: ExecutorParts,
	caller: Caller,
	request: Incoming,
	{ name, limit, since = 0, until = MAX_TIME }: WorkflowPage,
): Promise<z.output<typeof ExecutionPage>> {
	const former = await parts.store.workflows.listFormerNames(caller.namespace, name);
	if (former.length === 0) return listExecutions(parts, caller, request, { workflow: name });
	const executions: z.output<typeof ExecutionPage>["executions"] = [];
	for (const [nth, period] of [{ name, until }, ...former].entries()) {
		const before = former[nth];
		const page = await listExecutions(parts, caller, request, {
			workflow: period.name,
			limit: String(limit - executions.length),
			since: String(Math.max(since, before?.until ?? 0)),
			until: String(Math.min(until, period.until)),
		});
		executions.push(...page.executions);
		if (page.next_cursor !== null || before === undefined)
			return { executions, next_cursor: page.next_cursor };
		if (executions.length === limit)
			return {
				executions,
				next_cursor: encodeCursor({ created_at: before.until + 1, seq: 0 }),
			};
	}
	return { executions, next_cursor: null };
}

/** Unix seconds. Later than any record. */
const MAX_TIME = 999_999_999_999;

interface WorkflowPage {
	readonly name: string;
	readonly limit: number;
	/** Unix seconds. */
	readonly since?: number | undefined;
	readonly until?: number | undefined;
}

/** A page from the store. The query has been validated and is forwarded unchanged. */
async function listExecutions(
	{ store, records }: ExecutorParts,
	{ namespace }: Caller,
	request: Incoming,
	ofWorkflow?: Pick<
		Parameters<ExecutorParts["store"]["executionLog"]["list"]>[0],
		"workflow" | "limit" | "since" | "until"
	>,
): Promise<z.output<typeof ExecutionPage>> {
	await records.settle();
	const { searchParams } = new URL(request.url);
	const given = FORWARDED.filter((name) => searchParams.has(name)).map((name) => [
		name,
		searchParams.get(name),
	]);
	return store.executionLog.list({
		...Object.fromEntries(given),
		owner_id: namespace,
		// A token webhook may have the name of a workflow, but its runs do not belong to the workflow.
		...(ofWorkflow !== undefined && { ...ofWorkflow, runs_of: "named" }),
	});
}
