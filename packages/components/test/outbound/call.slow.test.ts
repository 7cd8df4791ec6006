import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundBody, OutboundCall } from "../../src/outbound/call.ts";
import { type Answers, openOutbound } from "./network.ts";

const ok: Answers = () => ({ body: "ok" });
const URL_ = "https://api.example.com/items";

/** The request that arrives. */
async function sendRequest(call: Partial<OutboundCall>) {
	await using outbound = await openOutbound(ok);
	await outbound.http({ method: "POST", url: URL_, ...call });
	const [request] = outbound.seen;
	assert.ok(request);
	return request;
}

async function sendForError(call: Partial<OutboundCall>): Promise<string> {
	await using outbound = await openOutbound(ok);
	let message = "";
	await assert.rejects(outbound.http({ method: "POST", url: URL_, ...call }), (error) => {
		assert.ok(error instanceof TerminalError, String(error));
		message = error.message;
		return true;
	});
	assert.equal(outbound.seen.length, 0);
	return message;
}

describe("an outbound call", () => {
	test("returns status, headers, bytes and URL of the response, for any status", async () => {
		await using outbound = await openOutbound(() => ({
			status: 418,
			headers: { "x-a": "1" },
			body: "short",
		}));
		const answer = await outbound.http({ method: "get", url: `${URL_}#fragment` });
		assert.equal(answer.status, 418);
		assert.equal(answer.headers["x-a"], "1");
		assert.equal(Buffer.from(answer.body).toString(), "short");
		assert.equal(answer.url, URL_);
	});

	test("sends default user-agent and accept headers, which the caller can override", async () => {
		const plain = await sendRequest({});
		assert.equal(plain.headers["user-agent"], "Tripline");
		assert.equal(plain.headers.accept, "*/*");
		const own = await sendRequest({ headers: { "User-Agent": "mine", Accept: "text/csv" } });
		assert.equal(own.headers["user-agent"], "mine");
		assert.equal(own.headers.accept, "text/csv");
	});

	test("appends the query to the URL's own, which is unchanged", async () => {
		const query = {
			tag: ["a b", "c&d"],
			page: 2,
			none: null,
			flag: true,
			deep: { x: [1] },
			ü: "ü",
			lone: "\ud800",
		};
		const { url } = await sendRequest({ url: `${URL_}?q=a%20b+c&tag=x`, query });
		assert.equal(
			url,
			`${URL_}?q=a%20b+c&tag=x&tag=a%20b&tag=c%26d&page=2&flag=true&deep=%7B%22x%22%3A%5B1%5D%7D&%C3%BC=%C3%BC&lone=%EF%BF%BD`,
		);
	});

	const bodies: [OutboundBody, string, string][] = [
		[{ kind: "json", value: { a: "é", b: [1, null] } }, '{"a":"é","b":[1,null]}', "application/json"],
		[
			{ kind: "form", fields: { a: "x y&z", list: [1, 2], no: null, deep: { in: "é" } } },
			"a=x+y%26z&list=1&list=2&deep%5Bin%5D=%C3%A9",
			"application/x-www-form-urlencoded",
		],
		[{ kind: "text", text: "hé" }, "hé", "text/plain;charset=UTF-8"],
		[{ kind: "text", text: "a,b", contentType: "text/csv" }, "a,b", "text/csv"],
		[{ kind: "base64", data: "aGk=\n" }, "hi", "application/octet-stream"],
		[{ kind: "base64", data: "aGk", contentType: "image/png" }, "hi", "image/png"],
	];
	for (const [body, bytes, type] of bodies) {
		test(`writes a ${body.kind} body as ${type}, which a header can override`, async () => {
			const request = await sendRequest({ body });
			assert.equal(request.body.toString("utf8"), bytes);
			assert.equal(request.headers["content-type"], type);
			const own = await sendRequest({ body, headers: { "Content-Type": "application/own" } });
			assert.equal(own.headers["content-type"], "application/own");
		});
	}

	test("writes binary bodies", async () => {
		const bytes = Buffer.from([0, 255, 254, 128, 10, 13]);
		const request = await sendRequest({ body: { kind: "base64", data: bytes.toString("base64") } });
		assert.deepEqual(request.body, bytes);
	});

	test("writes a multipart body that parsers accept", async () => {
		const bytes = Buffer.from([0, 1, 255]);
		const request = await sendRequest({
			body: {
				kind: "multipart",
				parts: [
					{ name: "title", text: "hé\r\nllo" },
					{ name: 'a"b\r\nX-Evil: 1', text: "v", filename: 'f"\r\n.txt', contentType: "text/plain" },
					{ name: "file", base64: bytes.toString("base64"), filename: "x.bin" },
				],
			},
		});
		const type = request.headers["content-type"] ?? "";
		const form = await new Response(new Uint8Array(request.body), {
			headers: { "content-type": type },
		}).formData();
		assert.equal(form.get("title"), "hé\r\nllo");
		assert.ok(request.body.toString().includes('name="a%22b%0D%0AX-Evil: 1"; filename="f%22%0D%0A.txt"\r\n'));
		const file = form.get("file");
		assert.ok(file instanceof File);
		assert.equal(file.name, "x.bin");
		assert.equal(file.type, "application/octet-stream");
		assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes);
	});

	test("uses a new boundary for each multipart body, also with the caller's content type", async () => {
		const body: OutboundBody = { kind: "multipart", parts: [{ name: "a", text: "1" }] };
		const headers = { "content-type": "multipart/related" };
		const [one, other] = await Promise.all([sendRequest({ body, headers }), sendRequest({ body, headers })]);
		assert.match(one.headers["content-type"] ?? "", /^multipart\/related; boundary=tripline-[0-9a-f]{32}$/);
		assert.notEqual(one.headers["content-type"], other.headers["content-type"]);
	});

	const wrong: [string, Partial<OutboundCall>, RegExp][] = [
		["an address that is none", { url: "api.example.com" }, /url must be complete/],
		["another scheme", { url: "file:///etc/passwd" }, /url must be complete/],
		["a user name in the address", { url: "https://me:pw@api.example.com" }, /use a credential/],
		[
			"a body with GET",
			{ method: "GET", body: { kind: "text", text: "x" } },
			/GET request cannot have a body/,
		],
		["a method that tunnels", { method: "CONNECT" }, /method must be/],
		["a method with a line break", { method: "GET /\r\n" }, /method must be/],
		["a line break in a header", { headers: { "x-a": "1\r\nx-b: 2" } }, /header x-a contains a line break/],
		["NUL in a header", { headers: { "x-a": "1\0" } }, /control character/],
		["a header that has no bytes", { headers: { "x-a": "日本" } }, /non-ASCII/],
		["a line break in a header's name", { headers: { "x-a\r\nx-b": "1" } }, /cannot be a header name/],
		["an empty header name", { headers: { "": "1" } }, /cannot be a header name/],
		["the header host", { headers: { Host: "other" } }, /host is set automatically/],
		["the header content-length", { headers: { "Content-Length": "1" } }, /content-length is set/],
		[
			"the header transfer-encoding",
			{ headers: { "Transfer-Encoding": "chunked" } },
			/transfer-encoding is set/,
		],
		["the header connection", { headers: { connection: "x-a" } }, /connection is set/],
		["a header twice", { headers: { "X-A": "1", "x-a": "2" } }, /x-a is set twice/],
		["bad base64", { body: { kind: "base64", data: "%%" } }, /the body is not base64/],
		[
			"bad base64 in a part",
			{ body: { kind: "multipart", parts: [{ name: "a", base64: "%" }] } },
			/part 1 of the multipart body is not base64/,
		],
		[
			"a part with two contents",
			{ body: { kind: "multipart", parts: [{ name: "a", base64: "", text: "" }] } },
			/part 1 .* both text and base64/,
		],
		[
			"a part's type with a line break",
			{ body: { kind: "multipart", parts: [{ name: "a", text: "", contentType: "a\r\nb" }] } },
			/part 1 .* content type/,
		],
		[
			"a multipart body under another type",
			{ body: { kind: "multipart", parts: [] }, headers: { "content-type": "text/plain" } },
			/multipart\/form-data/,
		],
	];
	for (const [what, call, message] of wrong) {
		test(`rejects ${what} and sends nothing`, async () => {
			assert.match(await sendForError(call), message);
		});
	}

	test("reaches only the allowed hosts", async () => {
		assert.equal(
			await sendForError({ hosts: ["example.org", "*.example.org"] }),
			"this call may reach only example.org, *.example.org, not api.example.com",
		);
		for (const hosts of [["*"], ["*.example.com"], ["api.example.com"], ["api.example.com:443"]]) {
			await sendRequest({ hosts });
		}
		for (const hosts of [["*.api.example.com"], ["example.com"], ["api.example.com:8443"], ["{host}"], []]) {
			await sendForError({ hosts });
		}
	});

	test("passes on the call's limits, or the defaults", async () => {
		await using outbound = await openOutbound(() => ({ body: "x".repeat(2 * 1024 * 1024 + 1) }));
		await assert.rejects(
			outbound.http({ method: "GET", url: URL_ }),
			/answered with more than 2097152 bytes/,
		);
		await assert.rejects(
			outbound.http({ method: "GET", url: URL_, maxBytes: 10 }),
			/answered with more than 10 bytes/,
		);
		const answer = await outbound.http({ method: "GET", url: URL_, maxBytes: 3_000_000 });
		assert.equal(answer.body.length, 2 * 1024 * 1024 + 1);
	});

	test("has one time limit for the whole chain", async () => {
		await using outbound = await openOutbound(() => {
			outbound.time.now += 60_000;
			return { status: 302, headers: { location: "/next" } };
		});
		await assert.rejects(
			outbound.http({ method: "GET", url: URL_, timeoutMs: 100_000 }),
			/did not respond within 100000 ms/,
		);
		assert.equal(outbound.seen.length, 2);
	});

	test("rejects with the caller's reason when it is aborted", async () => {
		await using outbound = await openOutbound(() => new Promise(() => {}));
		const stop = new AbortController();
		const reason = new Error("cancelled");
		const call = outbound.http({ method: "GET", url: URL_ }, stop.signal);
		setTimeout(() => stop.abort(reason), 20);
		await assert.rejects(call, (error) => error === reason);
	});

	test("fails with a final error if the port refuses, and a retryable one if it failed", async () => {
		await using outbound = await openOutbound(ok);
		await assert.rejects(outbound.http({ method: "GET", url: "http://169.254.169.254/" }), {
			name: "TerminalError",
			message: "169.254.169.254 is not a public address",
		});
		await outbound[Symbol.asyncDispose]();
		await assert.rejects(outbound.http({ method: "GET", url: URL_ }), { name: "Error" });
	});
});

