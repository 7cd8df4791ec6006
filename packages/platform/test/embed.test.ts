import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { type Behaviour, startEmbedServer } from "../../../test/embed-server.ts";
import { httpEmbedder } from "../src/embed.http.ts";
import { EmbedUnavailable } from "../src/embed.ts";
import { type WorkersAi, workersAiEmbedder } from "../src/embed.workers-ai.ts";
import { type Vectorize, vectorizeIndex } from "../src/vectors.vectorize.ts";
import { embedContract } from "./contracts/embed.ts";

const never = new AbortController().signal;

async function server(context: TestContext, behaviour?: Behaviour) {
	const started = await startEmbedServer();
	context.after(started.close);
	if (behaviour !== undefined) started.behave(behaviour);
	return started;
}

const KEY = "sk-canary-0123456789";
const http = (url: string) => httpEmbedder({ url, model: "test-model", apiKey: KEY, fetch });

describe("an OpenAI-compatible server", () => {
	for (const { name, run } of embedContract) {
		test(name, async (context) => run(http((await server(context)).url)));
	}

	test("receives model, texts and key, at a base URL or a full address", async (context) => {
		const { url, received } = await server(context);
		for (const address of [url, `${url}/`, `${url}/embeddings`, `${url}/embeddings?api-version=1`]) {
			const vectors = await http(address).embed(["green tea", "cold rain"], never);
			assert.deepEqual(
				vectors.map((vector) => vector?.length),
				[32, 32],
			);
		}
		assert.deepEqual(
			received.map(({ path }) => path),
			["/v1/embeddings", "/v1/embeddings", "/v1/embeddings", "/v1/embeddings?api-version=1"],
		);
		assert.deepEqual(received[0], {
			path: "/v1/embeddings",
			authorization: `Bearer ${KEY}`,
			model: "test-model",
			input: ["green tea", "cold rain"],
		});
		const keyless = httpEmbedder({ url, model: "m", apiKey: undefined, fetch });
		await keyless.embed(["x"], never);
		assert.equal(received.at(-1)?.authorization, undefined);
	});

	test("vectors are ordered by their index", async (context) => {
		const { url } = await server(context);
		const texts = ["one word", "another word", "third"];
		const together = await http(url).embed(texts, never);
		for (const [index, text] of texts.entries()) {
			assert.deepEqual(together[index], (await http(url).embed([text], never))[0]);
		}
	});

	const failures: [string, Behaviour, RegExp][] = [
		["500", { kind: "status", status: 500 }, /^the provider answered 500$/],
		["429", { kind: "status", status: 429 }, /^the provider answered 429$/],
		[
			"401",
			{ kind: "status", status: 401, body: `{"error":"bad key ${KEY}"}` },
			/^the provider answered 401$/,
		],
		["a redirect", { kind: "status", status: 307 }, /^the provider answered 307$/],
		["no JSON", { kind: "body", body: "<html>" }, /is not JSON/],
		["null", { kind: "body", body: "null" }, /a vector for each text/],
		["no data", { kind: "body", body: "{}" }, /a vector for each text/],
		["too few", { kind: "body", body: '{"data":[]}' }, /a vector for each text/],
		[
			"no vector",
			{ kind: "body", body: '{"data":[{"index":0,"embedding":"AAAA"}]}' },
			/items that are not vectors/,
		],
		["an empty vector", { kind: "body", body: '{"data":[{"embedding":[]}]}' }, /items that are not vectors/],
		["no numbers", { kind: "body", body: '{"data":[{"embedding":[1,null]}]}' }, /items that are not vectors/],
		[
			"too large a number",
			{ kind: "body", body: '{"data":[{"embedding":[1e300]}]}' },
			/items that are not vectors/,
		],
		[
			"a wrong index",
			{ kind: "body", body: '{"data":[{"index":5,"embedding":[1]}]}' },
			/missing for some texts/,
		],
		[
			"too much",
			{ kind: "body", body: `{"data":[{"embedding":[1]}],"x":"${"x".repeat(33 * 1024 * 1024)}"}` },
			/too large/,
		],
		["a hang-up", { kind: "hang up" }, /cannot be reached/],
	];
	for (const [name, behaviour, message] of failures) {
		test(`${name} is a failure that tells nothing else`, async (context) => {
			const { url } = await server(context, behaviour);
			await assert.rejects(http(url).embed(["text"], never), (error) => {
				assert.ok(error instanceof EmbedUnavailable);
				assert.match(error.message, message);
				assert.doesNotMatch(error.message, /canary|127\.0\.0\.1/);
				return true;
			});
		});
	}

	test("a silent server ends at the caller's timeout", async (context) => {
		const { url } = await server(context, { kind: "silence" });
		const began = performance.now();
		await assert.rejects(http(url).embed(["text"], AbortSignal.timeout(100)), /took too long/);
		assert.ok(performance.now() - began < 5_000);
	});

	test("an unreachable server is a failure", async (context) => {
		const { url, close } = await server(context);
		close();
		await assert.rejects(http(url).embed(["text"], never), /cannot be reached/);
	});

	test("a redirect is not followed, so that the key is not sent elsewhere", async (context) => {
		let wasAsked = false;
		const elsewhere = createServer((_, response) => {
			wasAsked = true;
			response.end();
		}).listen(0, "127.0.0.1");
		await new Promise((resolve) => elsewhere.once("listening", resolve));
		context.after(() => elsewhere.close());
		const target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
		const redirecting = createServer((_, response) => {
			response.writeHead(307, { location: target }).end();
		}).listen(0, "127.0.0.1");
		await new Promise((resolve) => redirecting.once("listening", resolve));
		context.after(() => redirecting.close());
		const { port } = redirecting.address() as AddressInfo;
		await assert.rejects(http(`http://127.0.0.1:${port}`).embed(["text"], never), /answered 307/);
		assert.equal(wasAsked, false);
	});

	test("a text too long for the model is shortened and does not block others", async (context) => {
		const { url } = await server(context, { kind: "short texts only", longest: 1_000 });
		const vectors = await http(url).embed(["short", "long ".repeat(1_000), "also short"], never);
		assert.equal(vectors.filter((vector) => vector !== null).length, 3);
	});

	test("a text rejected at any length is null, and the others have vectors", async (context) => {
		const { url } = await server(context, { kind: "short texts only", longest: 3 });
		assert.deepEqual(
			(await http(url).embed(["abc", "refused", "xyz"], never)).map((vector) => vector?.length ?? null),
			[32, null, 32],
		);
	});
});

