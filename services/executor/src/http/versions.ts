import {
	ChangedWorkflow,
	DiffQuery,
	Enabled,
	Rename,
	RollBack,
	VersionNumberText,
	VersionQuery,
	WorkflowDiff,
	WorkflowVersionPage,
	WorkflowVersionText,
} from "@tripline/contract/workflow-versions";
import { WorkflowName } from "@tripline/contract/workflows";
import { parseTarget } from "@tripline/web/http-message";
import { type Reply, type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { Changed } from "../workflows/versions.ts";
import { wantsYaml } from "./accept.ts";
import { buildEtag, CONDITION_HEADERS, readAuthor, readVersion, STALE } from "./change.ts";
import type { ExecutorParts } from "./deps.ts";
import { toYamlResponse } from "./named.ts";

const tag = "Versions";
const Name = z.object({ name: WorkflowName });

export function versionRoutes(parts: ExecutorParts): Route<Caller>[] {
	const { versions } = parts;
	return [
		route({
			method: "GET",
			path: "/workflows/{name}/versions",
			tag,
			summary: "List a workflow's versions, newest first",
			description: "Every change of its text is a version. A workflow of the legacy store has none yet.",
			params: Name,
			query: VersionQuery,
			responses: { 200: { description: "A page", body: WorkflowVersionPage } },
			async handle({ caller, params, query, request }) {
				const cursor = new URLSearchParams(parseTarget(request.url).search).get("cursor") ?? undefined;
				return reply(200, await versions.list(caller.namespace, params.name, { limit: query.limit, cursor }));
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/versions/{number}",
			tag,
			summary: "Get a version with its text",
			description: "Only the text if the Accept header asks for YAML.",
			params: Name.extend({ number: VersionNumberText }),
			responses: {
				200: {
					description: "The version",
					body: WorkflowVersionText,
					content: { "application/yaml": z.string() },
				},
			},
			async handle({ caller, params, request }) {
				const version = await versions.read(caller.namespace, params.name, params.number);
				if (!wantsYaml(request)) return reply(200, version);
				return toYamlResponse({ value: version.text, version: version.number });
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/diff",
			tag,
			summary: "Compare two versions, or a version and the draft",
			description: "By the lines of their texts and by the nodes of their graphs.",
			params: Name,
			query: DiffQuery,
			responses: { 200: { description: "What changed", body: WorkflowDiff } },
			async handle({ caller, params, query }) {
				return reply(200, await versions.diff(caller.namespace, params.name, query));
			},
		}),

		route({
			method: "POST",
			path: "/workflows/{name}/rollback",
			tag,
			summary: "Go back to an old version",
			description:
				"Makes a new version with the text of the old one, byte for byte; only its name stays the present one. The old one must still compile with the components of today.",
			params: Name,
			body: RollBack,
			headers: CONDITION_HEADERS,
			responses: { 200: { description: "The new version", body: ChangedWorkflow }, 412: STALE },
			async handle({ caller, params, body: { version }, request }) {
				const by = readAuthor(parts, caller, request);
				const change = { version, by, ifVersion: readVersion(request) };
				return answerChanged(await versions.rollBack(caller.namespace, params.name, change));
			},
		}),

		route({
			method: "PUT",
			path: "/workflows/{name}/enabled",
			tag,
			summary: "Switch a workflow's triggers on or off",
			description:
				"While it is off its addresses answer 409, and its schedule and its events start no run; what was due meanwhile is not made up for. Runs from the console and from assistants, of drafts and from other workflows still work. The switch is no version.",
			params: Name,
			body: Enabled,
			responses: { 200: { description: "Switched", body: ChangedWorkflow } },
			async handle({ caller, params, body: { enabled } }) {
				return answerChanged(await versions.setEnabled(caller.namespace, params.name, enabled));
			},
		}),

		route({
			method: "POST",
			path: "/workflows/{name}/rename",
			tag,
			summary: "Rename a workflow",
			description:
				"A new version under the new name. Its versions, its draft, its switch and the records of its runs stay with it. Its addresses change, and workflows that call it by its old name no longer find it.",
			params: Name,
			body: Rename,
			headers: CONDITION_HEADERS,
			responses: {
				200: { description: "Renamed", body: ChangedWorkflow },
				409: { description: "Another workflow has that name" },
				412: STALE,
			},
			async handle({ caller, params, body: { to }, request }) {
				const change = { to, by: readAuthor(parts, caller, request), ifVersion: readVersion(request) };
				return answerChanged(await versions.rename(caller.namespace, params.name, change));
			},
		}),
	];
}

export const answerChanged = (changed: Changed): Reply => ({
	status: 200,
	body: changed,
	headers: { etag: buildEtag(changed.version_number) },
});
