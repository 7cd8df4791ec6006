import { CONVERSATION_ID_BYTES } from "@tripline/contract/chat";
import { Failed, type Failure, toFailureStatus } from "@tripline/contract/failures";
import { toFileName, toFileType } from "@tripline/contract/files";
import { randomToken } from "@tripline/contract/ids";
import {
	Completion,
	CompletionError,
	type CompletionMessage,
	type CompletionPart,
	CompletionRequest,
	type CompletionUsage,
	ModelList,
} from "@tripline/contract/openai-chat";
import type { JsonObject } from "@tripline/contract/workflows";
import { readJson } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { type Reply, type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Talked, Talks } from "../chat/talk.ts";
import type { Caller } from "../domain/callers.ts";
import { newExecutionId } from "../runs/execute.ts";
import { checkRate } from "./context.ts";
import type { ExecutorParts } from "./deps.ts";
import { requireEnabled, resolveTarget } from "./named.ts";
import { streamBytes } from "./receive-files.ts";
import type { Target } from "./target.ts";
import { EVENT_STREAM_HEADERS, stopWith, textFeed } from "./text-feed.ts";
import { chooseMaxFilesBytes, Upload } from "./upload.ts";

export interface CompletionDeps extends ExecutorParts {
	readonly talk: Talks;
	readonly background: { run(name: string, work: () => Promise<unknown>): void };
	toFailure(error: unknown): Failure | null;
}

interface Call {
	readonly caller: Caller;
	readonly target: Target;
	readonly body: CompletionRequest;
	readonly request: Incoming;
}

const tag = "Chat";
const DATA_URL = /^data:([^;,]{1,255})?(?:;[^;,]{1,255}){0,4};base64,/i;
/** OpenAI's clients repeat a call that failed with 5xx, and a run may have had effects. */
const NO_RETRY = { "x-should-retry": "false" } as const;