describe("Workers AI", () => {
	const counting: WorkersAi = {
		run: async (_, { text }) => ({
			data: text.map((each) => Array.from({ length: 1024 }, (_, at) => each.charCodeAt(at % each.length))),
		}),
	};
	for (const { name, run } of embedContract) test(name, () => run(workersAiEmbedder(counting)));

	const answering = (answer: unknown) => {
		const calls: unknown[] = [];
		const ai: WorkersAi = {
			async run(...call) {
				calls.push(call);
				return answer;
			},
		};
		return { calls, embedder: workersAiEmbedder(ai) };
	};
	const vector = Array.from({ length: 1024 }, (_, at) => at / 1024);

	test("is called with the model and the texts", async () => {
		const { calls, embedder } = answering({ shape: [2, 1024], data: [vector, vector] });
		const vectors = await embedder.embed(["one", "two"], never);
		assert.deepEqual(calls, [["@cf/baai/bge-m3", { text: ["one", "two"] }]]);
		assert.deepEqual(vectors, [Float32Array.from(vector), Float32Array.from(vector)]);
		assert.equal(embedder.dimensions, 1024);
		assert.equal(embedder.isModel, true);
	});

	test("a response of another shape is a failure", async () => {
		for (const answer of [null, {}, { data: [] }, { data: [[1, 2]] }, { data: [vector, vector] }]) {
			await assert.rejects(answering(answer).embedder.embed(["one"], never), EmbedUnavailable);
		}
	});

	test("an error is a failure without details, and waiting times out", async () => {
		const failing = workersAiEmbedder({ run: () => Promise.reject(new Error("3040: account 123 out of")) });
		await assert.rejects(failing.embed(["one"], never), { message: "Workers AI cannot answer" });
		const silent = workersAiEmbedder({ run: () => new Promise(() => {}) });
		await assert.rejects(silent.embed(["one"], AbortSignal.timeout(20)), /took too long/);
		await assert.rejects(silent.embed(["one"], AbortSignal.abort()), /took too long/);
	});
});

test("Vectorize is called with its own types", async () => {
	const calls: unknown[] = [];
	const binding: Vectorize = {
		async upsert(...call) {
			calls.push(["upsert", ...call]);
			return { mutationId: "1" };
		},
		async deleteByIds(...call) {
			calls.push(["deleteByIds", ...call]);
			return { mutationId: "2" };
		},
		async query(...call) {
			calls.push(["query", ...call]);
			return { matches: [{ id: "a", score: 0.5 }] };
		},
	};
	const index = vectorizeIndex(binding);
	await index.upsert([{ id: "a", partition: "p", vector: Float32Array.of(0.5, 1) }]);
	await index.remove(["a"]);
	assert.deepEqual(await index.query("p", Float32Array.of(0.5, 1), 500), [{ id: "a", similarity: 0.5 }]);
	assert.deepEqual(calls, [
		["upsert", [{ id: "a", namespace: "p", values: [0.5, 1] }]],
		["deleteByIds", ["a"]],
		["query", [0.5, 1], { topK: 100, namespace: "p", returnValues: false, returnMetadata: "none" }],
	]);
});
