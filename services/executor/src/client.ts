import type { ChatConversation, ChatLink, CreateChatLink } from "@tripline/contract/chat";
import type {
	ConversationFacts,
	ConversationName,
	ConversationPage,
	DeletedConversation,
	TurnPage,
} from "@tripline/contract/conversations";
import type {
	ConnectionTest,
	CredentialList,
	SignInLink,
	WriteCredential,
	WrittenCredential,
} from "@tripline/contract/credentials";
import type { EndedPage, EndedQuery, ExecutionPage, ExecutionQuery } from "@tripline/contract/execution-log";
import type {
	AcceptedRun,
	CancelledExecution,
	ComponentDetail,
	ComponentList,
	CreatedWebhook,
	ExecutionDetail,
	InstallComponent,
	InstalledComponent,
	MailboxStatus,
	PollStatus,
	PortalWorkflows,
	ReplayExecution,
	ReplayExecutions,
	ReplayedExecutions,
	SavedWorkflow,
	UnfinishedPage,
	Validation,
	ValidationQuery,
	WebhookList,
	WorkflowDocument,
	WorkflowList,
} from "@tripline/contract/executor";
import type { CreateFileLink, FileLink, StoredFile, StoredFileList } from "@tripline/contract/files";
import type { ExecutionSettings, KeptData, KeptDataQuery } from "@tripline/contract/kept-data";
import type {
	McpServer,
	McpServerList,
	McpToolChanges,
	WriteMcpServer,
} from "@tripline/contract/mcp-servers";
import type { McpSignIn } from "@tripline/contract/mcp-sign-in";
import type { DescribedOperations, ImportDescription, ImportedRecipe } from "@tripline/contract/openapi";
import type { AnsweredQuestion, AnswerQuestion, QuestionPage } from "@tripline/contract/questions";
import type {
	ApiRecipe,
	ApiRecipeList,
	AuthRecipe,
	AuthRecipeList,
	WriteApiRecipe,
} from "@tripline/contract/recipes";
import type { ServiceStatus } from "@tripline/contract/status";
import {
	AUTHOR_HEADER,
	type ChangeBy,
	type ChangedWorkflow,
	CLIENT_HEADER,
	type DeletedWorkflowPage,
	type WorkflowDiff,
	type WorkflowDraft,
	type WorkflowVersionPage,
	type WorkflowVersionText,
} from "@tripline/contract/workflow-versions";
import type { JsonObject, RunResult, TestRun, Trigger } from "@tripline/contract/workflows";
import {
	type Answer,
	createServiceCaller,
	encodeText,
	orNull,
	type Sent,
	ServiceRefused,
	ServiceUnavailable,
	type Transport,
} from "@tripline/web/service-call";
import type * as z from "zod";
import type { OwnersTrigger } from "./runs/execute.ts";

/** The executor could not be reached or failed to answer. The same call may succeed later. */
export class ExecutorUnavailable extends ServiceUnavailable {
	override readonly name = "ExecutorUnavailable";
}

/** The executor refused the call; repeating it would fail again. `answer` holds the compiler's diagnostics. */
export class ExecutorRefused extends ServiceRefused {
	override readonly name = "ExecutorRefused";
}

/** A workflow document as YAML text or as a parsed value. */
export type DocumentSource = { readonly yaml: string } | { readonly json: JsonObject };

export type ExecutorClient = ReturnType<typeof executorClient>;
export type TenantExecutor = ReturnType<ExecutorClient["as"]>;

/** Fits a page of 100 records, or a run's result of 4 MiB with its trace. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

type Output<Schema extends z.ZodType> = z.output<Schema>;
/** Null for a workflow without such a trigger. */
export interface TriggerState {
	readonly mailbox: Output<typeof MailboxStatus> | null;
	readonly poll: Output<typeof PollStatus> | null;
}

interface RunOptions {
	/** The trigger in the execution record; the executor accepts it only from internal callers. Default: `mcp`. */
	readonly trigger?: OwnersTrigger;
	readonly signal?: AbortSignal | undefined;
}

