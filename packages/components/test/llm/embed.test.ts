import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import fc from "fast-check";
import { embed } from "../../src/embed.ts";
import { openServer, runForFailure, runForOutput, runOutbound, sendJson } from "../outbound-effects.ts";

const vector = (index: number, embedding: unknown) => ({ object: "embedding", index, embedding });
const list = (...data: unknown[]) => ({
	object: "list",
	data,
	model: "m-1",
	usage: { prompt_tokens: 4, total_tokens: 4 },
});
const serveJson = (value: unknown) => openServer((_request, response) => sendJson(response, value));

describe("embed", () => {
	test("sends a request as in OpenAI's documentation, and orders vectors by index", async () => {
		await using server = await serveJson(list(vector(1, [0.5, 1]), vector(0, [0, -1e-7])));
		const params = { base_url: `${server.url}/v1`, model: "m", input: ["a", "b"], dimensions: 2 };
		const { output } = await runOutbound(embed, params, { credential: "key" });
		const [seen] = server.seen;
		assert.equal(`${seen?.method} ${seen?.path}`, "POST /v1/embeddings");
		assert.equal(seen?.headers.authorization, "Bearer key");
		assert.equal(seen?.body, '{"model":"m","input":["a","b"],"encoding_format":"float","dimensions":2}');
		assert.deepEqual(output, {
			embeddings: [
				[0, -1e-7],
				[0.5, 1],
			],
			model: "m-1",
			usage: { input_tokens: 4, total_tokens: 4 },
		});
	});

	test("returns a list of one for one text, and null for unreported tokens", async () => {
		await using server = await serveJson({ data: [{ embedding: [1] }] });
		const output = await runForOutput(embed, { base_url: server.url, model: "m", input: "a" });
		assert.deepEqual(output, {
			embeddings: [[1]],
			model: "m",
			usage: { input_tokens: null, total_tokens: null },
		});
		assert.deepEqual(JSON.parse(server.seen[0]?.body ?? "").input, ["a"]);
	});

	test("uses Voyage's field names, and sends extra fields", async () => {
		const bodies: unknown[] = [];
		const effects = {
			http: async ({ body }: { body?: unknown }) => {
				bodies.push(body);
				const answer = JSON.stringify(list(vector(0, [1])));
				return { status: 200, headers: {}, body: new TextEncoder().encode(answer), url: "" };
			},
		};
		const base_url = "https://api.voyageai.com/v1";
		const extra = { input_type: "query" };
		await runForOutput(embed, { base_url, model: "v", input: "a", dimensions: 256, extra }, { effects });
		const value = { input_type: "query", model: "v", input: ["a"], output_dimension: 256 };
		assert.deepEqual(bodies, [{ kind: "json", value }]);
	});

	test("fails unless there is one vector per text", async () => {
		const cases: [unknown, RegExp][] = [
			[list(vector(0, [1])), /gave 1 vectors for 2 texts/],
			[list(vector(0, [1]), vector(0, [1])), /not one for each text/],
			[list(vector(0, [1]), vector(2, [1])), /not one for each text/],
			[list(vector(0, [1]), vector(0.5, [1])), /not one for each text/],
			[list({ index: "1", embedding: [1] }, vector(0, [1])), /not one for each text/],
			[list(vector(0, [1]), vector(1, [])), /not lists of numbers/],
			[list(vector(0, [1]), vector(1, "AACAPw==")), /not lists of numbers/],
			[list(vector(0, [1]), vector(1, [null])), /not lists of numbers/],
			[list(vector(0, [1]), vector(1, [1, 2])), /differ in length/],
			[{ data: null }, /no vectors/],
			[{}, /no vectors/],
			["x", /no vectors/],
			[{ error: { message: "no such model" } }, /^the provider failed: no such model/],
		];
		for (const [value, message] of cases) {
			await using server = await serveJson(value);
			const failure = await runForFailure(embed, { base_url: server.url, model: "m", input: ["a", "b"] });
			assert.match(failure.message, message);
		}
	});

	test("handles any response", async () => {
		let next: unknown;
		const effects = {
			http: async () => {
				const body = new TextEncoder().encode(JSON.stringify(next));
				return { status: 200, headers: {}, body, url: "" };
			},
		};
		const data = fc.array(
			fc.record({ index: fc.jsonValue(), embedding: fc.jsonValue() }, { requiredKeys: [] }),
		);
		await fc.assert(
			fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.record({ data })), async (value) => {
				next = value;
				await runForOutput(embed, { model: "m", input: "a" }, { effects }).catch((error: Error) =>
					assert.match(error.message, /^the provider/),
				);
			}),
		);
	});

	test("fails without retry with the provider's message, and retries if it is busy", async () => {
		await using server = await openServer((_request, response, number) =>
			number === 1
				? sendJson(response, {}, 429, { "retry-after": "1" })
				: sendJson(response, { error: { message: "input is too long" } }, 400),
		);
		const failure = await runForFailure(embed, { base_url: server.url, model: "m", input: "a" });
		assert.equal(failure.message, "the provider answered 400 Bad Request: input is too long");
		assert.ok(failure instanceof TerminalError);
		assert.equal(server.seen.length, 2);
	});

	test("accepts one to 2048 texts, none of them empty", () => {
		const accepts = (input: unknown) => embed.params.safeParse({ model: "m", input }).success;
		assert.ok(accepts(Array(2048).fill("a")));
		for (const input of ["", [], [""], [1], Array(2049).fill("a"), null, {}]) assert.ok(!accepts(input));
	});
});
