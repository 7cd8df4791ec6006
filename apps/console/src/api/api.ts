import type { Language } from "../texts/texts.ts";
import { call, type Sent, send } from "./call.ts";
import { buildOverviewUrl, SESSION_URL } from "./first-requests.ts";
import type {
	AuthRecipe,
	Belief,
	ChangedWorkflow,
	ChatLink,
	ChatTurns,
	ComponentDetail,
	ComponentItem,
	Connect,
	ConversationFacts,
	ConversationName,
	Conversations,
	ConversationTurns,
	Credential,
	CredentialWrite,
	DeletedWorkflows,
	DescribedOperations,
	Diff,
	Entries,
	Entry,
	ExecutionDetail,
	ExecutionSettings,
	Executions,
	FileLink,
	Files,
	GraphStart,
	ImportDescription,
	ImportedRecipe,
	JsonObject,
	KeptData,
	MarketDetail,
	MarketPage,
	MarketVersion,
	McpServer,
	McpServerItem,
	McpSignIn,
	McpToolChanges,
	Neighbors,
	NodeSources,
	OpenQuestion,
	Overview,
	Questions,
	RecipeItem,
	ReplayRequest,
	RunResult,
	SavedWorkflow,
	SessionInfo,
	Side,
	SignInLink,
	Status,
	StoredFile,
	Suggestion,
	Tokens,
	Traversal,
	TripletsFound,
	Unfinished,
	Validation,
	VerifyReport,
	Versions,
	VersionText,
	WorkflowDetail,
	WorkflowDraft,
	WorkflowItem,
	WriteApiRecipe,
	WriteMcpServer,
} from "./types.ts";

type Signal = AbortSignal | undefined;
type IfVersion = Sent["ifVersion"];
const encode = encodeURIComponent;
const IMPORT_URL = "/gui/recipes/from-openapi";
/** One more than the navigation counts. */
const MAX_QUESTIONS = 100;

export interface ExecutionFilter {
	readonly workflow?: string | undefined;
	readonly verdict?: "success" | "failed" | undefined;
	readonly since?: string | undefined;
	readonly until?: string | undefined;
	readonly q?: string | undefined;
	readonly limit?: number;
	readonly cursor?: string | undefined;
}

export interface KeptDataFilter {
	readonly node?: string;
	/** Agents and their steps. */
	readonly only?: "agents";
	readonly order?: "failed_first";
	readonly limit?: number;
	readonly cursor?: string | undefined;
}

export interface EntryFilter {
	readonly entry_type?: string | undefined;
	readonly page_name?: string | undefined;
	readonly limit?: number;
	readonly cursor?: string | undefined;
}

export interface WalkFilter {
	readonly direction?: "in" | "out" | "both";
	readonly predicate?: string | undefined;
	readonly limit?: number;
	readonly depth?: number;
	readonly includeDeprecated?: boolean;
}

