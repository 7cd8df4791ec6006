import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { start } from "./process.ts";

const WORKFLOW = {
	name: "hello",
	triplets: ["input >> then >> greet"],
	config: { greet: { component: "template", text: "Hello" } },
	options: { query: true },
};
/** Requests that a browser sends for a foreign page without a preflight: a form post, an image, a frame. */
const ELSEWHERE = [
	{ origin: "https://evil.example", "content-type": "text/plain" },
	{ origin: "null", "content-type": "text/plain" },
	{ "sec-fetch-site": "cross-site" },
	{ "sec-fetch-site": "same-site" },
];
const CALLS = [
	["POST", "/webhooks/named/default/hello/trigger"],
	["POST", "/webhooks/named/hello/trigger"],
	["POST", "/webhooks/named/hello/query"],
	["GET", "/q/default/hello"],
] as const;

describe("a foreign web page that calls a workflow by its name", () => {
	test("is refused without a public address, and nothing runs", async (context) => {
		const { publicUrl } = await start(context, {});
		await save(publicUrl);
		for (const headers of ELSEWHERE) {
			for (const [method, path] of CALLS) {
				const answer = await call(publicUrl, method, path, headers);
				assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(headers)}`);
				assert.deepEqual(await answer.json(), { error: "requests from other origins are refused" });
			}
		}
		const token = await makeToken(publicUrl);
		for (const headers of ELSEWHERE) {
			assert.equal((await call(publicUrl, "POST", `/webhooks/${token}/trigger`, headers)).status, 200);
		}
		for (const headers of [{}, { origin: publicUrl, "sec-fetch-site": "same-origin" }]) {
			for (const [method, path] of CALLS) {
				assert.equal((await call(publicUrl, method, path, headers)).status, 200, path);
			}
		}
	});

	test("is allowed with a public address", async (context) => {
		const { publicUrl } = await start(context, { BASE_URL: "http://localhost:1234" });
		await save(publicUrl);
		for (const headers of ELSEWHERE) {
			const answer = await call(publicUrl, "POST", "/webhooks/named/default/hello/trigger", headers);
			assert.equal(answer.status, 200, JSON.stringify(headers));
			assert.equal((await call(publicUrl, "GET", "/q/default/hello", headers)).status, 200);
		}
	});
});

const KEY = { "x-service-api-key": "default" };

function call(publicUrl: string, method: string, path: string, headers: Record<string, string>) {
	return fetch(publicUrl + path, { method, headers: { ...KEY, ...headers } });
}

async function save(publicUrl: string): Promise<void> {
	const body = JSON.stringify(WORKFLOW);
	const saved = await fetch(`${publicUrl}/webhooks/named`, { method: "POST", headers: KEY, body });
	assert.equal(saved.status, 201, await saved.text());
}

async function makeToken(publicUrl: string): Promise<string> {
	const { name: _, ...body } = WORKFLOW;
	const made = await fetch(`${publicUrl}/webhooks`, {
		method: "POST",
		headers: KEY,
		body: JSON.stringify(body),
	});
	return ((await made.json()) as { token: string }).token;
}