interface SaveOptions {
	/** A document with a different name is refused. */
	readonly name?: string | undefined;
	readonly ifVersion?: IfVersion | undefined;
}

/** Refused with 412 unless this is the current version. `none`: unless there is no workflow of that name. */
export type IfVersion = number | "none";

interface PageQuery {
	readonly limit?: number | undefined;
	readonly cursor?: string | undefined;
}

/** What is sent with the bytes of a file. */
export interface UploadedFile {
	readonly name: string;
	readonly type: string;
	/** In bytes, if it is known. */
	readonly size?: number | undefined;
}

interface FileQuery {
	readonly kept?: boolean | undefined;
	/** Only names that begin with it: the name under which a file is kept, else its own. */
	readonly prefix?: string | undefined;
	readonly limit?: number | undefined;
	readonly cursor?: string | undefined;
}

/** Client for the other services. Each call acts for one namespace, which the caller has verified. */
export function executorClient(transport: Transport) {
	const { call, text, stream } = createServiceCaller(transport, {
		name: "the executor",
		Unavailable: ExecutorUnavailable,
		Refused: ExecutorRefused,
		maxAnswerBytes: MAX_ANSWER_BYTES,
	});

	return {
		/**
		 * `baseUrl`: set where the executor is served at the address that the caller's request used.
		 * `by`: who changes workflows, and by what; the executor believes it only from internal callers.
		 */
		as(namespace: string, { baseUrl, by = {} }: { baseUrl?: string | undefined; by?: ChangeBy } = {}) {
			const tenant = { "x-service-api-key": namespace, ...toAuthorHeaders(by) };
			const addTenant = (sent: Sent): Sent => ({
				...sent,
				baseUrl,
				headers: { ...sent.headers, ...tenant },
			});
			const ask = <Result>(
				method: string,
				path: string,
				isAnswer: (answer: Answer) => boolean,
				sent: Sent = {},
				signal?: AbortSignal | undefined,
			): Promise<Result> => call(method, path, isAnswer, addTenant(sent), signal);

			const getYaml = (name: string, query: Sent["query"] = {}): Promise<string | null> => {
				const headers = { accept: "application/yaml" };
				return orNull(text("GET", `/webhooks/named/${encodeText(name)}`, addTenant({ query, headers })));
			};

			return {
				workflows: {
					list: (query: { readonly tag?: string | undefined } = {}): Promise<Output<typeof WorkflowList>> =>
						ask("GET", "/webhooks/named", hasList("workflows"), { query }),

					/** The list item of one workflow. Null if there is none of that name. */
					async describe(name: string): Promise<Output<typeof WorkflowList>["workflows"][number] | null> {
						const sent = { query: { name } };
						const isAnswer = hasList("workflows");
						const list = await ask<Output<typeof WorkflowList>>("GET", "/webhooks/named", isAnswer, sent);
						return list.workflows[0] ?? null;
					},

					/** What is known of its mailbox or its polls. */
					async triggerState(
						name: string,
						trigger: Pick<Trigger, "email" | "poll"> | null,
					): Promise<TriggerState> {
						const get = <Result>(part: string): Promise<Result | null> =>
							orNull(ask("GET", buildPath(name, part), hasField("failures")));
						return {
							mailbox: trigger?.email === undefined ? null : await get("mailbox"),
							poll: trigger?.poll === undefined ? null : await get("poll"),
						};
					},

					listWithLatestRuns: (
						query: { readonly tag?: string | undefined } = {},
					): Promise<Output<typeof PortalWorkflows>> =>
						ask("GET", "/portal/data/workflows", hasList("workflows"), { query }),

					/** Null if there is none of that name. */
					document: (name: string): Promise<Output<typeof WorkflowDocument> | null> =>
						orNull(ask("GET", `/webhooks/named/${encodeText(name)}`, hasField("triplets"))),

					/** The YAML: the original text if it was saved as YAML. Null if there is none of that name. */
					text: (name: string): Promise<string | null> => getYaml(name),

					/** The original YAML text with its comments. Null if no text is stored or there is no such workflow. */
					writtenText: (name: string): Promise<string | null> => getYaml(name, { written: "true" }),

					save: (
						source: DocumentSource,
						{ name, ifVersion }: SaveOptions = {},
					): Promise<Output<typeof SavedWorkflow>> =>
						ask("POST", "/workflows", hasField("created"), {
							...toSent(source),
							query: { name },
							headers: toConditionHeaders(ifVersion),
						}),

					/** With a query, its form is drawn too. */
					validate: (
						source: DocumentSource,
						query: z.input<typeof ValidationQuery> = {},
					): Promise<Output<typeof Validation>> =>
						ask("POST", "/workflows/validate", hasField("valid"), { ...toSent(source), query }),

					/** Whether it was there. It can be restored. */
					delete: async (name: string, ifVersion?: IfVersion): Promise<boolean> =>
						(await orNull(
							ask("DELETE", `/webhooks/named/${encodeText(name)}`, hasField("deleted"), {
								headers: toConditionHeaders(ifVersion),
							}),
						)) !== null,

					/** Null if there is none of that name. */
					setEnabled: (name: string, enabled: boolean): Promise<Output<typeof ChangedWorkflow> | null> =>
						orNull(ask("PUT", buildPath(name, "enabled"), hasField("version_number"), { body: { enabled } })),

					/** Null if there is none of that name with a chat. */
					createChatLink: (
						name: string,
						options: z.input<typeof CreateChatLink> = {},
					): Promise<ChatLink | null> =>
						orNull(ask("POST", buildPath(name, "chat-links"), hasField("url"), { body: options })),

					/** The last messages of a conversation of its chat. Null if there is none. */
					readChat: (
						name: string,
						id: string,
						last: number,
					): Promise<Output<typeof ChatConversation> | null> =>
						orNull(
							ask("GET", buildPath(name, `conversations/${encodeText(id)}`), hasList("turns"), {
								query: { last },
							}),
						),

					/** Null if there is none of that name. */
					rename: (
						name: string,
						to: string,
						ifVersion?: IfVersion,
					): Promise<Output<typeof ChangedWorkflow> | null> =>
						orNull(
							ask("POST", buildPath(name, "rename"), hasField("version_number"), {
								body: { to },
								headers: toConditionHeaders(ifVersion),
							}),
						),

					/**
					 * Null if there is none of that name. A failed run is returned as a result; an accepted one has not ended, and
					 * continues by itself.
					 */
					run: (
						name: string,
						input: JsonObject,
						{ trigger = "mcp", signal }: RunOptions = {},
					): Promise<RunResult | AcceptedRun | null> =>
						orNull(
							ask(
								"POST",
								`/webhooks/named/${encodeText(name)}/trigger`,
								hasField("execution_id"),
								{ body: input, headers: { "x-run-trigger": trigger }, alsoAnswers: 500 },
								signal,
							),
						),

					/** Runs it for the console as server-sent events, the result last. Null if there is none of that name. */
					watch(name: string, input: JsonObject): Promise<ReadableStream<Uint8Array> | null> {
						const headers = { accept: "text/event-stream", "x-run-trigger": "console" };
						const path = `/webhooks/named/${encodeText(name)}/trigger`;
						return orNull(stream("POST", path, addTenant({ body: input, headers })));
					},

					/** Runs its draft, else itself, with pinned outputs. Null if there is none of that name. A failed run is returned as a result. */
					test: (name: string, body: TestRun): Promise<RunResult | null> =>
						orNull(
							ask("POST", buildPath(name, "test"), hasField("execution_id"), { body, alsoAnswers: 500 }),
						),

					/** The same as server-sent events, the result last. */
					watchTest: (name: string, body: TestRun): Promise<ReadableStream<Uint8Array> | null> =>
						orNull(
							stream(
								"POST",
								buildPath(name, "test"),
								addTenant({ body, headers: { accept: "text/event-stream" } }),
							),
						),
				},

				versions: {
					/** Newest first. Null if there is no workflow of that name. */
					list: (name: string, query: PageQuery = {}): Promise<WorkflowVersionPage | null> =>
						orNull(ask("GET", buildPath(name, "versions"), hasList("versions"), { query: { ...query } })),

					/** Null if there is no such workflow or version. */
					get: (name: string, number: number): Promise<Output<typeof WorkflowVersionText> | null> =>
						orNull(ask("GET", buildPath(name, `versions/${number}`), hasField("text"))),

					/** By default what the current version changed. Null if there is no such workflow, version or draft. */
					diff: (
						name: string,
						query: {
							readonly from?: number | "draft" | undefined;
							readonly to?: number | "draft" | undefined;
						} = {},
					): Promise<WorkflowDiff | null> =>
						orNull(ask("GET", buildPath(name, "diff"), hasList("hunks"), { query })),

					/** Null if there is no such workflow or version. */
					rollBack: (
						name: string,
						version: number,
						ifVersion?: IfVersion,
					): Promise<Output<typeof ChangedWorkflow> | null> =>
						orNull(
							ask("POST", buildPath(name, "rollback"), hasField("version_number"), {
								body: { version },
								headers: toConditionHeaders(ifVersion),
							}),
						),
				},

				drafts: {
					/** Null if there is no such workflow, or it has no draft. */
					get: (name: string): Promise<WorkflowDraft | null> =>
						orNull(ask("GET", buildPath(name, "draft"), hasField("revision"))),

					/** `base`: the version that it changes. Null if there is no workflow of that name. */
					save: (name: string, source: DocumentSource, base?: number): Promise<WorkflowDraft | null> =>
						orNull(
							ask("PUT", buildPath(name, "draft"), hasField("revision"), {
								...toSent(source),
								query: { base },
							}),
						),

					/** Whether there was one. */
					discard: async (name: string): Promise<boolean> =>
						(await orNull(ask("DELETE", buildPath(name, "draft"), hasField("deleted")))) !== null,

					/** Null if there is none. A failed run is returned as a result. */
					run: (name: string, input: JsonObject): Promise<RunResult | null> =>
						orNull(
							ask("POST", buildPath(name, "draft/run"), hasField("execution_id"), {
								body: input,
								alsoAnswers: 500,
							}),
						),

					/** Runs it as server-sent events, the result last. Null if there is none. */
					watch: (name: string, input: JsonObject): Promise<ReadableStream<Uint8Array> | null> =>
						orNull(
							stream(
								"POST",
								buildPath(name, "draft/run"),
								addTenant({ body: input, headers: { accept: "text/event-stream" } }),
							),
						),

					/** Null if there is none. */
					publish: (name: string): Promise<Output<typeof SavedWorkflow> | null> =>
						orNull(ask("POST", buildPath(name, "draft/publish"), hasField("created"))),
				},

				deletedWorkflows: {
					/** Last deleted first. */
					list: (query: PageQuery = {}): Promise<DeletedWorkflowPage> =>
						ask("GET", "/deleted-workflows", hasList("workflows"), { query: { ...query } }),

					/** Null if there is no such deleted workflow. */
					restore: (id: string): Promise<Output<typeof ChangedWorkflow> | null> =>
						orNull(ask("POST", `/deleted-workflows/${encodeText(id)}/restore`, hasField("version_number"))),

					/** For good. Whether it was there. */
					purge: async (id: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/deleted-workflows/${encodeText(id)}`, hasField("deleted")))) !==
						null,
				},

				status: (): Promise<ServiceStatus> => ask("GET", "/status", hasField("attention")),

				executions: {
					/** Of all workflows and webhooks, or of one workflow. */
					list: (
						query: Omit<z.input<typeof ExecutionQuery>, "owner_id">,
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<Output<typeof ExecutionPage>> =>
						ask("GET", "/executions", hasList("executions"), { query }, signal),

					/** Records in the order in which the runs ended, from a position on. */
					ended: (query: Omit<z.input<typeof EndedQuery>, "owner_id">): Promise<Output<typeof EndedPage>> =>
						ask("GET", "/executions/ended", hasList("executions"), { query }),

					/** Null: there is none. */
					get: (id: string): Promise<Output<typeof ExecutionDetail> | null> =>
						orNull(ask("GET", `/executions/${encodeText(id)}`, hasField("status"))),

					/** Refused if nothing is kept. */
					data: (id: string, query: z.input<typeof KeptDataQuery>): Promise<KeptData> =>
						ask("GET", `/executions/${encodeText(id)}/data`, hasList("nodes"), { query }),

					/** Refused if nothing is kept. */
					async deleteData(id: string): Promise<void> {
						await text("DELETE", `/executions/${encodeText(id)}/data`, addTenant({}));
					},

					settings: (): Promise<ExecutionSettings> => ask("GET", "/executions/settings", hasField("keep")),

					changeSettings: (settings: ExecutionSettings): Promise<ExecutionSettings> =>
						ask("PUT", "/executions/settings", hasField("keep"), { body: settings }),

					/** Runs that have not ended and that no caller waits for. */
					unfinished: (query: PageQuery = {}): Promise<Output<typeof UnfinishedPage>> =>
						ask("GET", "/executions/unfinished", hasList("executions"), { query: { ...query } }),

					/** Null: there is none. Refused if it has ended. */
					cancel: (id: string): Promise<Output<typeof CancelledExecution> | null> =>
						orNull(ask("POST", `/executions/${encodeText(id)}/cancel`, hasField("status"))),

					/** Repeats a part of the failed runs that match. */
					replayFailed: (
						request: z.input<typeof ReplayExecutions>,
					): Promise<Output<typeof ReplayedExecutions>> =>
						ask("POST", "/executions/replay", hasList("executions"), { body: request }),

					/** Starts a new run that repeats it. Null: there is none. Refused if what it needs is not kept. */
					replay: (id: string, request: z.input<typeof ReplayExecution> = {}): Promise<AcceptedRun | null> =>
						orNull(
							ask("POST", `/executions/${encodeText(id)}/replay`, hasField("execution_id"), {
								body: request,
							}),
						),
				},

				questions: {
					/** What runs ask people, the latest first. */
					list: (query: PageQuery = {}): Promise<Output<typeof QuestionPage>> =>
						ask("GET", "/questions", hasList("questions"), { query: { ...query } }),

					/** Null: there is none. Refused if it has ended, or the answer does not fit its fields. */
					answer: (
						{ execution_id, id }: { readonly execution_id: string; readonly id: string },
						answer: z.input<typeof AnswerQuestion>["answer"],
					): Promise<Output<typeof AnsweredQuestion> | null> =>
						orNull(
							ask(
								"POST",
								`/questions/${encodeText(execution_id)}/${encodeText(id)}/answer`,
								hasField("status"),
								{ body: { answer } },
							),
						),
				},

				conversations: {
					/** Those that agents remember, the latest started first. */
					list: (query: PageQuery = {}): Promise<ConversationPage> =>
						ask("GET", "/conversations", hasList("conversations"), { query: { ...query } }),

					/** The turns of one, the latest first. Null: there is none. */
					read: (name: ConversationName, query: PageQuery = {}): Promise<TurnPage | null> =>
						orNull(ask("GET", "/conversations/turns", hasList("turns"), { query: { ...name, ...query } })),

					/** Also of one that was deleted. */
					facts: (name: ConversationName, query: PageQuery = {}): Promise<ConversationFacts> =>
						ask("GET", "/conversations/facts", hasList("facts"), { query: { ...name, ...query } }),

					/** Null: there is none. */
					delete: (name: ConversationName): Promise<DeletedConversation | null> =>
						orNull(ask("DELETE", "/conversations", hasField("deleted"), { query: { ...name } })),
				},

				components: {
					list: (): Promise<Output<typeof ComponentList>> => ask("GET", "/components", hasList("components")),

					/** Null: there is none. */
					get: (id: string): Promise<Output<typeof ComponentDetail> | null> =>
						orNull(ask("GET", `/components/${encodeText(id)}`, hasField("params"))),

					install: (
						id: string,
						pinned: z.input<typeof InstallComponent>,
					): Promise<Output<typeof InstalledComponent>> =>
						ask("PUT", `/components/${encodeText(id)}`, hasField("sha256"), { body: pinned }),

					/** Whether it was there. */
					uninstall: async (id: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/components/${encodeText(id)}`, hasField("deleted")))) !== null,
				},

				files: {
					/** Sends the content as it is read. */
					upload: (
						{ name, type, size }: UploadedFile,
						content: AsyncIterable<Uint8Array>,
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<StoredFile> =>
						ask(
							"POST",
							"/files",
							hasField("id"),
							{ query: { name }, stream: { type, size, content } },
							signal,
						),

					list: (
						{ kept, ...query }: FileQuery,
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<Output<typeof StoredFileList>> =>
						ask(
							"GET",
							"/files",
							hasList("files"),
							{ query: { ...query, ...(kept !== undefined && { kept: String(kept) }) } },
							signal,
						),

					/** Null if there is none, or it has expired. */
					get: (id: string): Promise<StoredFile | null> =>
						orNull(ask("GET", `/files/${encodeText(id)}`, hasField("id"))),

					/** Null if there is none, or it has expired. The caller reads the stream to its end or cancels it. */
					content: (id: string): Promise<ReadableStream<Uint8Array> | null> =>
						orNull(stream("GET", `/files/${encodeText(id)}/content`, addTenant({}))),

					/** An address that needs no credential. Null if there is no such file, or it has expired. */
					link: (id: string, options: z.input<typeof CreateFileLink> = {}): Promise<FileLink | null> =>
						orNull(ask("POST", `/files/${encodeText(id)}/link`, hasField("url"), { body: options })),

					/** Whether it was there. */
					delete: async (id: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/files/${encodeText(id)}`, hasField("deleted")))) !== null,
				},

				webhooks: {
					list: (cursor?: string): Promise<Output<typeof WebhookList>> =>
						ask("GET", "/webhooks", hasList("webhooks"), { query: { limit: 100, cursor } }),

					create: (source: DocumentSource): Promise<Output<typeof CreatedWebhook>> =>
						ask("POST", "/webhooks", hasField("token"), toSent(source)),

					/** Whether it was there. */
					delete: async (token: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/webhooks/${encodeText(token)}`, hasField("deleted")))) !== null,

					/** A failed run is returned as a result; an accepted one has not ended, and continues by itself. */
					run: (token: string, input: JsonObject): Promise<RunResult | AcceptedRun> =>
						ask("POST", `/webhooks/${encodeText(token)}/trigger`, hasField("execution_id"), {
							body: input,
							alsoAnswers: 500,
						}),
				},

				recipes: {
					list: (): Promise<Output<typeof ApiRecipeList>> => ask("GET", "/recipes", hasList("recipes")),

					/** Null: there is none. */
					get: (id: string): Promise<ApiRecipe | null> =>
						orNull(ask("GET", `/recipes/${encodeText(id)}`, hasField("operations"))),

					put: (id: string, recipe: WriteApiRecipe): Promise<ApiRecipe> =>
						ask("PUT", `/recipes/${encodeText(id)}`, hasField("operations"), { body: recipe }),

					/** Whether it was there. */
					delete: async (id: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/recipes/${encodeText(id)}`, hasField("deleted")))) !== null,

					/** Passes a request of `ImportDescription` on as it is read, and returns the answer as text. */
					passDescription: (content: AsyncIterable<Uint8Array>, size: number | undefined): Promise<string> =>
						text(
							"POST",
							"/recipes/from-openapi",
							addTenant({ stream: { type: "application/json", size, content } }),
						),
				},

				importDescription: (
					request: ImportDescription,
					options: { readonly signal?: AbortSignal | undefined } = {},
				): Promise<DescribedOperations | ImportedRecipe> =>
					ask(
						"POST",
						"/recipes/from-openapi",
						(answer) => hasField("recipe")(answer) || hasList("operations")(answer),
						{
							body: request,
							...options,
						},
					),

				mcpServers: {
					list: (): Promise<Output<typeof McpServerList>> =>
						ask("GET", "/mcp-servers", hasList("mcp_servers")),

					/** Null: there is none. */
					get: (name: string): Promise<Output<typeof McpServer> | null> =>
						orNull(ask("GET", `/mcp-servers/${encodeText(name)}`, hasList("tools"))),

					/** Lists its tools. */
					put: (
						name: string,
						server: z.input<typeof WriteMcpServer>,
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<Output<typeof McpServer>> =>
						ask("PUT", `/mcp-servers/${encodeText(name)}`, hasList("tools"), { body: server }, signal),

					/** How its tools differ from the accepted ones. Null: there is none. */
					refresh: (
						name: string,
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<McpToolChanges | null> =>
						orNull(ask("POST", `/mcp-servers/${encodeText(name)}/refresh`, hasField("hash"), {}, signal)),

					/** `hash`: of the tools that were shown. Null: there is none. */
					accept: (name: string, hash: string): Promise<Output<typeof McpServer> | null> =>
						orNull(
							ask("POST", `/mcp-servers/${encodeText(name)}/accept`, hasList("tools"), { body: { hash } }),
						),

					/** A link for the owner. Null: there is no such server, and no address of a new one. */
					signIn: (
						name: string,
						request: z.input<typeof McpSignIn> = {},
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<Output<typeof SignInLink> | null> =>
						orNull(
							ask(
								"POST",
								`/mcp-servers/${encodeText(name)}/sign-in`,
								hasField("url"),
								{ body: request },
								signal,
							),
						),

					/** Whether it was there. */
					delete: async (name: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/mcp-servers/${encodeText(name)}`, hasField("deleted")))) !== null,
				},

				listAuthRecipes: (): Promise<Output<typeof AuthRecipeList>> =>
					ask("GET", "/auth-recipes", hasList("auth_recipes")),

				authRecipe: {
					/** Null: there is none. */
					get: (id: string): Promise<AuthRecipe | null> =>
						orNull(ask("GET", `/auth-recipes/${encodeText(id)}`, hasField("inject"))),

					put: (id: string, recipe: JsonObject): Promise<AuthRecipe> =>
						ask("PUT", `/auth-recipes/${encodeText(id)}`, hasField("inject"), { body: recipe }),
				},

				credentials: {
					list: (): Promise<Output<typeof CredentialList>> =>
						ask("GET", "/credentials", hasList("credentials")),

					put: (
						name: string,
						credential: z.input<typeof WriteCredential>,
					): Promise<Output<typeof WrittenCredential>> =>
						ask("PUT", `/credentials/${encodeText(name)}`, hasField("created"), { body: credential }),

					/** A link for the owner. Null: there is no such credential. */
					signIn: (name: string): Promise<Output<typeof SignInLink> | null> =>
						orNull(ask("POST", `/credentials/${encodeText(name)}/sign-in`, hasField("url"))),

					/** Whether it can log in. Null: there is no such credential. */
					test: (name: string): Promise<ConnectionTest | null> =>
						orNull(ask("POST", `/credentials/${encodeText(name)}/test`, hasField("message"))),

					/** Whether it was there. */
					delete: async (name: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/credentials/${encodeText(name)}`, hasField("deleted")))) !== null,
				},
			};
		},
	};
}

const toSent = (source: DocumentSource): Sent =>
	"yaml" in source ? { text: { type: "application/yaml", content: source.yaml } } : { body: source.json };

const buildPath = (name: string, rest: string): string => `/workflows/${encodeText(name)}/${rest}`;

function toConditionHeaders(ifVersion: IfVersion | undefined): Sent["headers"] {
	if (ifVersion === undefined) return undefined;
	return ifVersion === "none" ? { "if-none-match": "*" } : { "if-match": `"${ifVersion}"` };
}

const toAuthorHeaders = ({ author, client }: ChangeBy): Record<string, string> => ({
	...(author !== undefined && { [AUTHOR_HEADER]: encodeURIComponent(author) }),
	...(client !== undefined && { [CLIENT_HEADER]: encodeURIComponent(client) }),
});

const hasField = (field: string) => (answer: Answer) => field in answer;
const hasList = (field: string) => (answer: Answer) => Array.isArray(answer[field]);
