import { notFound } from "@tripline/contract/failures";
import { ExecutionSettings, KeptData, KeptDataQuery, type KeptStep } from "@tripline/contract/kept-data";
import { Id } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import { toIsoTime } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { KeptDocument } from "../kept/document.ts";
import { renderInputs } from "../kept/render.ts";
import type { ExecutorParts } from "./deps.ts";

const tag = "Executions";
const NOTHING =
	'nothing is kept of this run: set options.keep of the workflow to "all" or "failed" (or the default with PUT /executions/settings) to keep the data of later runs';

const AGENT = "agent";

const rank = ({ status }: KeptStep): number => (status === "failed" ? 0 : 1);

/** Whether a step is an agent, or a step of one: no node of the document has its name, which contains a slash. */
function findAgentParts({ definition }: KeptDocument): (step: KeptStep) => boolean {
	const components = new Map(definition?.graph.nodes.map(({ id, component }) => [id, component]));
	return ({ id }) => (components.has(id) ? components.get(id) === AGENT : id.includes("/"));
}

/** What the nodes of a run received and gave. */
export function keptDataRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { keptData, replays, keepDefaults, catalogues, turns, store, accepted, held } = parts;
	const params = z.object({ id: Id });
	return [
		route({
			method: "GET",
			path: "/executions/{id}/data",
			tag,
			summary: "Get what the nodes of a run received and gave",
			description:
				"Kept as `options.keep` of the workflow says, or as the namespace's settings say. Secrets of credentials appear as {{credential.NAME}}. Of a run with an agent there is something while it is in progress too, in the process that runs it or ran it last.",
			params,
			query: KeptDataQuery,
			responses: {
				200: { description: "The input, and a page of nodes", body: KeptData },
			},
			async handle({ caller: { namespace }, params: { id }, query }) {
				const { node, place, only, order, limit, cursor } = query;
				const found = await keptData.find(namespace, id);
				if (found === null) throw await explainNothing(namespace, id);
				const { document, expiresAt } = found;
				const isOfAgent = only === "agents" ? findAgentParts(document) : () => true;
				const isAsked = (step: KeptStep) =>
					(node === undefined || step.id === node) &&
					(place === undefined || step.place === place) &&
					isOfAgent(step);
				const asked = document.steps.filter(isAsked);
				if (order === "failed_first") asked.sort((one, other) => rank(one) - rank(other));
				if (node !== undefined && asked.length === 0)
					throw notFound("nothing is kept of this node at this place: it did not run, or did not fit");
				const start = cursor?.seq ?? 0;
				const catalogue = await catalogues.catalogue(namespace);
				const nodes = await turns.run(namespace, () =>
					renderInputs(document, id, asked.slice(start, start + limit), catalogue),
				);
				const next = start + nodes.length;
				return reply(200, {
					execution_id: id,
					workflow: document.workflow,
					...(document.versionNumber !== undefined && { version_number: document.versionNumber }),
					kept: expiresAt === null ? "memory" : "stored",
					...(expiresAt !== null && { expires_at: toIsoTime(expiresAt) }),
					input: document.input,
					nodes,
					is_cut: document.isCut,
					next_cursor: next < asked.length ? encodeCursor({ created_at: 0, seq: next }) : null,
				});
			},
		}),

		route({
			method: "DELETE",
			path: "/executions/{id}/data",
			tag,
			summary: "Delete what is kept of a run",
			description: "Its record stays. It can no longer be repeated from where it failed.",
			params,
			responses: { 204: { description: "Deleted" } },
			async handle({ caller: { namespace }, params: { id } }) {
				const wasKept = await keptData.delete(namespace, id);
				const wasRepeatable = await replays.forget(namespace, id);
				if (!wasKept && !wasRepeatable) throw await explainNothing(namespace, id);
				return { status: 204 };
			},
		}),

		route({
			method: "GET",
			path: "/executions/settings",
			tag,
			summary: "Get what the namespace keeps of its runs",
			responses: { 200: { description: "The settings", body: ExecutionSettings } },
			async handle({ caller: { namespace } }) {
				return reply(200, { keep: await keepDefaults.read(namespace) });
			},
		}),

		route({
			method: "PUT",
			path: "/executions/settings",
			tag,
			summary: "Set what the namespace keeps of its runs",
			description: "For workflows without `options.keep`. Takes effect within a minute.",
			body: ExecutionSettings,
			responses: { 200: { description: "The settings", body: ExecutionSettings } },
			async handle({ caller: { namespace }, body }) {
				await keepDefaults.write(namespace, body);
				return reply(200, body);
			},
		}),
	];

	async function explainNothing(namespace: string, id: string) {
		const [record, status] = await Promise.all([
			store.executionLog.get(namespace, id),
			accepted.status(namespace, id),
		]);
		const hasEnded = record !== null || (await held.find(namespace, id)) !== null;
		if (!hasEnded && status !== null && "since" in status)
			return notFound("the run has not ended: its data is kept when it has");
		return notFound(hasEnded || status !== null ? NOTHING : "execution not found");
	}
}
