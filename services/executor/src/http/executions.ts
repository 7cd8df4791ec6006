import { ExecutionPage, ExecutionQuery } from "@tripline/contract/execution-log";
import { ExecutionDetail, PortalWorkflows } from "@tripline/contract/executor";
import { notFound } from "@tripline/contract/failures";
import { Id } from "@tripline/contract/names";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { HeldRun } from "../runs/held-runs.ts";
import type { ExecutorParts } from "./deps.ts";
import { listWorkflows } from "./named.ts";

const tag = "Executions";

export function executionRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { store, accepted, held } = parts;
	return [
		route({
			method: "GET",
			path: "/executions",
			tag,
			summary: "List the tenant's execution records, newest first",
			query: ExecutionQuery.omit({ owner_id: true }),
			responses: { 200: { description: "A page", body: ExecutionPage } },
			async handle({ caller, request }) {
				return reply(200, await listExecutions(parts, caller, request));
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
				const [record, status] = await Promise.all([
					store.executionLog.get(namespace, id),
					accepted.status(namespace, id),
				]);
				const run = held.get(namespace, id);
				if (record === null && status === null && run === null) throw notFound("execution not found");
				return reply(200, {
					execution_id: id,
					status: record?.verdict ?? getVerdict(run) ?? (status === "accepted" ? status : status?.status),
					workflow: record?.workflow ?? (typeof status === "object" ? status?.workflow : undefined) ?? null,
					record,
					nodes: run?.nodes ?? null,
				});
			},
		}),

		route({
			method: "GET",
			path: "/portal/data/workflows",
			tag,
			summary: "List the tenant's workflows, each with its latest execution",
			responses: { 200: { description: "All workflows", body: PortalWorkflows } },
			async handle({ caller, request }) {
				await parts.records.settle();
				const [workflows, latest] = await Promise.all([
					listWorkflows(parts, caller, request),
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

/** For a run whose record is not stored yet, or was dropped by the daily limit. */
const getVerdict = (run: HeldRun | null): "success" | "failed" | undefined =>
	run === null ? undefined : run.success ? "success" : "failed";

const FORWARDED = ["workflow", "runs_of", "verdict", "since", "until", "q", "limit", "cursor"] as const;

/** A page from the store. The query has been validated and is forwarded unchanged. */
export async function listExecutions(
	{ store, records }: ExecutorParts,
	{ namespace }: Caller,
	request: Incoming,
	workflow?: string,
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
		...(workflow !== undefined && { workflow, runs_of: "named" }),
	});
}
