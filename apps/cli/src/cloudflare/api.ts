import * as z from "zod";
import { CliProblem } from "../command.ts";
import { ASSETS_CONFIG, type Asset, uploadAssets } from "./assets.ts";
import { type Call, type Provider, ProviderRefused } from "./provider.ts";

const Namespace = z.object({ id: z.string(), title: z.string() });
const Database = z.object({ uuid: z.string(), name: z.string() });
const Script = z.object({ id: z.string(), tags: z.array(z.string()).nullish() });
const Deployments = z.object({
	deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })),
});
const Rows = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));
const Status = z.object({ status: z.string() });
const Subdomain = z.object({ subdomain: z.string() });
const Named = z.array(z.object({ name: z.string() }));

/** A module of a worker. */
export interface Module {
	readonly name: string;
	readonly type: "application/javascript+module" | "application/wasm";
	readonly content: Uint8Array<ArrayBuffer>;
}

export type Binding =
	| { readonly type: "kv_namespace"; readonly name: string; readonly namespace_id: string }
	| { readonly type: "d1"; readonly name: string; readonly id: string }
	| { readonly type: "vectorize"; readonly name: string; readonly index_name: string }
	| { readonly type: "r2_bucket"; readonly name: string; readonly bucket_name: string }
	| { readonly type: "ai" | "assets"; readonly name: string }
	| { readonly type: "plain_text" | "secret_text"; readonly name: string; readonly text: string }
	| {
			readonly type: "service";
			readonly name: string;
			readonly service: string;
			readonly entrypoint?: string;
	  };

/** What is uploaded with the modules. */
export interface Metadata {
	readonly main_module: string;
	readonly bindings: readonly Binding[];
	readonly compatibility_date: string;
	readonly compatibility_flags: readonly string[];
	/** Types of bindings that are kept, unless one with the same name is given. */
	readonly keep_bindings: readonly string[];
	/** Files that the worker serves. They are uploaded first; a token for the upload then takes their place here. */
	readonly assets?: readonly Asset[];
	readonly tags: readonly string[];
}

/** Cloudflare's error code for an account without a workers.dev subdomain. */
const NO_SUBDOMAIN = 10007;
const NO_BUCKET = 10006;

export type CloudflareApi = ReturnType<typeof cloudflareApi>;

