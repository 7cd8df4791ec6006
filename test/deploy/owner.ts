import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { parseElements } from "../../services/mcp/test/pages/markup.ts";
import type { Machine } from "./machine.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

/** An assistant that the owner has authorised with the owner secret. */
export async function connectAssistant(machine: Machine, ownerSecret: string): Promise<Client> {
	const origin = machine.url("mcp");
	const verifier = randomBytes(32).toString("base64url");
	const { client_id } = await fetchJson(`${origin}/register`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" }),
	});
	const asked = new URLSearchParams({
		response_type: "code",
		client_id: client_id as string,
		redirect_uri: REDIRECT,
		code_challenge: createHash("sha256").update(verifier).digest("base64url"),
		code_challenge_method: "S256",
		resource: `${origin}/mcp`,
		state: "state",
	});
	const { access_token } = await fetchJson(`${origin}/token`, {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "authorization_code",
			code: await submitSecret(`${origin}/authorize?${asked}`),
			client_id: client_id as string,
			redirect_uri: REDIRECT,
			code_verifier: verifier,
			resource: `${origin}/mcp`,
		}),
	});
	const client = new Client({ name: "test", version: "1" });
	await client.connect(
		new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
			requestInit: { headers: { authorization: `Bearer ${access_token}` } },
			fetch: (url, init) => machine.fetch(new Request(url, init)),
		}),
	);
	return client;

	async function fetchJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
		const response = await machine.fetch(new Request(url, init));
		const text = await response.text();
		assert.ok(response.ok, `${url} answers ${response.status}: ${text}`);
		return JSON.parse(text);
	}

	/** Submits the secret on the consent page, as the owner does in a browser, and returns the code. */
	async function submitSecret(url: string): Promise<string> {
		const page = await machine.fetch(new Request(url));
		assert.equal(page.status, 200);
		const elements = parseElements(await page.text());
		const action = elements.find(({ tag }) => tag === "form")?.attributes.get("action") ?? "";
		const hidden = elements
			.filter(({ tag, attributes }) => tag === "input" && attributes.get("type") === "hidden")
			.map(({ attributes: given }): [string, string] => [given.get("name") ?? "", given.get("value") ?? ""]);
		const answer = await machine.fetch(
			new Request(new URL(action, url), {
				method: "POST",
				redirect: "manual",
				body: new URLSearchParams([...hidden, ["owner_secret", ownerSecret]]),
			}),
		);
		assert.equal(answer.status, 302);
		return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
	}
}
