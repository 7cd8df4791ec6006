import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { provider } from "../../src/cloudflare/provider.ts";
import { CliProblem } from "../../src/command.ts";

const TOKEN = "the-token-of-the-tests";
const envelope = (result: unknown, info?: object) =>
	Response.json({ success: true, errors: [], messages: [], result, result_info: info });
const refusal = (status: number, code: number, message: string, headers = {}) =>
	Response.json(
		{ success: false, errors: [{ code, message }], messages: [], result: null },
		{ status, headers },
	);

/** The provider's API, which gives these answers in order and then repeats the last one. */
function createProvider(...answers: (Response | Error)[]) {
	const requests: Request[] = [];
	const waits: number[] = [];
	const api = provider({
		io: {
			env: { CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:1/client/v4/" },
			async fetch(request) {
				const answer = answers[Math.min(requests.length, answers.length - 1)];
				requests.push(request);
				if (answer instanceof Error) throw answer;
				return (answer as Response).clone();
			},
			wait: async (ms) => waits.push(ms),
		},
		token: TOKEN,
	});
	return { api, requests, waits };
}

const LIST = { what: "list the namespaces", path: "/accounts/a/storage/kv/namespaces" };
const CREATE = { what: "make a namespace", method: "POST", path: LIST.path, body: { title: "t" } } as const;

describe("Cloudflare's API", () => {
	test("sends the token and the JSON, and returns the result", async () => {
		const { api, requests } = createProvider(envelope({ id: "1" }));
		assert.deepEqual(await api.call(CREATE), { id: "1" });
		const [request] = requests as [Request];
		assert.equal(request.url, "http://127.0.0.1:1/client/v4/accounts/a/storage/kv/namespaces");
		assert.equal(request.headers.get("authorization"), `Bearer ${TOKEN}`);
		assert.deepEqual(await request.json(), { title: "t" });
	});

	test("reads all pages of a list", async () => {
		const { api, requests } = createProvider(
			envelope([1, 2], { total_count: 3 }),
			envelope([3], { total_count: 3 }),
		);
		assert.deepEqual(await api.list(LIST), [1, 2, 3]);
		assert.deepEqual(
			requests.map(({ url }) => new URL(url).search),
			["?page=1&per_page=100", "?page=2&per_page=100"],
		);
	});

	test("reports a refusal with the provider's message and code, without retrying", async () => {
		const { api, requests } = createProvider(refusal(400, 10014, "it exists\nalready"));
		await assert.rejects(api.call(CREATE), {
			name: "CliProblem",
			message: "Cloudflare refused to make a namespace: it exists already (code 10014)",
		});
		assert.equal(requests.length, 1);
	});

	test("429: waits for Retry-After, then retries", async () => {
		const { api, waits } = createProvider(
			refusal(429, 971, "slow down", { "retry-after": "7" }),
			envelope({ id: "1" }),
		);
		await api.call(CREATE);
		assert.deepEqual(waits, [7000]);
	});

	test("429 with a long Retry-After: fails and says when to retry", async () => {
		const { api, waits } = createProvider(refusal(429, 971, "slow down", { "retry-after": "300" }));
		await assert.rejects(api.call(LIST), (error) => {
			assert.ok(error instanceof CliProblem);
			assert.match(`${error.message} ${error.hint}`, /429.*in 300 seconds/);
			return true;
		});
		assert.deepEqual(waits, []);
	});

	test("429 on every retry: gives up", async () => {
		const { api, requests } = createProvider(refusal(429, 971, "slow down", { "retry-after": "1" }));
		await assert.rejects(api.call(LIST), /status 429.*slow down \(code 971\)/);
		assert.equal(requests.length, 4);
	});

	test("5xx: retries idempotent calls only", async () => {
		const reading = createProvider(refusal(503, 1, "away"), envelope([]));
		assert.deepEqual(await reading.api.call(LIST), []);
		const making = createProvider(refusal(503, 1, "away"), envelope({}));
		await assert.rejects(
			making.api.call(CREATE),
			/could not make a namespace \(status 503\): away \(code 1\)/,
		);
		assert.equal(making.requests.length, 1);
	});

	test("reports a lost connection with a hint", async () => {
		const cut = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
		const { api, requests } = createProvider(cut);
		await assert.rejects(api.call(LIST), (error) => {
			assert.ok(error instanceof CliProblem);
			assert.match(error.message, /could not be reached to list the namespaces \(ECONNRESET\)/);
			assert.match(String(error.hint), /network.*again/);
			return true;
		});
		assert.equal(requests.length, 4);
	});

	test("distinguishes an answer of something else from a refusal", async () => {
		const { api } = createProvider(new Response("<h1>Sign in to the proxy</h1>", { status: 200 }));
		await assert.rejects(api.call(LIST), /is not from Cloudflare's API \(status 200\)/);
	});

	test("no message contains the token", async () => {
		for (const answer of [refusal(403, 10000, "no"), refusal(500, 1, "no"), new Error("no")]) {
			const { api } = createProvider(answer);
			await assert.rejects(api.call(LIST), (error: CliProblem) => {
				assert.ok(!`${error.message} ${error.hint} ${error.stack}`.includes(TOKEN));
				return true;
			});
		}
	});
});
