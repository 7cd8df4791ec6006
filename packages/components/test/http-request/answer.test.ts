import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import fc from "fast-check";
import { readBody } from "../../src/http-request/answer.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const answer = (body: Uint8Array, type?: string) => ({
	headers: type === undefined ? {} : { "content-type": type },
	body,
});

describe("a response body", () => {
	test("is converted by its content type by default", () => {
		const cases: [string | undefined, string, unknown][] = [
			["application/json", '{"a":1}', { a: 1 }],
			["Application/Problem+JSON; charset=utf-8", '{"a":1}', { a: 1 }],
			["text/plain", '{"a":1}', '{"a":1}'],
			["image/svg+xml", "<svg/>", "<svg/>"],
			["application/x-ndjson", "1\n2\n", "1\n2\n"],
			["application/pdf", "%PDF", "JVBERg=="],
			["application/octet-stream", "{}", "e30="],
			[undefined, '{"a":1}', { a: 1 }],
			[undefined, "null", null],
			[undefined, "hello", "hello"],
			["", "hello", "hello"],
			["application/json", "", null],
			["application/pdf", "", null],
		];
		for (const [type, text, value] of cases) {
			assert.deepEqual(readBody(answer(bytes(text), type), "auto"), value, `${type} ${text}`);
		}
		assert.equal(readBody(answer(Uint8Array.of(0xff, 0, 1)), "auto"), "/wAB");
	});

	test("is converted as requested, regardless of its type", () => {
		const json = answer(bytes("[1]"), "application/pdf");
		assert.deepEqual(readBody(json, "json"), [1]);
		assert.equal(readBody(json, "text"), "[1]");
		assert.equal(readBody(json, "base64"), "WzFd");
		assert.equal(readBody(answer(new Uint8Array()), "json"), null);
		assert.equal(readBody(answer(new Uint8Array()), "text"), "");
		assert.equal(readBody(answer(new Uint8Array()), "base64"), "");
	});

	test("is decoded with its charset, without the byte order mark", () => {
		const latin = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);
		assert.equal(readBody(answer(latin, "text/plain; charset=ISO-8859-1"), "auto"), "café");
		assert.equal(readBody(answer(latin, 'text/plain;charset="windows-1252"'), "auto"), "café");
		assert.equal(readBody(answer(latin, "text/plain; charset=unheard-of"), "auto"), "caf\ufffd");
		const marked = bytes("\ufeff{}");
		assert.deepEqual(readBody(answer(marked, "application/json"), "auto"), {});
		assert.deepEqual(readBody(answer(marked), "auto"), {});
		const wide = Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0);
		assert.deepEqual(readBody(answer(wide, "application/json; charset=utf-8"), "json"), {});
		const big = Uint8Array.of(0xfe, 0xff, 0, 0x61);
		assert.equal(readBody(answer(big, "text/plain"), "text"), "a");
	});

	test("fails if it should be JSON and is not, without revealing it", () => {
		for (const text of ["{", "<html>secret", '{"a":1}x']) {
			assert.throws(() => readBody(answer(bytes(text), "application/json"), "auto"), {
				message: "the response is not JSON; set response to text to get it as text",
			});
		}
	});

	test("nests at most 64 levels deep", () => {
		const createNested = (depth: number) =>
			answer(bytes("[".repeat(depth) + "]".repeat(depth)), "application/json");
		assert.ok(readBody(createNested(64), "json"));
		assert.throws(() => readBody(createNested(65), "json"), TerminalError);
		assert.throws(() => readBody(createNested(100_000), "auto"), /nests deeper than 64/);
	});

	test("any bytes of any type give a value or a clear failure", () => {
		const type = fc.option(
			fc.oneof(fc.string(), fc.constantFrom("text/plain;charset=utf-16", "application/json")),
			{ nil: undefined },
		);
		fc.assert(
			fc.property(
				fc.uint8Array(),
				type,
				fc.constantFrom("auto", "text", "base64"),
				(body, said, response) => {
					try {
						readBody(answer(body, said), response);
					} catch (error) {
						assert.match((error as Error).message, /^the response/);
					}
				},
			),
		);
	});
});
