import type { CredentialList, WriteCredential, WrittenCredential } from "@tripline/contract/credentials";
import type { ExecutionPage, ExecutionQuery } from "@tripline/contract/execution-log";
import type {
	ComponentDetail,
	ComponentList,
	CreatedWebhook,
	ExecutionDetail,
	InstallComponent,
	InstalledComponent,
	PortalWorkflows,
	SavedWorkflow,
	Validation,
	ValidationQuery,
	WebhookList,
	WorkflowDocument,
	WorkflowList,
} from "@tripline/contract/executor";
import type { AuthRecipe, AuthRecipeList } from "@tripline/contract/recipes";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
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
interface RunOptions {
	/** The trigger in the execution record; the executor accepts it only from internal callers. Default: `mcp`. */
	readonly trigger?: OwnersTrigger;
	readonly signal?: AbortSignal | undefined;
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
		/** `baseUrl`: set where the executor is served at the address that the caller's request used. */
		as(namespace: string, baseUrl?: string) {
			const addTenant = (sent: Sent): Sent => ({
				...sent,
				baseUrl,
				headers: { ...sent.headers, "x-service-api-key": namespace },
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
					list: (): Promise<Output<typeof WorkflowList>> =>
						ask("GET", "/webhooks/named", hasList("workflows")),

					/** The list item of one workflow. Null if there is none of that name. */
					async describe(name: string): Promise<Output<typeof WorkflowList>["workflows"][number] | null> {
						const sent = { query: { name } };
						const isAnswer = hasList("workflows");
						const list = await ask<Output<typeof WorkflowList>>("GET", "/webhooks/named", isAnswer, sent);
						return list.workflows[0] ?? null;
					},

					listWithLatestRuns: (): Promise<Output<typeof PortalWorkflows>> =>
						ask("GET", "/portal/data/workflows", hasList("workflows")),

					/** Null if there is none of that name. */
					document: (name: string): Promise<Output<typeof WorkflowDocument> | null> =>
						orNull(ask("GET", `/webhooks/named/${encodeText(name)}`, hasField("triplets"))),

					/** The YAML: the original text if it was saved as YAML. Null if there is none of that name. */
					text: (name: string): Promise<string | null> => getYaml(name),

					/** The original YAML text with its comments. Null if no text is stored or there is no such workflow. */
					writtenText: (name: string): Promise<string | null> => getYaml(name, { written: "true" }),

					/** With `name`, a document with a different name is refused. */
					save: (source: DocumentSource, name?: string): Promise<Output<typeof SavedWorkflow>> =>
						ask("POST", "/workflows", hasField("created"), { ...toSent(source), query: { name } }),

					/** With a query, its form is drawn too. */
					validate: (
						source: DocumentSource,
						query: z.input<typeof ValidationQuery> = {},
					): Promise<Output<typeof Validation>> =>
						ask("POST", "/workflows/validate", hasField("valid"), { ...toSent(source), query }),

					/** Whether it was there. */
					delete: async (name: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/webhooks/named/${encodeText(name)}`, hasField("deleted")))) !==
						null,

					/** Null if there is none of that name. A failed run is returned as a result. */
					run: (
						name: string,
						input: JsonObject,
						{ trigger = "mcp", signal }: RunOptions = {},
					): Promise<RunResult | null> =>
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
				},

				executions: {
					/** Of all workflows and webhooks, or of one workflow. */
					list: (
						query: Omit<z.input<typeof ExecutionQuery>, "owner_id">,
						{ signal }: { readonly signal?: AbortSignal | undefined } = {},
					): Promise<Output<typeof ExecutionPage>> =>
						ask("GET", "/executions", hasList("executions"), { query }, signal),

					/** Null: there is none. */
					get: (id: string): Promise<Output<typeof ExecutionDetail> | null> =>
						orNull(ask("GET", `/executions/${encodeText(id)}`, hasField("status"))),
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

				webhooks: {
					list: (cursor?: string): Promise<Output<typeof WebhookList>> =>
						ask("GET", "/webhooks", hasList("webhooks"), { query: { limit: 100, cursor } }),

					create: (source: DocumentSource): Promise<Output<typeof CreatedWebhook>> =>
						ask("POST", "/webhooks", hasField("token"), toSent(source)),

					/** Whether it was there. */
					delete: async (token: string): Promise<boolean> =>
						(await orNull(ask("DELETE", `/webhooks/${encodeText(token)}`, hasField("deleted")))) !== null,

					/** A failed run is returned as a result. */
					run: (token: string, input: JsonObject): Promise<RunResult> =>
						ask("POST", `/webhooks/${encodeText(token)}/trigger`, hasField("execution_id"), {
							body: input,
							alsoAnswers: 500,
						}),
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

const hasField = (field: string) => (answer: Answer) => field in answer;
const hasList = (field: string) => (answer: Answer) => Array.isArray(answer[field]);
