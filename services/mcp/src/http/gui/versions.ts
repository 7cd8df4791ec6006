import { ChatConversation, ChatLink, ChatTurnQuery, CreateChatLink } from "@tripline/contract/chat";
import { encodeCursor } from "@tripline/contract/paging";
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
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { CONDITION_HEADERS as headers, readIfVersion, STALE, TAKEN } from "./condition.ts";
import { type GuiParts, getExecutor, requireFound, TAG as tag } from "./parts.ts";

const params = z.object({ name: WorkflowName });
const WORKFLOW = "workflow";
const VERSION = "workflow or version";

export const versionRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/workflows/{name}/versions",
		tag,
		summary: "A workflow's versions, newest first",
		params,
		query: VersionQuery,
		responses: { 200: { description: "A page", body: WorkflowVersionPage } },
		async handle(call) {
			const { limit, cursor } = call.query;
			const page = { limit, cursor: cursor && encodeCursor(cursor) };
			const found = await getExecutor(parts, call).versions.list(call.params.name, page);
			return reply(200, requireFound(found, WORKFLOW));
		},
	}),

	route({
		method: "GET",
		path: "/gui/workflows/{name}/versions/{number}",
		tag,
		summary: "A version with its text",
		params: params.extend({ number: VersionNumberText }),
		responses: { 200: { description: "The version", body: WorkflowVersionText } },
		async handle(call) {
			const { name, number } = call.params;
			return reply(200, requireFound(await getExecutor(parts, call).versions.get(name, number), VERSION));
		},
	}),

	route({
		method: "GET",
		path: "/gui/workflows/{name}/diff",
		tag,
		summary: "Compare two versions, or a version and the draft",
		params,
		query: DiffQuery,
		responses: { 200: { description: "What changed", body: WorkflowDiff } },
		async handle(call) {
			const found = await getExecutor(parts, call).versions.diff(call.params.name, call.query);
			return reply(200, requireFound(found, VERSION));
		},
	}),

	route({
		method: "POST",
		path: "/gui/workflows/{name}/rollback",
		tag,
		summary: "Go back to an old version",
		description: "Makes a new version with the text of the old one.",
		params,
		body: RollBack,
		headers,
		responses: { 200: { description: "The new version", body: ChangedWorkflow }, 412: STALE },
		async handle(call) {
			const { versions } = getExecutor(parts, call);
			const ifVersion = readIfVersion(call.request);
			const changed = await versions.rollBack(call.params.name, call.body.version, ifVersion);
			return reply(200, requireFound(changed, VERSION));
		},
	}),

	route({
		method: "POST",
		path: "/gui/workflows/{name}/chat-links",
		tag,
		summary: "Make a link to a workflow's chat",
		params,
		body: CreateChatLink.optional(),
		responses: { 200: { description: "The link", body: ChatLink } },
		async handle(call) {
			const { workflows } = getExecutor(parts, call);
			const link = await workflows.createChatLink(call.params.name, call.body);
			return reply(200, requireFound(link, WORKFLOW));
		},
	}),

	route({
		method: "GET",
		path: "/gui/workflows/{name}/conversations/{id}",
		tag,
		summary: "Messages and replies of a conversation with a workflow's chat",
		description: "What is said in the console is kept if its run may wait.",
		params: params.extend({ id: z.string() }),
		query: ChatTurnQuery,
		responses: { 200: { description: "The last ones", body: ChatConversation } },
		async handle(call) {
			const { workflows } = getExecutor(parts, call);
			const { name, id } = call.params;
			return reply(200, requireFound(await workflows.readChat(name, id, call.query.last), "conversation"));
		},
	}),

	route({
		method: "PUT",
		path: "/gui/workflows/{name}/enabled",
		tag,
		summary: "Switch a workflow's triggers on or off",
		description: "Runs from the console and from assistants still work while it is off.",
		params,
		body: Enabled,
		responses: { 200: { description: "Switched", body: ChangedWorkflow } },
		async handle(call) {
			const { workflows } = getExecutor(parts, call);
			return reply(
				200,
				requireFound(await workflows.setEnabled(call.params.name, call.body.enabled), WORKFLOW),
			);
		},
	}),

	route({
		method: "POST",
		path: "/gui/workflows/{name}/rename",
		tag,
		summary: "Rename a workflow",
		description: "Its versions, its draft and its switch stay with it; its addresses change.",
		params,
		body: Rename,
		headers,
		responses: {
			200: { description: "Renamed", body: ChangedWorkflow },
			409: TAKEN,
			412: STALE,
		},
		async handle(call) {
			const { workflows } = getExecutor(parts, call);
			const ifVersion = readIfVersion(call.request);
			return reply(
				200,
				requireFound(await workflows.rename(call.params.name, call.body.to, ifVersion), WORKFLOW),
			);
		},
	}),
];
