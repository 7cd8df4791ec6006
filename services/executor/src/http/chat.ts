import {
	ChatConversation,
	ChatConversationList,
	ChatConversationQuery,
	ChatLink,
	ChatMessage,
	ChatSettings,
	type ChatTurn,
	ChatTurnQuery,
	CONVERSATION_ID_BYTES,
	CreateChatLink,
	DEFAULT_CHAT_LINK,
	DeletedChatConversation,
	MAX_CHAT_TURNS,
	MAX_MESSAGE_FILES,
} from "@tripline/contract/chat";
import { Failed, type Failure, invalid, notFound, toFailureStatus } from "@tripline/contract/failures";
import { randomToken } from "@tripline/contract/ids";
import { findUnstorable } from "@tripline/contract/json";
import { Namespace } from "@tripline/contract/names";
import type { Chat } from "@tripline/contract/webhook-trigger";
import { WorkflowName } from "@tripline/contract/workflows";
import { identifyCaller } from "@tripline/platform/addresses";
import type { Background } from "@tripline/platform/background";
import { readJson, streamBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import { validate } from "@tripline/web/validate";
import * as z from "zod";
import type { ChatLinks } from "../chat/links.ts";
import { renderChatPage } from "../chat/page.ts";
import type { Talks } from "../chat/talk.ts";
import { type ChatTurns, type ConversationKey, describeTurn } from "../chat/turns.ts";
import type { Caller } from "../domain/callers.ts";
import { buildContent, buildMessages, chooseRecent, type StoredTurn } from "../domain/chat.ts";
import { renderFailure } from "../forms/answers.ts";
import { isSentByForeignPage } from "../forms/foreign.ts";
import { chooseLanguage } from "../forms/languages.ts";
import { newExecutionId } from "../runs/execute.ts";
import { readFileParts } from "./bodies/read-files.ts";
import { findFileBody } from "./bodies/read-input.ts";
import { checkRate } from "./context.ts";
import type { ExecutorParts } from "./deps.ts";
import { requireEnabled, resolveTarget } from "./named.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Target } from "./target.ts";
import { readBearer } from "./tenants.ts";
import { EVENT_STREAM_HEADERS, renderEvent, stopWith, textFeed } from "./text-feed.ts";
import { chooseMaxFilesBytes, Upload } from "./upload.ts";
import { getBaseUrl } from "./urls.ts";

export interface ChatDeps extends ExecutorParts {
	readonly talk: Talks;
	readonly chatTurns: ChatTurns;
	readonly chatLinks: ChatLinks;
	/** Of messages to public chats, by the sender's address. */
	readonly chatRate: RateLimit;
	readonly background: Background;
	toFailure(error: unknown): Failure | null;
}

interface Opened {
	readonly target: Target;
	readonly chat: Chat;
}

interface Message {
	readonly conversation: string | undefined;
	readonly message: string;
	readonly upload: Upload;
}

/** Turns before a message that a workflow gets. */
const MAX_RECENT_TURNS = 20;
/** Turns without a reply whose runs are looked up: a Worker may make only so many calls. */
const MAX_LOOKED_UP = 10;
/** Of earlier messages: each is looked up. */
const MAX_EARLIER_FILES = 10;
const MESSAGE_BYTES = 256 * 1024;

const tag = "Chat";
const Place = z.object({ namespace: Namespace, name: WorkflowName });
/** Any text: an id that cannot exist is not found, like one that does not. */
const Id = z.string();
const InConversation = Place.extend({ id: Id });
const OwnName = z.object({ name: WorkflowName });
const OwnConversation = OwnName.extend({ id: Id });
const refusals = {
	401: { description: "The chat is not public, and there is no valid token of a link as bearer" },
	404: { description: "There is no such workflow, it has no chat, or there is no such conversation" },
} as const;

export function chatRoutes(deps: ChatDeps): Route<Caller>[] {
	const { chatTurns, chatLinks } = deps;
	const path = "/chat/{namespace}/{name}";
	return [
		route({
			method: "GET",
			path,
			tag,
			open: true,
			summary: "Open the page of a chat",
			description:
				"For workflows whose trigger has a chat. A link to a chat that is not public has a token behind #.",
			params: Place,
			headers: { "Accept-Language": "zh for a page in Traditional Chinese; default English" },
			responses: {
				200: { description: "The page", content: { "text/html": z.string() } },
				404: { description: "There is no such workflow, or it has no chat" },
			},
			async handle({ params, request }) {
				const language = chooseLanguage(request.headers.get("accept-language"));
				try {
					await find(params.namespace, params.name);
					return renderChatPage(language);
				} catch (error) {
					const failure = error instanceof Failed ? error.failure : deps.toFailure(error);
					if (failure === null) throw error;
					return renderFailure(failure, language);
				}
			},
		}),

		route({
			method: "GET",
			path: `${path}/settings`,
			tag,
			open: true,
			summary: "Get what the page of a chat shows",
			params: Place,
			responses: { 200: { description: "Its title and greeting", body: ChatSettings }, ...refusals },
			async handle({ params, request }) {
				const { chat, target } = await open(request, params);
				return reply(200, {
					title: chat.title ?? target.workflow,
					greeting: chat.greeting ?? null,
					takes_files: deps.files.isAvailable,
				});
			},
		}),

		route({
			method: "POST",
			path: `${path}/messages`,
			tag,
			open: true,
			summary: "Send a message to a chat, and stream the reply",
			description:
				"Events: conversation { conversation, execution_id }, text { text } while it is written, then done { text }, or problem { status, error }. If the status is `continues`, the run goes on by itself, and its reply comes into the conversation. Closing the connection before stops the run.",
			params: Place,
			accepts: {
				"application/json": ChatMessage,
				"multipart/form-data": z.record(z.string(), z.string()).meta({
					description: `The fields conversation and message, and up to ${MAX_MESSAGE_FILES} files in the field files`,
				}),
			},
			responses: {
				200: { description: "Events", content: { "text/event-stream": z.string() } },
				...refusals,
				403: { description: "Sent by a page of another origin" },
				429: { description: "Too many messages, or today's tokens are used up; see Retry-After" },
			},
			async handle({ params, request }) {
				refuseForeign(request);
				const opened = await open(request, params);
				requireEnabled(opened.target);
				if (opened.chat.access === "public") checkRate(deps.chatRate, identifyCaller(request.address));
				checkRate(deps.rate, opened.target.rateKey);
				return say(request, opened);
			},
		}),

		route({
			method: "GET",
			path: `${path}/conversations/{id}`,
			tag,
			open: true,
			summary: "Get a conversation by its id",
			description:
				"A message whose run goes on by itself is `waiting`; its reply is here once the run has ended.",
			params: InConversation,
			query: ChatTurnQuery,
			responses: { 200: { description: "Its messages and replies", body: ChatConversation }, ...refusals },
			async handle({ params, query, request }) {
				const { target } = await open(request, params);
				return reply(200, await readConversation(toKey(target, params.id), query.last));
			},
		}),

		route({
			method: "DELETE",
			path: `${path}/conversations/{id}`,
			tag,
			open: true,
			summary: "Delete a conversation by its id",
			params: InConversation,
			responses: {
				200: { description: "Deleted", body: DeletedChatConversation },
				...refusals,
				403: { description: "Sent by a page of another origin" },
			},
			async handle({ params, request }) {
				refuseForeign(request);
				const { target } = await open(request, params);
				const has_more = await chatTurns.delete(toKey(target, params.id));
				return reply(200, { deleted: true, has_more });
			},
		}),

		route({
			method: "POST",
			path: "/workflows/{name}/chat-links",
			tag,
			summary: "Make a link to the chat of a workflow",
			description: "Whoever has it can talk to the workflow until it expires, or trigger.chat.links changes.",
			params: OwnName,
			body: CreateChatLink.optional(),
			responses: { 200: { description: "The link", body: ChatLink } },
			async handle({ caller, params, body, request }) {
				const { chat } = await find(caller.namespace, params.name);
				const { days } = body ?? DEFAULT_CHAT_LINK;
				const key = { namespace: caller.namespace, workflow: params.name, chat };
				return reply(200, await chatLinks.create(getBaseUrl(deps.settings, request), key, days));
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/conversations",
			tag,
			summary: "List the conversations of a workflow's chat, last one first",
			description: "Those with a message in this page of messages. They are kept for 30 days.",
			params: OwnName,
			query: ChatConversationQuery,
			responses: { 200: { description: "A page", body: ChatConversationList } },
			async handle({ caller, params, query }) {
				await resolveTarget(deps, caller.namespace, params.name, "named");
				return reply(200, await chatTurns.listConversations(caller.namespace, params.name, query));
			},
		}),

		route({
			method: "GET",
			path: "/workflows/{name}/conversations/{id}",
			tag,
			summary: "Get a conversation of a workflow's chat",
			params: OwnConversation,
			query: ChatTurnQuery,
			responses: { 200: { description: "Its messages and replies", body: ChatConversation } },
			handle: async ({ caller, params, query }) =>
				reply(200, await readConversation(toOwnKey(caller, params), query.last)),
		}),

		route({
			method: "DELETE",
			path: "/workflows/{name}/conversations/{id}",
			tag,
			summary: "Delete a conversation of a workflow's chat",
			params: OwnConversation,
			responses: { 200: { description: "Deleted", body: DeletedChatConversation } },
			async handle({ caller, params }) {
				const has_more = await chatTurns.delete(toOwnKey(caller, params));
				return reply(200, { deleted: true, has_more });
			},
		}),
	];

	async function find(namespace: string, name: string): Promise<Opened> {
		const target = await resolveTarget(deps, namespace, name, "named");
		const chat = target.runnable.webhook?.chat ?? null;
		if (chat === null) throw notFound("the workflow has no chat");
		return { target, chat };
	}

	async function open(
		request: Incoming,
		{ namespace, name }: { readonly namespace: string; readonly name: string },
	): Promise<Opened> {
		const opened = await find(namespace, name);
		const { chat } = opened;
		if (chat.access === "public") return opened;
		const isAllowed = await chatLinks.verify({ namespace, workflow: name, chat }, readBearer(request) ?? "");
		if (isAllowed) return opened;
		throw new Failed({ kind: "unauthorized", message: "the link to this chat is not valid, or has expired" });
	}

	function refuseForeign(request: Incoming): void {
		if (isSentByForeignPage(request.headers, new URL(getBaseUrl(deps.settings, request)).origin))
			throw new Failed({ kind: "forbidden", message: "sent by a page of another origin" });
	}

	async function say(request: Incoming, { target }: Opened): Promise<Response> {
		const upload = new Upload(deps.files, target, {
			executionId: newExecutionId(deps.clock),
			maxBytes: chooseMaxFilesBytes(deps.settings, false, target.runnable.webhook?.maxBytes),
		});
		return upload.settle(async () => start(request, target, await readMessage(request, target, upload)));
	}

	async function readMessage(request: Incoming, target: Target, upload: Upload): Promise<Message> {
		const fileBody = findFileBody(["files"], request.headers.get("content-type"));
		if (fileBody?.kind !== "parts") {
			const body = parseMessage(await readJson(request, deps.settings.maxBodyBytes));
			return { ...requireText(body, 0), upload };
		}
		const maxFilesBytes = chooseMaxFilesBytes(deps.settings, false, target.runnable.webhook?.maxBytes);
		const fields = await readFileParts(streamBody(request, maxFilesBytes + MESSAGE_BYTES), fileBody.type, {
			maxTextBytes: MESSAGE_BYTES,
			wants: (field) => field === "files",
			write(field, file, content) {
				if (upload.files.length === MAX_MESSAGE_FILES)
					throw new Failed({ kind: "too_large", message: `at most ${MAX_MESSAGE_FILES} files can be sent` });
				return upload.write(field, file, content);
			},
		});
		const [conversation] = fields?.get("conversation") ?? [];
		const [message = ""] = fields?.get("message") ?? [];
		const body = parseMessage({ message, ...(conversation !== undefined && { conversation }) });
		const problem = findUnstorable(body.message);
		if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
		return { ...requireText(body, upload.files.length), upload };
	}

	async function start(
		request: Incoming,
		target: Target,
		{ conversation, message, upload }: Message,
	): Promise<Response> {
		const key = toKey(target, conversation ?? randomToken(CONVERSATION_ID_BYTES));
		const before = conversation === undefined ? [] : await chatTurns.read(key, MAX_RECENT_TURNS);
		const number = (before.at(-1)?.number ?? 0) + 1;
		if (number > MAX_CHAT_TURNS)
			throw new Failed({ kind: "conflict", message: "the conversation is too long: begin a new one" });
		const recent = chooseRecent(before);
		const open = await findOpenFiles(key.namespace, recent);
		const files = upload.files.map(({ value }) => value);
		const { executionId } = upload;
		const stopping = stopWith(request);
		const feed = textFeed({
			opening: renderEvent("conversation", { conversation: key.id, execution_id: executionId }),
			render: (text) => renderEvent("text", { text }),
			onCancel: () => stopping.abort(),
		});
		const run = await deps.talk({
			target,
			said: {
				conversation: key.id,
				message,
				messages: [
					...buildMessages(recent, ({ $file }) => open.has($file)),
					{ role: "user", content: buildContent(message, files) },
				],
				files,
				earlierFiles: [...open],
			},
			executionId,
			calledUrl: request.url,
			signal: stopping.signal,
			onText: feed.write,
		});
		upload.setRun();
		deps.background.run("chat", async () => {
			// Written beside the run, which need not wait for it unless it may go on without its caller.
			const begun = chatTurns.begin(key, { number, message, files, execution_id: executionId });
			begun.catch(() => {});
			try {
				const { status, text } = await run(begun);
				// Otherwise the run completes the turn when it ends.
				if (status !== "continues")
					await (await begun).end({ reply: status !== "answered" && text === "" ? null : text, status });
				if (status === "answered") feed.end(renderEvent("done", { text }));
				else feed.end(renderEvent("problem", { status, error: PROBLEMS[status], execution_id: executionId }));
			} catch (error) {
				const failure = error instanceof Failed ? error.failure : deps.toFailure(error);
				feed.end(
					renderEvent("problem", {
						status: "failed",
						error: failure?.message ?? "internal error",
						code: failure === null ? 500 : toFailureStatus(failure),
						execution_id: executionId,
					}),
				);
				await (await begun).end({ reply: null, status: "failed" });
				if (failure === null) throw error;
			}
		});
		return new Response(feed.stream, { headers: EVENT_STREAM_HEADERS });
	}

	/** Files of earlier messages that have not expired, by id. */
	async function findOpenFiles(
		namespace: string,
		turns: readonly StoredTurn[],
	): Promise<ReadonlySet<string>> {
		const ids = turns.flatMap(({ files }) => files.map(({ $file }) => $file)).slice(-MAX_EARLIER_FILES);
		const found = await Promise.all(ids.map((id) => deps.files.find(namespace, id)));
		return new Set(ids.filter((_, index) => found[index] != null));
	}

	async function readConversation(key: ConversationKey, last: number) {
		const turns = await chatTurns.read(key, last);
		const open = turns.filter(({ status, execution_id }) => status === "unfinished" && execution_id);
		const looked = new Set(open.slice(-MAX_LOOKED_UP));
		const described = turns.map((turn) => (looked.has(turn) ? describeOpen(key, turn) : describeTurn(turn)));
		return { id: key.id, turns: await Promise.all(described) };
	}

	/** A turn without a reply whose run may go on by itself. */
	async function describeOpen(
		{ namespace }: ConversationKey,
		turn: StoredTurn & { readonly id: string },
	): Promise<ChatTurn> {
		const run = await deps.accepted.status(namespace, turn.execution_id ?? "");
		if (run === null) return describeTurn(turn);
		// It may have ended since the turn was read.
		if (!("waits_for" in run)) return describeTurn((await chatTurns.readOne(namespace, turn.id)) ?? turn);
		const waitsFor = WAITS.find((each) => each === run.waits_for) ?? null;
		return { ...describeTurn(turn, waitsFor), status: "waiting" };
	}
}

const WAITS = ["time", "answer", "event"] as const;

/** What people read who are not the owner. */
const PROBLEMS = {
	failed: "the workflow failed",
	stopped: "stopped",
	continues: "the workflow waits for something, and continues by itself",
} as const;

const parseMessage = (body: unknown) => validate(ChatMessage, body) as z.output<typeof ChatMessage>;

function requireText(
	{ message, conversation }: z.output<typeof ChatMessage>,
	files: number,
): Pick<Message, "message" | "conversation"> {
	if (message.trim() === "" && files === 0)
		throw invalid([{ path: "message", message: "must not be empty" }]);
	return { message, conversation };
}

const toKey = ({ namespace, workflow }: Target, id: string): ConversationKey => ({
	namespace: namespace as string,
	workflow,
	id,
});

const toOwnKey = (
	{ namespace }: Caller,
	{ name, id }: { readonly name: string; readonly id: string },
): ConversationKey => ({ namespace, workflow: name, id });
