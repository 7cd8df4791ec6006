import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Issue } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { ApiOperation, ApiRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component, NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { readBody } from "../http-request/answer.ts";
import { type Attempts, sendWithRetries } from "../http-request/attempts.ts";
import { createContentFile } from "../http-request/content-file.ts";
import { createDownload } from "../http-request/download.ts";
import type { Page } from "../http-request/pages.ts";
import { toUnexpectedStatusError } from "../http-request/status.ts";
import type { OutboundCall } from "../outbound/call.ts";
import { openFiles } from "../outbound/open-files.ts";
import { readBaseUrl } from "./base-url.ts";
import { createCredentialError } from "./credential-error.ts";
import { createFromSchemas } from "./from-schemas.ts";
import { compileOperation, type Operation } from "./operation.ts";
import { addPaginateParameter, createOutputInference, readItems, readPaginateParameter } from "./paginate.ts";

interface RecipeOptions {
	/** Hosts of the auth recipe; used if the host comes from a field of the credential. */
	readonly authHosts?: readonly string[];
	/** All hosts that may be called, instead of the base URL's host. */
	readonly hosts?: readonly string[];
	readonly version?: string;
}

/** Creates one component per operation. An invalid recipe fails only when a component is used. */
export function createRecipeComponents(recipe: ApiRecipe, options: RecipeOptions = {}): Component<Effects>[] {
	const base = listHosts(recipe, options.authHosts ?? []);
	const { version = "1.0.0" } = options;
	return Object.entries(recipe.operations).map(([name, operation]) => {
		const hosts = options.hosts ?? [...base, ...(operation.redirect_hosts ?? [])];
		return createFromSchemas({
			id: `${recipe.id}.${name}`,
			version,
			title: `${recipe.title}: ${operation.title}`,
			description: operation.description ?? `${operation.title}. ${recipe.description}`,
			schemas: { params: addPaginateParameter(operation), output: operation.output.schema },
			...createOutputInference(operation),
			hosts,
			// No credentials in parameters: the recipe decides where those are sent. It uses the node's credential.
			takesCredentials: false,
			authRecipes: listAuthIds(recipe.auth),
			examples: listExamples(recipe, operation),
			run: createRun(recipe, name, operation, hosts),
		});
	});
}

function createRun(
	recipe: ApiRecipe,
	name: string,
	{ response, expect, method, paginate, content }: ApiOperation,
	hosts: readonly string[],
) {
	let compiled: Operation | undefined;
	const authRecipes = listAuthIds(recipe.auth);
	const form = response === undefined || response === "file" ? "json" : response;
	const attempts: Attempts = {
		max: MAX_ATTEMPTS,
		isRepeatable: method === "GET" || method === "HEAD",
		isTemporary: (status) => !isExpected(status, expect) && (status === 429 || status === 503),
	};

	return async (call: NodeCall<Effects>): Promise<Json> => {
		compiled ??= compileUsable(recipe, name);
		const operation = compiled;
		const params = call.params as JsonObject;
		const wanted = paginate === undefined ? undefined : readPaginateParameter(params);
		const { credential } = call.node;
		if (authRecipes.length > 0 && credential === undefined) throw createCredentialError(authRecipes);
		const { body, filename, ...request } = operation.request(params, call.meter, (field) =>
			call.effects.credentialText(credential as string, field),
		);
		const download =
			response === "file" && content === undefined
				? createDownload(call, filename, (status) => isExpected(status, expect))
				: null;
		const opened = body === undefined ? undefined : openFiles(body, call);
		const sent = opened instanceof Promise ? await opened : opened;
		const outbound: OutboundCall = {
			...request,
			...(sent === undefined ? {} : { body: sent }),
			...(download === null ? {} : { sink: download.sink }),
			...(content === undefined ? {} : { maxBytes: MAX_CONTENT_BYTES }),
			credential,
			authRecipes,
			hosts,
		};
		const read = async (next: OutboundCall): Promise<Page> => {
			const answer = await sendWithRetries(call, next, attempts);
			// A large body was already scanned for secrets; parse it in the next turn of the event loop.
			if (answer.body.length > LARGE_BODY_BYTES) await call.turn();
			if (!isExpected(answer.status, expect)) throw toUnexpectedStatusError(answer);
			const given = download?.file() ?? (method === "HEAD" ? null : readBody(answer, form));
			const { status, headers, url } = answer;
			const described = { data: given, status, headers: { ...headers } };
			const error = operation.findError(described, call.meter);
			if (error !== undefined) throw new TerminalError(error);
			const data =
				content === undefined
					? given
					: await createContentFile(call, filename, operation.content(described, call.meter), answer.redact);
			return { data, status, headers, url };
		};
		if (paginate !== undefined && wanted !== undefined) return readItems(paginate, wanted, outbound, read);
		const { data, status, headers } = await read(outbound);
		return operation.output({ data, status, headers: { ...headers } }, call.meter);
	};
}

const MAX_ATTEMPTS = 3;
const LARGE_BODY_BYTES = 262_144;
/** Of a response that holds a file as base64: it is decoded in memory. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

const isExpected = (status: number, expect: readonly number[] | undefined): boolean =>
	expect === undefined ? status >= 200 && status <= 299 : expect.includes(status);

function compileUsable(recipe: ApiRecipe, name: string): Operation {
	const problems: Issue[] = [];
	const operation = compileOperation(recipe, name, [], problems);
	const [first] = problems;
	if (first === undefined) return operation;
	throw new TerminalError(`the recipe ${recipe.id} cannot be used: ${first.path} ${first.message}`);
}

function listHosts({ base_url }: ApiRecipe, authHosts: readonly string[]): readonly string[] {
	const base = readBaseUrl(base_url);
	if ("problem" in base) return [];
	return base.host === null ? [...new Set(authHosts)] : [base.host];
}

function listExamples({ auth }: ApiRecipe, { examples = [] }: ApiOperation): Component<Effects>["examples"] {
	const [recommended] = listAuthIds(auth);
	const credential: JsonObject = recommended === undefined ? {} : { credential: `my_${recommended}` };
	return examples.map(({ title, params }) => ({ title, params: { ...params, ...credential } }));
}
