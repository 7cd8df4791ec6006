import type { Language } from "../texts/texts.ts";
import { call, send } from "./call.ts";
import { buildOverviewUrl, SESSION_URL } from "./first-requests.ts";
import type {
	AuthRecipe,
	Belief,
	ComponentDetail,
	ComponentItem,
	Connect,
	Credential,
	CredentialWrite,
	Entries,
	Entry,
	ExecutionDetail,
	Executions,
	GraphStart,
	JsonObject,
	MarketDetail,
	MarketPage,
	MarketVersion,
	Neighbors,
	NodeSources,
	Overview,
	RunResult,
	SavedWorkflow,
	SessionInfo,
	Suggestion,
	Tokens,
	Traversal,
	TripletsFound,
	Validation,
	VerifyReport,
	WorkflowDetail,
	WorkflowItem,
} from "./types.ts";

type Signal = AbortSignal | undefined;
const encode = encodeURIComponent;

export interface ExecutionFilter {
	readonly workflow?: string | undefined;
	readonly verdict?: "success" | "failed" | undefined;
	readonly since?: string | undefined;
	readonly until?: string | undefined;
	readonly q?: string | undefined;
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
	overview: (hours: number, signal?: Signal) => call<Overview>("GET", buildOverviewUrl(hours), { signal }),

	workflows: {
		list: async (signal?: Signal) =>
			(await call<{ workflows: WorkflowItem[] }>("GET", "/gui/workflows", { signal })).workflows,
		get: (name: string, signal?: Signal) =>
			call<WorkflowDetail>("GET", `/gui/workflows/${encode(name)}`, { signal }),
		/** Also draws the form, in a language of the console. */
		validate: (yaml: string, form: Language, signal?: Signal) =>
			call<Validation>("POST", "/gui/validate", { yaml, query: { form }, signal }),
		save: (name: string, yaml: string) =>
			call<SavedWorkflow>("PUT", `/gui/workflows/${encode(name)}`, { yaml }),
		delete: (name: string) => call<unknown>("DELETE", `/gui/workflows/${encode(name)}`),
		run: (name: string, input: JsonObject) =>
			call<RunResult>("POST", `/gui/workflows/${encode(name)}/run`, { json: input }),
		/** Like run, but streams events while the workflow runs. */
		watch: (name: string, input: JsonObject, signal?: Signal) =>
			send("POST", `/gui/workflows/${encode(name)}/run`, {
				json: input,
				accept: "text/event-stream",
				signal,
			}),
	},

	executions: {
		list: (filter: ExecutionFilter, signal?: Signal) =>
			call<Executions>("GET", "/gui/executions", { query: { ...filter }, signal }),
		get: (id: string, signal?: Signal) =>
			call<ExecutionDetail>("GET", `/gui/executions/${encode(id)}`, { signal }),
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
		uninstall: (id: string) => call<unknown>("DELETE", `/gui/components/${encode(id)}`),
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