/** Workflows with a chat as models, in OpenAI's format. */
export function completionRoutes(deps: CompletionDeps): Route<Caller>[] {
	const security = {
		key: {
			type: "http",
			scheme: "bearer",
			description: "What X-Service-API-Key would be, or SERVICE_ACCESS_TOKEN where it is set",
		},
	};
	const refused = { description: "In OpenAI's format", body: CompletionError };
	return [
		route({
			method: "GET",
			path: "/v1/models",
			tag,
			open: true,
			security,
			summary: "List the workflows with a chat, as OpenAI's models",
			responses: { 200: { description: "Their names are the ids", body: ModelList }, 401: refused },
			handle: ({ request }) =>
				answer(async () => {
					const { namespace } = await deps.tenants.requireBearer(request);
					const workflows = await deps.stored.list(namespace);
					return reply(200, {
						object: "list",
						data: workflows
							.filter(({ trigger, enabled }) => trigger?.chat !== undefined && enabled)
							.map(({ name, updated_at }) => ({
								...{ id: name, object: "model", owned_by: namespace },
								created: updated_at === null ? 0 : Math.floor(Date.parse(updated_at) / 1000),
							})),
					});
				}),
		}),

		route({
			method: "POST",
			path: "/v1/chat/completions",
			tag,
			open: true,
			security,
			summary: "Talk to a workflow in OpenAI's format",
			description:
				"model is the name of a workflow whose trigger has a chat. The bearer is what X-Service-API-Key would be. The input is { conversation, message, messages, files }; nothing of the conversation is stored.",
			accepts: { "application/json": CompletionRequest },
			responses: {
				200: {
					description: "The reply; a stream of chunks if the body says stream",
					body: Completion,
					content: { "text/event-stream": z.string() },
				},
				400: refused,
				401: refused,
				404: refused,
				429: refused,
				500: refused,
			},
			handle: ({ request }) =>
				answer(async () => {
					const caller = await deps.tenants.requireBearer(request);
					const body = parseBody(await readJson(request, deps.settings.maxBodyBytes));
					const target = await findTarget(caller.namespace, body.model);
					requireEnabled(target);
					checkRate(deps.rate, target.rateKey);
					return complete({ caller, target, body, request });
				}),
		}),
	];

	async function complete(call: Call): Promise<Reply | Response> {
		const { target, body } = call;
		const executionId = newExecutionId(deps.clock);
		const upload = new Upload(deps.files, target, {
			executionId,
			maxBytes: chooseMaxFilesBytes(deps.settings, true, undefined),
		});
		return upload.settle(async () => {
			const messages: JsonObject[] = [];
			for (const message of body.messages) messages.push(await readMessage(message, upload));
			const stopping = stopWith(call.request);
			const shape = createShape(executionId, body, deps.clock.now());
			const feed =
				body.stream === true
					? textFeed({
							opening: shape.chunk({ role: "assistant", content: "" }),
							render: (content) => shape.chunk({ content }),
							onCancel: () => stopping.abort(),
						})
					: null;
			const run = await deps.talk({
				target,
				said: {
					conversation: randomToken(CONVERSATION_ID_BYTES),
					message: findLastText(body.messages),
					messages,
					files: upload.files.map(({ value }) => value),
				},
				executionId,
				calledUrl: call.request.url,
				signal: stopping.signal,
				onText: (text) => feed?.write(text),
			});
			upload.setRun();
			if (feed === null) return shape.reply(await run());
			deps.background.run("completion", async () => {
				try {
					const talked = await run();
					feed.write(talked.rest);
					feed.end(shape.end(talked));
				} catch (error) {
					feed.end(renderData(toError(toFailure(error))));
					if (!(error instanceof Failed)) throw error;
				}
			});
			return new Response(feed.stream, { headers: EVENT_STREAM_HEADERS });
		});
	}

	async function findTarget(namespace: string, name: string): Promise<Target> {
		const missing = new CompletionRefused(404, {
			message: `The model ${JSON.stringify(name)} does not exist: there is no workflow of this name with a chat.`,
			type: "invalid_request_error",
			param: "model",
			code: "model_not_found",
		});
		try {
			const target = await resolveTarget(deps, namespace, name, "named");
			if (target.runnable.webhook?.chat == null) throw missing;
			return { ...target, isOwners: true };
		} catch (error) {
			if (error instanceof Failed && error.failure.kind === "not_found") throw missing;
			throw error;
		}
	}

	/** Refusals are in OpenAI's format too. */
	async function answer(handle: () => Promise<Reply | Response>): Promise<Reply | Response> {
		try {
			return await handle();
		} catch (error) {
			if (error instanceof CompletionRefused) return reply(error.status, { error: error.error });
			const failure = toFailure(error);
			if (failure === null) throw error;
			const wait = "retryAfterSeconds" in failure ? failure.retryAfterSeconds : undefined;
			return {
				status: toFailureStatus(failure),
				body: toError(failure),
				...(wait !== undefined && { headers: { "retry-after": String(wait) } }),
			};
		}
	}

	function toFailure(error: unknown): Failure | null {
		return error instanceof Failed ? error.failure : deps.toFailure(error);
	}
}

class CompletionRefused extends Error {
	readonly status: number;
	readonly error: CompletionError["error"];

	constructor(status: number, error: CompletionError["error"]) {
		super(error.message);
		this.status = status;
		this.error = error;
	}
}

function parseBody(body: unknown): CompletionRequest {
	const parsed = CompletionRequest.safeParse(body);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const param = issue?.path.join(".") ?? "";
	throw new CompletionRefused(400, {
		message: `Invalid ${param === "" ? "body" : `'${param}'`}: ${issue?.message}`,
		type: "invalid_request_error",
		param: param === "" ? null : param,
		code: null,
	});
}

