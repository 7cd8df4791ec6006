import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { executorClient } from "@tripline/executor/client";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { createBrowser } from "../security/browser.ts";

/**
 * What the official suite runs as its client: it adds the suite's server to a service that is running, as its owner
 * would, signs in where the server wants it, and calls every tool in a workflow.
 */
const SERVER = "target";
const MAX_SIGN_INS = 3;
const MAX_TRIES = 3;
/** Of requests on connections that the other side has closed. */
const MAX_CLOSED_TRIES = Number(process.env.TRIPLINE_TRIES);
const CLOSED_CODES: readonly string[] = ["UND_ERR_SOCKET", "ECONNRESET"];
/**
 * The suite knows one document of a client, by this address. The service's own is used only if the service has an https
 * address, which it has not here, so the owner gives it.
 */
const CLIENT_DOCUMENTS: Readonly<Record<string, string>> = {
	"auth/basic-cimd": "https://conformance-test.local/client-metadata.json",
};

interface Context {
	readonly client_id?: string;
	readonly client_secret?: string;
	readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

const url = process.argv[2] ?? "";
const urls = (process.env.TRIPLINE_URLS ?? "").split(" ");
const baseUrl = urls[randomInt(urls.length)] ?? "";
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as Context;
globalThis.fetch = retryClosed(globalThis.fetch);
const executor = executorClient({ fetch: (request) => fetch(request), baseUrl }).as(`suite-${randomUUID()}`);
let signIns = 0;

await add({ url });
const server = await executor.mcpServers.get(SERVER);
assert.ok(server !== null);
const problems: unknown[] = [];
for (const { name, args } of listCalls()) await callTool(name, args).catch((error) => problems.push(error));
if (problems.length > 0) throw new AggregateError(problems);

/** Signs in until the server accepts it. */
async function add(target: { url: string; credential?: string }): Promise<void> {
	try {
		await retry(() => executor.mcpServers.put(SERVER, target));
	} catch (error) {
		const wantsSignIn =
			error instanceof ServiceRefused && error.issues.some(({ path }) => path === "credential");
		if (!wantsSignIn || signIns === MAX_SIGN_INS) throw error;
		const { client_id = CLIENT_DOCUMENTS[scenario], client_secret } = context;
		await signIn({ url, ...(client_id !== undefined && { client_id, client_secret }) });
		await add({ url, credential: `mcp_${SERVER}` });
	}
}

/** The suite's server closes connections while they are in use. */
async function retry<T>(call: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await call();
		} catch (error) {
			if (!(error instanceof ServiceUnavailable) || tries === MAX_TRIES) throw error;
		}
	}
}

function retryClosed(send: typeof fetch): typeof fetch {
	return async (input, init) => {
		for (let tries = 1; ; tries++) {
			try {
				return await send(input instanceof Request ? input.clone() : input, init);
			} catch (error) {
				const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
				if (!CLOSED_CODES.includes(code ?? "") || tries === MAX_CLOSED_TRIES) throw error;
			}
		}
	};
}

function listCalls(): { name: string; args: object }[] {
	if (context.toolCalls !== undefined)
		// A workflow leaves a parameter out instead of giving null for it.
		return context.toolCalls.map(({ name, arguments: args }) => ({ name, args: dropNulls(args) }));
	const tools = server?.tools ?? [];
	if (scenario !== "json-schema-2020-12-preservation")
		return tools.map(({ name, input_schema }) => ({ name, args: makeArguments(input_schema) }));
	// It wants the schema of one tool as the argument of the other.
	const [focal, echo] = ["properties", "schema"].map((word) =>
		tools.find(
			({ input_schema }) => (word === "schema") === Object.hasOwn(getProperties(input_schema), word),
		),
	);
	return [{ name: echo?.name ?? "", args: { schema: focal?.input_schema } }];
}

function dropNulls(args: object): object {
	return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function getProperties(schema: Readonly<Record<string, unknown>>): object {
	return (schema.properties ?? {}) as object;
}

function makeArguments(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const values = { string: "text", number: 5, integer: 5, boolean: true };
	return Object.fromEntries(
		Object.entries(getProperties(schema)).flatMap(([name, { type }]) =>
			Object.hasOwn(values, type) ? [[name, values[type as keyof typeof values]]] : [],
		),
	);
}

/** Does what the message of a failed run says. */
async function callTool(name: string, args: object): Promise<void> {
	let error = await run(name, args);
	for (let tries = 1; tries < MAX_CLOSED_TRIES && /^call: the call to \S+ failed$/.test(error ?? ""); tries++)
		error = await run(name, args);
	if (error === null) return;
	const [, scope] = /lacks rights, "([^"]*)"/.exec(error) ?? [];
	const wantsSignIn = scope !== undefined || /is not signed in|does not accept the credential/.test(error);
	if (!wantsSignIn || signIns === MAX_SIGN_INS) throw new Error(error);
	await signIn(scope === undefined ? {} : { scope });
	await callTool(name, args);
}

/** Null, or why it failed. */
async function run(tool: string, args: object): Promise<string | null> {
	const config = { call: { component: `mcp:${SERVER}.${tool}`, ...args } };
	const { token } = await executor.webhooks.create({ json: { triplets: ["input >> then >> call"], config } });
	const result = await executor.webhooks.run(token, {});
	return "error" in result ? (result.error ?? null) : null;
}

/** As a browser does: the suite's authorization server asks nobody. */
async function signIn(request: object): Promise<void> {
	signIns++;
	const link = await retry(() => executor.mcpServers.signIn(SERVER, request));
	const browser = createBrowser();
	await browser.open(link?.url ?? "");
	const page = await browser.submit({});
	assert.match(page, /Signed in/, page);
}
