import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { type Era, parseMessages } from "../../../test/mcp/wire.ts";
import { type Deployment, OWNER_SECRET } from "../../executor/test/deployment.ts";
import { buildHeaders, buildMessage, type Result } from "./protocol/asking.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

export type Fields = Readonly<Record<string, unknown>>;

/** A code with the other parameters that its client sends to `/token`. */
export type Grant = Readonly<Record<string, string>>;

/** The owner authorizes a client. */
export async function requestGrant(
	deployment: Deployment,
	headers: Readonly<Record<string, string>> = {},
): Promise<Grant> {
	const verifier = randomBytes(32).toString("base64url");
	const client = { client_id: "a-client", redirect_uri: REDIRECT };
	const consent = await deployment.mcp("POST", "/authorize", {
		headers,
		form: {
			...client,
			response_type: "code",
			code_challenge: createHash("sha256").update(verifier).digest("base64url"),
			code_challenge_method: "S256",
			owner_secret: OWNER_SECRET,
		},
	});
	assert.equal(consent.status, 302, consent.text);
	const code = new URL(consent.headers.get("location") ?? "").searchParams.get("code") ?? "";
	return { ...client, grant_type: "authorization_code", code, code_verifier: verifier };
}

export const exchangeCode = (deployment: Deployment, form: Grant) =>
	deployment.mcp("POST", "/token", { form, tellsSecret: true });

/** An access token, requested as a client does. */
export async function logIn(deployment: Deployment): Promise<string> {
	const { status, body } = await exchangeCode(deployment, await requestGrant(deployment));
	assert.equal(status, 200);
	return body.access_token as string;
}

/** A client with a credential. */
export function assistant(deployment: Deployment, bearer: string, era: Era = "2026-07-28") {
	const authorization = `Bearer ${bearer}`;

	return { ask, called: callTool, gui };

	async function ask(method: string, params: Fields = {}) {
		const { status, text } = await deployment.mcp("POST", "/mcp", {
			raw: buildMessage(method, params, { era }),
			headers: { ...buildHeaders(method, params, era), authorization },
		});
		const { result, error } = parseMessages<Result>(text).at(-1) ?? {};
		return { status, result, error };
	}

	/** Calls a tool. */
	async function callTool(name: string, args: Fields = {}): Promise<Fields> {
		const { result, error } = await ask("tools/call", { name, arguments: args });
		assert.equal(error, undefined);
		assert.ok(result?.isError !== true, JSON.stringify(result?.content));
		return result?.structuredContent ?? {};
	}

	/** Calls the console's endpoints. */
	function gui(method: string, path: string, body?: object) {
		const headers = { authorization, ...(body !== undefined && { "content-type": "application/json" }) };
		return deployment.mcp(method, `/gui${path}`, { headers, ...(body !== undefined && { body }) });
	}
}

export const greeting = (name: string, fields: object = {}) => ({
	name,
	description: "says hello",
	version: "1",
	triplets: ["input >> then >> hello"],
	config: { hello: { component: "template", text: 'hello {{input.who | default("you")}}' } },
	...fields,
});

export type Client = ReturnType<typeof assistant>;

export const saveWorkflow = (client: Client, document: object) =>
	client.called("save_workflow", { document });

export async function findRun(client: Client, isMeant: (run: Fields) => boolean): Promise<Fields> {
	const { executions } = await client.called("list_recent_executions");
	const run = (executions as Fields[]).find(isMeant);
	assert.ok(run !== undefined, "there is no such run yet");
	return run;
}