async function readMessage({ role, content }: CompletionMessage, upload: Upload): Promise<JsonObject> {
	const said = role === "developer" ? "system" : role;
	if (content === null || content === undefined || typeof content === "string")
		return { role: said, content: content ?? "" };
	const parts: JsonObject[] = [];
	for (const part of content) parts.push(await readPart(part, upload));
	return { role: said, content: parts };
}

async function readPart(part: CompletionPart, upload: Upload): Promise<JsonObject> {
	if (part.type !== "file") return part;
	const { filename = "file", file_data } = part.file;
	const [head, type] = DATA_URL.exec(file_data) ?? [];
	const bytes = head === undefined ? null : decodeBase64(file_data.slice(head.length));
	if (bytes === null)
		throw new CompletionRefused(400, {
			message: "file_data must be a data URL in base64, such as data:application/pdf;base64,…",
			type: "invalid_request_error",
			param: "messages",
			code: null,
		});
	const file = { name: toFileName(filename), type: toFileType(type ?? null) };
	const value = await upload.write(null, file, streamBytes(bytes));
	return { type: "file", file: { ...value } };
}

function decodeBase64(text: string): Uint8Array | null {
	try {
		return Uint8Array.fromBase64(text);
	} catch {
		return null;
	}
}

/** What the person said last. */
function findLastText(messages: readonly CompletionMessage[]): string {
	const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
	if (typeof content === "string") return content;
	return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function createShape(executionId: string, { model, stream_options }: CompletionRequest, now: number) {
	const about = { id: `chatcmpl-${executionId}`, created: Math.floor(now / 1000), model };
	const renderChunk = (choices: readonly object[], more: object = {}) =>
		renderData({ ...about, object: "chat.completion.chunk", choices, ...more });
	const chunk = (delta: object, finish_reason: "stop" | null = null) =>
		renderChunk([{ index: 0, delta, logprobs: null, finish_reason }]);

	return {
		chunk,

		/** The last events. */
		end(talked: Talked): string {
			if (talked.status !== "answered") return renderData(describeFailure(talked));
			const usage = toUsage(talked);
			const isAsked = stream_options?.include_usage === true && usage !== undefined;
			return `${chunk({}, "stop")}${isAsked ? renderChunk([], { usage }) : ""}data: [DONE]\n\n`;
		},

		reply(talked: Talked): Reply {
			if (talked.status !== "answered")
				return { status: 500, body: describeFailure(talked), headers: NO_RETRY };
			const message = { role: "assistant", content: talked.text, refusal: null };
			return reply(200, {
				...about,
				object: "chat.completion",
				choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
				usage: toUsage(talked),
			});
		},
	};
}

const toUsage = ({ usage }: Talked): CompletionUsage | undefined =>
	usage === null
		? undefined
		: {
				prompt_tokens: usage.input,
				completion_tokens: usage.output,
				total_tokens: usage.input + usage.output,
			};

function describeFailure({ status, error }: Talked): CompletionError {
	const message =
		status === "continues" ? "The workflow waits for something, and continues by itself." : (error ?? status);
	const code = status === "continues" ? "run_continues" : "run_failed";
	return { error: { message, type: "server_error", param: null, code } };
}

function toError(failure: Failure | null): CompletionError {
	const issues = failure?.kind === "invalid" ? failure.issues : [];
	const details = issues.map(({ path, message }) => `${path}: ${message}`).join("; ");
	const message = [failure?.message ?? "internal error", details].filter(Boolean).join(": ");
	const describe = (type: string, code: string | null = null) => ({
		error: { message, type, param: null, code },
	});
	switch (failure?.kind) {
		case "unauthorized":
			return describe("invalid_request_error", "invalid_api_key");
		case "too_many":
			return describe("requests", "rate_limit_exceeded");
		case "conflict":
			return describe("invalid_request_error", "workflow_disabled");
		case undefined:
		case "unavailable":
		case "corrupt":
			return describe("server_error");
		default:
			return describe("invalid_request_error");
	}
}

const renderData = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
