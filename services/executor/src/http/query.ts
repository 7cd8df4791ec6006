import { AnyJson, type Json } from "@tripline/contract/json";
import { Namespace } from "@tripline/contract/names";
import { type JsonObject, WorkflowName } from "@tripline/contract/workflows";
import type { Incoming } from "@tripline/web/http-message";
import { type Reply, type Route, route } from "@tripline/web/route";
import { parseQuery } from "@tripline/web/validate";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import { buildRunAnswer } from "../domain/run-answer.ts";
import { newExecutionId, type RunRequest } from "../runs/execute.ts";
import { workflowNotFound } from "../workflows/find.ts";
import { checkInput, checkRate, readContext, readRoot } from "./context.ts";
import type { ExecutorParts } from "./deps.ts";
import { markSource, requireEnabled, resolveTarget } from "./named.ts";
import type { Target } from "./target.ts";
import { TRIGGER_RESPONSES } from "./trigger-description.ts";

const tag = "Queries";
const RespondText = z.string().meta({
	description: "The text that `respond` set, with the content type that it set; default text/plain",
});
const { 202: _accepted, ...refusals } = TRIGGER_RESPONSES;
const responses = {
	...refusals,
	409: { description: "The workflow is disabled, or a run is in progress and the trigger's overlap is skip" },
	503: {
		description:
			"Too many runs at once, or the store cannot be reached, see Retry-After; or the run waits for a time and continues by itself at the address in the error",
	},
	200: {
		description: "The run's data, or what `respond` set",
		body: AnyJson,
		content: { "*/*": RespondText },
	},
};

export function queryRoutes(parts: ExecutorParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/webhooks/named/{name}/query",
			tag,
			summary: "Run a workflow and return only its data",
			accepts: { "application/json": z.record(z.string(), AnyJson).optional() },
			params: z.object({ name: WorkflowName }),
			responses,
			async handle({ caller, params, request }) {
				const found = await resolveTarget(parts, caller.namespace, params.name, "query");
				const target = { ...found, isOwners: true };
				requireEnabled(target);
				const { input } = await readContext(parts, request, target);
				return markSource(
					target,
					await answer(target, { ...parseParameters(request.url), ...input }, request),
				);
			},
		}),

		route({
			method: "GET",
			path: "/q/{namespace}/{name}",
			tag,
			open: true,
			summary: "Query a workflow that allows it",
			description: "Only for workflows with `options.query: true`. Query parameters are the trigger context.",
			params: z.object({ namespace: Namespace, name: WorkflowName }),
			responses,
			async handle({ params, request }) {
				const target = await resolveTarget(parts, params.namespace, params.name, "query");
				// 404, so that callers without access cannot discover workflow names.
				if (target.runnable.options.query !== true) throw workflowNotFound();
				requireEnabled(target);
				checkRate(parts.rate, target.rateKey);
				return markSource(target, await answer(target, parseParameters(request.url), request));
			},
		}),
	];

	async function answer(target: Target, input: JsonObject, request: Incoming): Promise<Reply> {
		const check = target.runnable.checkInput;
		if (check !== null) await checkInput(parts, target, check, input);
		const executionId = newExecutionId(parts.clock);
		const root = readRoot(request, target);
		const calledUrl = request.url;
		const started: RunRequest = {
			...target,
			input,
			passedCheck: check,
			executionId,
			eventDepth: 0,
			calledUrl,
		};
		const finished = await parts.runs.runNow(root === undefined ? started : { ...started, request: root });
		const mayLoosen = parts.mayLoosenPages(request);
		return buildRunAnswer(finished.result, finished.answer, { mayLoosen }).reply;
	}
}

function parseParameters(url: string): JsonObject {
	const question = url.indexOf("?");
	if (question === -1) return {};
	const hash = url.indexOf("#", question);
	return parseQuery(url.slice(question + 1, hash === -1 ? undefined : hash)) as { [name: string]: Json };
}