describe("a call that takes too long to serialise is not sent", () => {
	const tooMuch = /^this takes too long to compute/;
	const text = "x".repeat(1_000_000);
	const values = Array.from({ length: 400_000 }, () => 1);
	const cases: [what: string, call: Partial<OutboundCall>, message: RegExp][] = [
		["values of a query", { query: { a: values } }, tooMuch],
		["fields of a form", { body: { kind: "form", fields: { a: values } } }, tooMuch],
		[
			"headers",
			{ headers: Object.fromEntries(values.slice(0, 60_000).map((_, at) => [`x-${at}`, "1"])) },
			tooMuch,
		],
		[
			"parts of a form",
			{
				body: {
					kind: "multipart",
					parts: Array.from({ length: 100 }, (_, at) => ({ name: `n${at}`, text })),
				},
			},
			tooMuch,
		],
		[
			"one text many times",
			{ body: { kind: "json", value: Array(100).fill(text) } },
			/^the body produces more than 8388608 characters of text$/,
		],
	];
	for (const [what, call, message] of cases)
		test(what, async () => {
			assert.match(await sendForError(call), message);
		});

	test("a megabyte in any of them is sent", async () => {
		assert.equal((await sendRequest({ body: { kind: "json", value: [text, text] } })).body.length, 2_000_007);
		assert.equal((await sendRequest({ body: { kind: "form", fields: { a: text } } })).body.length, 1_000_002);
	});
});