/** All calls of the console to the service. */
export const api = {
	session: (signal?: Signal) => call<SessionInfo>("GET", SESSION_URL, { signal }),
	/** What needs attention. */
	status: (signal?: Signal) => call<Status>("GET", "/gui/status", { signal }),
	overview: (hours: number, signal?: Signal) => call<Overview>("GET", buildOverviewUrl(hours), { signal }),

	workflows: {
		list: async (signal?: Signal) =>
			(await call<{ workflows: WorkflowItem[] }>("GET", "/gui/workflows", { signal })).workflows,
		get: (name: string, signal?: Signal) =>
			call<WorkflowDetail>("GET", `/gui/workflows/${encode(name)}`, { signal }),
		/** Also draws the form, in a language of the console. */
		validate: (yaml: string, form: Language, signal?: Signal) =>
			call<Validation>("POST", "/gui/validate", { yaml, query: { form }, signal }),
		save: (name: string, yaml: string, ifVersion?: IfVersion) =>
			call<SavedWorkflow>("PUT", `/gui/workflows/${encode(name)}`, { yaml, ifVersion }),
		delete: (name: string) => call<unknown>("DELETE", `/gui/workflows/${encode(name)}`),
		rename: (name: string, to: string, ifVersion?: IfVersion) =>
			call<ChangedWorkflow>("POST", `/gui/workflows/${encode(name)}/rename`, { json: { to }, ifVersion }),
		setEnabled: (name: string, enabled: boolean) =>
			call<ChangedWorkflow>("PUT", `/gui/workflows/${encode(name)}/enabled`, { json: { enabled } }),
		createChatLink: (name: string) => call<ChatLink>("POST", `/gui/workflows/${encode(name)}/chat-links`),
		/** The last messages of a conversation, with the replies of runs that went on by themselves. */
		readChat: (name: string, id: string, last: number, signal?: Signal) =>
			call<ChatTurns>("GET", `/gui/workflows/${encode(name)}/conversations/${encode(id)}`, {
				query: { last },
				signal,
			}),
		/** Streams events while the workflow runs. */
		watch: (name: string, input: JsonObject, signal?: Signal) =>
			send("POST", `/gui/workflows/${encode(name)}/run`, {
				json: input,
				accept: "text/event-stream",
				signal,
			}),
		/** The same for the draft, or the published version if there is none, with pinned outputs. */
		watchTest: (name: string, json: { input: JsonObject; pinned: JsonObject }, signal?: Signal) =>
			send("POST", `/gui/workflows/${encode(name)}/test`, { json, accept: "text/event-stream", signal }),
	},

	versions: {
		list: (name: string, cursor?: string, signal?: Signal) =>
			call<Versions>("GET", `/gui/workflows/${encode(name)}/versions`, { query: { cursor }, signal }),
		get: (name: string, number: number, signal?: Signal) =>
			call<VersionText>("GET", `/gui/workflows/${encode(name)}/versions/${number}`, { signal }),
		diff: (name: string, from: Side, to: Side, signal?: Signal) =>
			call<Diff>("GET", `/gui/workflows/${encode(name)}/diff`, { query: { from, to }, signal }),
		rollBack: (name: string, version: number, ifVersion?: IfVersion) =>
			call<ChangedWorkflow>("POST", `/gui/workflows/${encode(name)}/rollback`, {
				json: { version },
				ifVersion,
			}),
	},

	drafts: {
		/** `base`: the version that it changes. */
		save: (name: string, yaml: string, base?: number) =>
			call<WorkflowDraft>("PUT", `/gui/workflows/${encode(name)}/draft`, { yaml, query: { base } }),
		discard: (name: string) => call<unknown>("DELETE", `/gui/workflows/${encode(name)}/draft`),
		publish: (name: string) => call<SavedWorkflow>("POST", `/gui/workflows/${encode(name)}/draft/publish`),
	},

	deletedWorkflows: {
		list: (cursor?: string, signal?: Signal) =>
			call<DeletedWorkflows>("GET", "/gui/deleted-workflows", { query: { cursor }, signal }),
		restore: (id: string) => call<ChangedWorkflow>("POST", `/gui/deleted-workflows/${encode(id)}/restore`),
		purge: (id: string) => call<unknown>("DELETE", `/gui/deleted-workflows/${encode(id)}`),
	},

	executions: {
		list: (filter: ExecutionFilter, signal?: Signal) =>
			call<Executions>("GET", "/gui/executions", { query: { ...filter }, signal }),
		get: (id: string, signal?: Signal) =>
			call<ExecutionDetail>("GET", `/gui/executions/${encode(id)}`, { signal }),
		/** Runs that have not ended and that no caller waits for. */
		unfinished: (limit: number, signal?: Signal) =>
			call<Unfinished>("GET", "/gui/executions/unfinished", { query: { limit }, signal }),
		cancel: (id: string) => call<unknown>("POST", `/gui/executions/${encode(id)}/cancel`),
		/** Starts a new run and does not wait for it. */
		replay: (id: string, request: ReplayRequest) =>
			call<{ execution_id: string }>("POST", `/gui/executions/${encode(id)}/replay`, { json: request }),
		/** What its nodes received and gave; not found if nothing is kept. */
		data: (id: string, filter: KeptDataFilter, signal?: Signal) =>
			call<KeptData>("GET", `/gui/executions/${encode(id)}/data`, { query: { ...filter }, signal }),
		deleteData: (id: string) => call<unknown>("DELETE", `/gui/executions/${encode(id)}/data`),
		settings: (signal?: Signal) => call<ExecutionSettings>("GET", "/gui/executions/settings", { signal }),
		changeSettings: (settings: ExecutionSettings) =>
			call<ExecutionSettings>("PUT", "/gui/executions/settings", { json: settings }),
	},

	questions: {
		/** Open ones, the latest first. */
		list: (cursor?: string, signal?: Signal) =>
			call<Questions>("GET", "/gui/questions", { query: { limit: MAX_QUESTIONS, cursor }, signal }),
		answer: ({ execution_id, id }: OpenQuestion, answer: JsonObject) =>
			call<unknown>("POST", `/gui/questions/${encode(execution_id)}/${encode(id)}/answer`, {
				json: { answer },
			}),
	},

	/** What agents remember. */
	conversations: {
		list: (cursor?: string, signal?: Signal) =>
			call<Conversations>("GET", "/gui/conversations", { query: { cursor }, signal }),
		/** The latest turns first. */
		read: ({ workflow, key }: ConversationName, cursor?: string, signal?: Signal) =>
			call<ConversationTurns>("GET", "/gui/conversations/turns", {
				query: { workflow, key, cursor },
				signal,
			}),
		facts: ({ workflow, key }: ConversationName, cursor?: string, signal?: Signal) =>
			call<ConversationFacts>("GET", "/gui/conversations/facts", {
				query: { workflow, key, cursor },
				signal,
			}),
		delete: ({ workflow, key }: ConversationName) =>
			call<unknown>("DELETE", "/gui/conversations", { query: { workflow, key } }),
	},

	files: {
		list: (filter: { kept?: boolean | undefined; cursor?: string | undefined }, signal?: Signal) =>
			call<Files>("GET", "/gui/files", { query: { ...filter }, signal }),
		get: (id: string, signal?: Signal) => call<StoredFile>("GET", `/gui/files/${encode(id)}`, { signal }),
		upload: (file: File) => call<StoredFile>("POST", "/gui/files", { query: { name: file.name }, file }),
		content: (id: string, signal?: Signal) => send("GET", `/gui/files/${encode(id)}/content`, { signal }),
		link: (id: string) => call<FileLink>("POST", `/gui/files/${encode(id)}/link`),
		delete: (id: string) => call<unknown>("DELETE", `/gui/files/${encode(id)}`),
	},

	entries: {
		list: (filter: EntryFilter, signal?: Signal) =>
			call<Entries>("GET", "/gui/entries", { query: { ...filter }, signal }),
		get: async (id: string, signal?: Signal) =>
			(await call<{ entry: Entry }>("GET", `/gui/entries/${encode(id)}`, { signal })).entry,
		create: async (entry: {
			entry_type: string;
			page_name: string;
			content: string;
			metadata_json: string;
		}) => (await call<{ entry: Entry }>("POST", "/gui/entries", { json: entry })).entry,
		replace: async (id: string, content: string, metadata_json: string) =>
			(
				await call<{ entry: Entry }>("PUT", `/gui/entries/${encode(id)}`, {
					json: { content, metadata_json },
				})
			).entry,
		delete: (id: string) => call<unknown>("DELETE", `/gui/entries/${encode(id)}`),
	},
	search: async (
		q: string,
		{ limit = 20, entry_types }: { limit?: number; entry_types?: string[] },
		signal?: Signal,
	) =>
		(
			await call<{ suggestions: Suggestion[] }>("POST", "/gui/search", {
				json: { q, limit, ...(entry_types && { entry_types }) },
				signal,
			})
		).suggestions,

	graph: {
		start: (limit: number, signal?: Signal) =>
			call<GraphStart>("GET", "/gui/graph/start", { query: { limit }, signal }),
		neighbors: (name: string, filter: WalkFilter, signal?: Signal) =>
			call<Neighbors>("GET", `/gui/graph/neighbors/${encode(name)}`, { query: { ...filter }, signal }),
		traverse: (name: string, filter: WalkFilter, signal?: Signal) =>
			call<Traversal>("GET", "/gui/graph/traverse", { query: { name, ...filter }, signal }),
		search: (
			q: string,
			filter: Pick<WalkFilter, "predicate" | "limit" | "includeDeprecated">,
			signal?: Signal,
		) => call<TripletsFound>("GET", "/gui/graph/search", { query: { q, ...filter }, signal }),
		sources: (name: string, includeDeprecated: boolean, signal?: Signal) =>
			call<NodeSources>("GET", `/gui/graph/source/${encode(name)}`, { query: { includeDeprecated }, signal }),
		why: (fact: { subject: string; predicate: string; object: string }, signal?: Signal) =>
			call<Belief>("GET", "/gui/graph/why", { query: fact, signal }),
	},

	components: {
		list: async (signal?: Signal) =>
			(await call<{ components: ComponentItem[] }>("GET", "/gui/components", { signal })).components,
		get: (id: string, signal?: Signal) =>
			call<ComponentDetail>("GET", `/gui/components/${encode(id)}`, { signal }),
		install: (id: string, version: string, sha256: string) =>
			call<unknown>("PUT", `/gui/components/${encode(id)}`, { json: { version, sha256 } }),
		/** Runs it once. A failed run is returned as a result. */
		test: (id: string, json: { params: JsonObject; credential?: string }) =>
			call<RunResult>("POST", `/gui/components/${encode(id)}/test`, { json }),
		uninstall: (id: string) => call<unknown>("DELETE", `/gui/components/${encode(id)}`),
	},
	recipes: {
		list: async (signal?: Signal) =>
			(await call<{ recipes: RecipeItem[] }>("GET", "/gui/recipes", { signal })).recipes,
		get: (id: string, signal?: Signal) =>
			call<WriteApiRecipe>("GET", `/gui/recipes/${encode(id)}`, { signal }),
		put: (id: string, recipe: JsonObject) =>
			call<WriteApiRecipe>("PUT", `/gui/recipes/${encode(id)}`, { json: recipe }),
		delete: (id: string) => call<unknown>("DELETE", `/gui/recipes/${encode(id)}`),
		/** Lists the operations of an OpenAPI description. */
		describe: (request: ImportDescription) =>
			call<DescribedOperations>("POST", IMPORT_URL, { json: request }),
		/** Makes a recipe of some operations, and stores it with `save`. */
		make: (request: ImportDescription) => call<ImportedRecipe>("POST", IMPORT_URL, { json: request }),
	},
	mcpServers: {
		list: async (signal?: Signal) =>
			(await call<{ mcp_servers: McpServerItem[] }>("GET", "/gui/mcp-servers", { signal })).mcp_servers,
		get: (name: string, signal?: Signal) =>
			call<McpServer>("GET", `/gui/mcp-servers/${encode(name)}`, { signal }),
		put: (name: string, server: WriteMcpServer) =>
			call<McpServer>("PUT", `/gui/mcp-servers/${encode(name)}`, { json: server }),
		delete: (name: string) => call<unknown>("DELETE", `/gui/mcp-servers/${encode(name)}`),
		/** Lists the tools again. What has changed is used only after it is accepted. */
		refresh: (name: string) => call<McpToolChanges>("POST", `/gui/mcp-servers/${encode(name)}/refresh`),
		accept: (name: string, hash: string) =>
			call<McpServer>("POST", `/gui/mcp-servers/${encode(name)}/accept`, { json: { hash } }),
		/** A link to open in another window. */
		signIn: (name: string, how: McpSignIn) =>
			call<SignInLink>("POST", `/gui/mcp-servers/${encode(name)}/sign-in`, { json: how }),
	},
	registry: {
		list: (
			filter: { q?: string; tag?: string; sort?: "downloads" | "recent"; limit?: number; cursor?: string },
			signal?: Signal,
		) => call<MarketPage>("GET", "/gui/registry/components", { query: { ...filter }, signal }),
		get: (id: string, signal?: Signal) =>
			call<MarketDetail>("GET", `/gui/registry/components/${encode(id)}`, { signal }),
		version: (id: string, version: string, signal?: Signal) =>
			call<MarketVersion>("GET", `/gui/registry/components/${encode(id)}/${encode(version)}`, { signal }),
	},

	credentials: {
		list: async (signal?: Signal) =>
			(await call<{ credentials: Credential[] }>("GET", "/gui/credentials", { signal })).credentials,
		put: (name: string, credential: CredentialWrite) =>
			call<unknown>("PUT", `/gui/credentials/${encode(name)}`, { json: credential }),
		delete: (name: string) => call<unknown>("DELETE", `/gui/credentials/${encode(name)}`),
		/** A link to open in another window. */
		signIn: (name: string) => call<SignInLink>("POST", `/gui/credentials/${encode(name)}/sign-in`),
		/** Whether it can log in at its database or mail server. */
		test: (name: string) =>
			call<{ ok: boolean; message: string }>("POST", `/gui/credentials/${encode(name)}/test`),
	},
	authRecipes: async (signal?: Signal) =>
		(await call<{ auth_recipes: AuthRecipe[] }>("GET", "/gui/auth-recipes", { signal })).auth_recipes,

	tokens: {
		list: (cursor?: string, signal?: Signal) =>
			call<Tokens>("GET", "/gui/tokens", { query: { cursor }, signal }),
		revoke: (id: string) => call<unknown>("DELETE", `/gui/tokens/${encode(id)}`),
	},
	connect: (signal?: Signal) => call<Connect>("GET", "/gui/connect", { signal }),
	verify: () => call<VerifyReport>("POST", "/gui/connect/verify"),
};
