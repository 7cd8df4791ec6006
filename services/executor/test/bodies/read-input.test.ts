import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed, toFailureStatus } from "@tripline/contract/failures";
import type { AcceptedBody } from "@tripline/contract/webhook-trigger";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import {
	findFileBody,
	readFields,
	readInput,
	readJsonOrFile,
	readQueryInput,
} from "../../src/http/bodies/read-input.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const toBytes = (body: string | Uint8Array): Uint8Array =>
	typeof body === "string" ? new TextEncoder().encode(body) : body;

const read = (
	accept: readonly AcceptedBody[],
	contentType: string | null,
	body: string | Uint8Array,
): JsonObject => readInput({ accept, contentType, bytes: toBytes(body) });

/** The status and message with which a body is refused. */
function refuse(run: () => unknown): string {
	try {
		run();
	} catch (error) {
		assert.ok(error instanceof Failed, String(error));
		return `${toFailureStatus(error.failure)} ${error.failure.message}`;
	}
	return assert.fail("it is not refused");
}

describe("a JSON body", () => {
	test("is the input if it is an object, else input.body", () => {
		assert.deepEqual(read(["json"], JSON_TYPE, '{"a":[1]}'), { a: [1] });
		assert.deepEqual(read(["json"], JSON_TYPE, "[1,2]"), { body: [1, 2] });
		assert.deepEqual(read(["json"], JSON_TYPE, "null"), { body: null });
		assert.deepEqual(read(["json"], JSON_TYPE, '"text"'), { body: "text" });
		assert.deepEqual(read(["json"], JSON_TYPE, '{"a":1,"a":2}'), { a: 2 });
	});

	test("is recognised by every JSON content type", () => {
		for (const type of [
			"application/json; charset=utf-8",
			'Application/JSON;charset="UTF-8"',
			"application/cloudevents+json",
			"application/vnd.api+json; ext=1",
			"text/json",
		])
			assert.deepEqual(read(["json"], type, '{"a":1}'), { a: 1 }, type);
	});

	test("may come without a content type or with a form's", () => {
		for (const type of [null, "", FORM, `${FORM}; charset=utf-8`]) {
			assert.deepEqual(read(["json"], type, ' {"a":1}'), { a: 1 });
			assert.deepEqual(read(["json", "form", "text"], type, "[1]"), { body: [1] });
			assert.deepEqual(read(["json"], type, "5"), { body: 5 });
		}
		assert.deepEqual(read(["json", "text"], null, "hello"), { text: "hello" });
		assert.deepEqual(read(["form", "json"], FORM, "[a]=1"), { "[a]": "1" });
	});

	test("is empty without a body", () => {
		for (const type of [null, JSON_TYPE, FORM, "text/plain", "image/png", "multipart/form-data"])
			assert.deepEqual(read(["json"], type, ""), {});
		assert.deepEqual(read(["json"], JSON_TYPE, " \n"), {});
	});

	test("that is malformed is refused with the position", () => {
		const accept = ["json"] as const;
		assert.equal(
			refuse(() => read(accept, JSON_TYPE, '{"x":1,}')),
			"400 invalid json: expected double-quoted property name at line 1, column 8",
		);
		assert.equal(
			refuse(() => read(accept, JSON_TYPE, '{"x":')),
			"400 invalid json: the text ends too early",
		);
		assert.equal(
			refuse(() => read(accept, null, "secret")),
			"400 invalid json: unexpected character",
		);
		assert.match(
			refuse(() => read(accept, FORM, '{"x"')),
			/^400 invalid json: /,
		);
		assert.equal(
			refuse(() => read(accept, JSON_TYPE, Uint8Array.of(0x22, 0xff, 0x22))),
			"400 the body is not valid UTF-8",
		);
		assert.equal(
			refuse(() => read(accept, JSON_TYPE, "[".repeat(65) + "]".repeat(65))),
			"400 json nests deeper than 64 levels",
		);
		assert.equal(
			refuse(() => read(["json", "form"], FORM, `${"[".repeat(65)}${"]".repeat(65)}`)),
			"400 json nests deeper than 64 levels",
		);
	});

	test("in another charset is refused", () => {
		assert.equal(
			refuse(() => read(["json"], "application/json; charset=utf-16", "{}")),
			"415 application/json must be encoded as utf-8",
		);
	});
});

describe("a body of a type that is not accepted", () => {
	test("gets 415 with what was sent and what is accepted", () => {
		assert.equal(
			refuse(() => read(["json"], "text/csv", "a,b")),
			"415 text/csv is not accepted: send application/json",
		);
		assert.equal(
			refuse(() => read(["form"], JSON_TYPE, "{}")),
			`415 application/json is not accepted: send ${FORM} or multipart/form-data`,
		);
		assert.equal(
			refuse(() => read(["json", "text"], FORM, "a=1")),
			`415 ${FORM} is not accepted: send application/json or text/plain`,
		);
		assert.equal(
			refuse(() => read(["form", "files"], null, "a=1")),
			`415 the content type is missing or malformed: send ${FORM} or multipart/form-data`,
		);
		assert.match(
			refuse(() => read(["json"], "<script>", "a")),
			/^415 the content type is missing or malformed/,
		);
		assert.match(
			refuse(() => read(["json", "text"], "multipart/form-data; boundary=x", "--x--")),
			/^415 multipart\/form-data is not accepted/,
		);
	});
});