/** The calls to Cloudflare's API that a deployment needs. */
export function cloudflareApi({ call, list }: Provider, accountId: string) {
	const account = `/accounts/${encodeURIComponent(accountId)}`;
	const script = (name: string) => `${account}/workers/scripts/${encodeURIComponent(name)}`;

	return {
		impossible: tryInvalidEdits,

		/** The token's status. A token belongs to a user or to the account, so both endpoints are tried. */
		async tokenStatus(): Promise<string> {
			const what = "verify the token";
			try {
				return parseAnswer(Status, what, await call({ what, path: "/user/tokens/verify" })).status;
			} catch (error) {
				if (!(error instanceof ProviderRefused)) throw error;
			}
			return parseAnswer(Status, what, await call({ what, path: `${account}/tokens/verify` })).status;
		},

		async namespaces() {
			const what = "list the KV namespaces";
			return parseAnswer(
				z.array(Namespace),
				what,
				await list({ what, path: `${account}/storage/kv/namespaces` }),
			);
		},
		createNamespace: (title: string) =>
			createResource(Namespace, {
				what: `create the KV namespace ${title}`,
				path: `${account}/storage/kv/namespaces`,
				body: { title },
			}),

		async databases() {
			const what = "list the D1 databases";
			return parseAnswer(z.array(Database), what, await list({ what, path: `${account}/d1/database` }));
		},
		createDatabase: (name: string) =>
			createResource(Database, {
				what: `create the D1 database ${name}`,
				path: `${account}/d1/database`,
				body: { name },
			}),
		/** Runs all statements or none, and returns the rows of the last one. */
		async query(database: string, what: string, sql: string, isRepeatable?: true) {
			const answer = await call({
				what,
				method: "POST",
				path: `${account}/d1/database/${encodeURIComponent(database)}/query`,
				body: { sql },
				...(isRepeatable && { isRepeatable }),
			});
			return parseAnswer(Rows, what, answer).at(-1)?.results ?? [];
		},

		async vectorIndexes(): Promise<readonly string[]> {
			const what = "list the Vectorize indexes";
			const answer = await call({ what, path: `${account}/vectorize/v2/indexes` });
			return parseAnswer(Named, what, answer).map(({ name }) => name);
		},
		createVectorIndex: (name: string, config: { readonly dimensions: number; readonly metric: "cosine" }) =>
			call({
				what: `create the Vectorize index ${name}`,
				method: "POST",
				path: `${account}/vectorize/v2/indexes`,
				body: { name, config },
			}),

		async hasBucket(name: string): Promise<boolean> {
			const what = `look up the R2 bucket ${name}`;
			try {
				await call({ what, path: `${account}/r2/buckets/${encodeURIComponent(name)}` });
				return true;
			} catch (error) {
				if (error instanceof ProviderRefused && error.providerCode === NO_BUCKET) return false;
				throw error;
			}
		},
		createBucket: (name: string) =>
			call({
				what: `create the R2 bucket ${name}`,
				method: "POST",
				path: `${account}/r2/buckets`,
				body: { name },
			}),

		/** The workers of the account, with their tags. */
		async scripts(): Promise<ReadonlyMap<string, readonly string[]>> {
			const what = "list the workers";
			const found = parseAnswer(
				z.array(Script),
				what,
				await call({ what, path: `${account}/workers/scripts` }),
			);
			return new Map(found.map(({ id, tags }) => [id, tags ?? []]));
		},
		async upload(name: string, given: Metadata, modules: readonly Module[]): Promise<void> {
			const { assets, ...plain } = given;
			const metadata = assets === undefined ? plain : { ...plain, assets: await sendAssets(name, assets) };
			const form = new FormData();
			form.set(
				"metadata",
				new Blob([JSON.stringify(metadata)], { type: "application/json" }),
				"metadata.json",
			);
			for (const module of modules)
				form.set(module.name, new Blob([module.content], { type: module.type }), module.name);
			await call({ what: `upload the worker ${name}`, method: "PUT", path: script(name), body: form });
		},
		/** Replaces all tags without changing the worker. */
		setTags: (name: string, tags: readonly string[]) =>
			call({
				what: `tag the worker ${name}`,
				method: "PATCH",
				path: `${script(name)}/script-settings`,
				body: { tags },
				isRepeatable: true,
			}),

		/** The active version; null before the first. */
		async version(name: string): Promise<string | null> {
			const what = `look up the version of the worker ${name}`;
			const answer = await call({ what, path: `${script(name)}/deployments` });
			return parseAnswer(Deployments, what, answer).deployments[0]?.versions[0]?.version_id ?? null;
		},
		/** Rolls back to an earlier version, even to one from before a secret was added. */
		restore: (name: string, version: string) =>
			call({
				what: `roll back the worker ${name} to its previous version`,
				method: "POST",
				path: `${script(name)}/deployments?force=true`,
				body: {
					strategy: "percentage",
					versions: [{ percentage: 100, version_id: version }],
					annotations: { "workers/message": "tripline: the new version was not healthy" },
				},
			}),

		async secretNames(name: string): Promise<readonly string[]> {
			const what = `list the secrets of the worker ${name}`;
			return parseAnswer(Named, what, await call({ what, path: `${script(name)}/secrets` })).map(
				(each) => each.name,
			);
		},
		putSchedules: (name: string, crons: readonly string[]) =>
			call({
				what: `set the cron triggers of the worker ${name}`,
				method: "PUT",
				path: `${script(name)}/schedules`,
				body: crons.map((cron) => ({ cron })),
			}),

		/** The account's workers.dev subdomain; null if none has been chosen. */
		async subdomain(): Promise<string | null> {
			const what = "look up the workers.dev subdomain";
			try {
				return parseAnswer(Subdomain, what, await call({ what, path: `${account}/workers/subdomain` }))
					.subdomain;
			} catch (error) {
				if (error instanceof ProviderRefused && error.providerCode === NO_SUBDOMAIN) return null;
				throw error;
			}
		},
		putSubdomain: (subdomain: string) =>
			call({
				what: `choose the workers.dev subdomain ${subdomain}`,
				method: "PUT",
				path: `${account}/workers/subdomain`,
				body: { subdomain },
			}),
		/** Sets whether the worker has an address of its own. */
		setPublic: (name: string, enabled: boolean) =>
			call({
				what: `${enabled ? "enable" : "disable"} the address of the worker ${name}`,
				method: "POST",
				path: `${script(name)}/subdomain`,
				body: { enabled, previews_enabled: false },
				isRepeatable: true,
			}),
	};

	async function sendAssets(name: string, assets: readonly Asset[]) {
		const jwt = await uploadAssets(call, { account, script: script(name), name }, assets);
		return { jwt, config: ASSETS_CONFIG };
	}

	/** Invalid edits, one per kind of resource: a token that may edit gets a validation error, any other is forbidden. */
	function tryInvalidEdits(): readonly Promise<unknown>[] {
		const what = "test the token's permissions";
		return [
			call({
				what,
				method: "PUT",
				path: `${script("tripline-permission-probe")}/schedules`,
				body: [{ cron: "" }],
			}),
			call({ what, method: "POST", path: `${account}/storage/kv/namespaces`, body: {} }),
			call({ what, method: "POST", path: `${account}/d1/database`, body: {} }),
			call({ what, method: "POST", path: `${account}/vectorize/v2/indexes`, body: {} }),
		];
	}

	async function createResource<Schema extends z.ZodType>(
		schema: Schema,
		request: Call,
	): Promise<z.output<Schema>> {
		return parseAnswer(schema, request.what, await call({ ...request, method: "POST" }));
	}
}

function parseAnswer<Schema extends z.ZodType>(
	schema: Schema,
	what: string,
	answer: unknown,
): z.output<Schema> {
	const { success, data, error } = schema.safeParse(answer);
	if (success) return data;
	throw new CliProblem(
		`unexpected answer from Cloudflare when asked to ${what}: ${error.issues[0]?.path.join(".")} ${error.issues[0]?.message}`,
		{ hint: "a newer version of tripline may support it" },
	);
}