describe("a body that is a file", () => {
	const find = (accept: readonly AcceptedBody[], contentType: string | null) =>
		findFileBody(accept, contentType)?.kind ?? null;

	test("has any type but those of JSON and forms", () => {
		for (const type of [
			"image/png",
			"application/pdf",
			"text/csv",
			"malformed",
			"multipart/mixed; boundary=b",
			null,
		])
			assert.equal(find(["bytes"], type), "file", String(type));
		for (const type of [JSON_TYPE, FORM, "multipart/form-data; boundary=b"])
			assert.equal(find(["bytes"], type), null, type);
		assert.equal(find(["bytes", "text"], "text/csv"), null);
		assert.equal(find(["json", "form", "files", "text"], "image/png"), null);
	});

	test("without a content type is one only if it is not JSON", () => {
		assert.equal(find(["json", "bytes"], null), "file-or-json");
		assert.deepEqual(readJsonOrFile(toBytes('{"a":1}')), { a: 1 });
		assert.equal(readJsonOrFile(toBytes("PNG")), null);
		assert.equal(readJsonOrFile(Uint8Array.of(0xff)), null);
	});

	test("may be a part of a multipart form where files are accepted", () => {
		assert.equal(find(["files"], "multipart/form-data; boundary=b"), "parts");
		assert.equal(find(["form"], "multipart/form-data; boundary=b"), null);
	});
});

describe("form fields", () => {
	test("are the input, and a repeated name is a list", () => {
		assert.deepEqual(read(["form"], FORM, "a=1&b=x+y%20z&a=2&c&=e&a[b]=%E4%BD%A0&&"), {
			a: ["1", "2"],
			b: "x y z",
			c: "",
			"": "e",
			"a[b]": "你",
		});
	});

	test("cannot reach the prototype", () => {
		const input = read(["form"], FORM, "__proto__=x&constructor=y&toString=z");
		assert.deepEqual(Object.keys(input), ["__proto__", "constructor", "toString"]);
		assert.equal(Object.getPrototypeOf(input), Object.prototype);
		assert.equal(JSON.stringify(input), '{"__proto__":"x","constructor":"y","toString":"z"}');
	});

	test("that are malformed are refused", () => {
		for (const body of ["a=%", "a=%zz", "%ff=1", "a=%C0%80"])
			assert.equal(
				refuse(() => read(["form"], FORM, body)),
				"400 the form is not valid percent-encoded UTF-8",
			);
		assert.match(
			refuse(() => read(["form"], FORM, Uint8Array.of(0x61, 0x3d, 0xff))),
			/^400 .*UTF-8$/,
		);
		assert.match(
			refuse(() => read(["form"], `${FORM}; charset=big5`, "a=1")),
			/^415 /,
		);
	});

	test("are limited in number and in the length of their names", () => {
		const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");
		assert.equal(Object.keys(read(["form"], FORM, many(1_000))).length, 1_000);
		assert.equal(
			refuse(() => read(["form"], FORM, many(1_001))),
			"413 there are more than 1000 fields",
		);
		assert.equal(
			refuse(() => readQueryInput("a&".repeat(1_001))),
			"413 there are more than 1000 fields",
		);
		assert.match(
			refuse(() => read(["form"], FORM, `${"a".repeat(257)}=1`)),
			/^400 the name of a field is longer/,
		);
	});

	test("of any text arrive unchanged", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))),
				(pairs) => {
					const body = new URLSearchParams(pairs).toString();
					const sent = [...readFields({ contentType: FORM, bytes: toBytes(body) })];
					const expected = new Map<string, string[]>();
					for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value]);
					assert.deepEqual(sent, [...expected]);
				},
			),
		);
	});
});

describe("query parameters", () => {
	test("are the input, and a repeated name is a list", () => {
		assert.deepEqual(readQueryInput("a=1&a=2&b=%2B"), { a: ["1", "2"], b: "+" });
		assert.deepEqual(readQueryInput(""), {});
		assert.equal(
			refuse(() => readQueryInput("a=%")),
			"400 the query is not valid percent-encoded UTF-8",
		);
	});
});

describe("a text body", () => {
	test("is input.text, in three charsets", () => {
		assert.deepEqual(read(["text"], "text/plain", "你好"), { text: "你好" });
		assert.deepEqual(read(["text"], "text/csv; charset=us-ascii", "a,b"), { text: "a,b" });
		const latin = Uint8Array.of(0x63, 0x61, 0x66, 0xe9);
		assert.deepEqual(read(["text"], "text/plain; charset=ISO-8859-1", latin), { text: "café" });
		assert.deepEqual(read(["text"], "text/plain", ""), { text: "" });
	});

	test("that does not match its charset is refused", () => {
		assert.equal(
			refuse(() => read(["text"], "text/plain", Uint8Array.of(0xff))),
			"400 the body is not valid UTF-8",
		);
		assert.match(
			refuse(() => read(["text"], "text/plain; charset=shift_jis", "a")),
			/^415 the charset of the body is not supported/,
		);
	});
});

test("any bytes with any content type give an input or a refusal", () => {
	const types = [
		null,
		"",
		FORM,
		JSON_TYPE,
		"text/plain; charset=latin1",
		"multipart/form-data; boundary=x",
		"a/b; c=",
	];
	const accepts = fc.uniqueArray(fc.constantFrom("json", "form", "files", "text", "bytes"), { minLength: 1 });
	fc.assert(
		fc.property(
			accepts,
			fc.constantFrom(...types),
			fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.json().map(toBytes)),
			(accept, type, bytes) => {
				try {
					const input = readInput({ accept: accept as AcceptedBody[], contentType: type, bytes });
					assert.ok(typeof input === "object" && !Array.isArray(input));
				} catch (error) {
					assert.ok(error instanceof Failed, String(error));
				}
			},
		),
		{ numRuns: 500 },
	);
});
