import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import type { OutboundCall, OutboundHead, OutboundSink } from "../../src/outbound/call.ts";
import { FAKE_CALL, memoryFiles } from "../memory-files.ts";
import { checkSigV4 } from "../seeds/sigv4.ts";
import { type Answers, open, openOutbound, type Stored, secret, toAuthRecipe } from "./network.ts";

const BYTES = crypto.getRandomValues(new Uint8Array(3_456));
const URL_ = "https://api.example.com/items";
const ok: Answers = () => ({ body: "ok" });

async function openTestFile() {
	const memory = memoryFiles();
	const value = memory.add("pict ü.png", "image/png", BYTES);
	return memory.files.open(value, FAKE_CALL);
}

describe("a file in an outbound call", () => {
	test("is sent as the body, with its type unless there is a content-type header", async () => {
		await using outbound = await openOutbound(ok);
		const body = { kind: "file", file: await openTestFile() } as const;
		await outbound.http({ method: "PUT", url: URL_, body });
		await outbound.http({ method: "PUT", url: URL_, body, headers: { "Content-Type": "x/y" } });
		assert.deepEqual(
			outbound.seen.map(({ headers }) => headers["content-type"]),
			["image/png", "x/y"],
		);
		for (const seen of outbound.seen) assert.deepEqual(seen.body, Buffer.from(BYTES));
	});

	test("is sent as a part of a form, with its name and type unless they are given", async () => {
		await using outbound = await openOutbound(ok);
		const file = await openTestFile();
		await outbound.http({
			method: "POST",
			url: URL_,
			body: {
				kind: "multipart",
				parts: [
					{ name: "title", text: "hello" },
					{ name: "one", file },
					{ name: "two", file, filename: 'a".bin', contentType: "a/b" },
				],
			},
		});
		const [seen] = outbound.seen;
		const headers = { "content-type": seen?.headers["content-type"] ?? "" };
		const form = await new Response(new Uint8Array(seen?.body ?? []), { headers }).formData();
		assert.equal(form.get("title"), "hello");
		for (const [name, filename, type] of [
			["one", "pict ü.png", "image/png"],
			["two", 'a".bin', "a/b"],
		] as const) {
			const part = form.get(name) as File;
			assert.deepEqual([part.name, part.type], [filename, type]);
			assert.deepEqual(new Uint8Array(await part.arrayBuffer()), BYTES);
		}
	});

	test("a part has one content", async () => {
		await using outbound = await openOutbound(ok);
		const parts = [{ name: "a", text: "x", file: await openTestFile() }];
		await assert.rejects(outbound.http({ method: "POST", url: URL_, body: { kind: "multipart", parts } }), {
			message: "part 1 of the multipart body has both text and file: leave one out",
		});
	});

	test("is read again for 307 and 308, and not sent after 303", async () => {
		for (const [status, expected] of [
			[307, BYTES.length],
			[308, BYTES.length],
			[303, 0],
		] as const) {
			await using outbound = await openOutbound(({ url }) =>
				url.endsWith("/items") ? { status, headers: { location: "/moved" } } : {},
			);
			await outbound.http({ method: "PUT", url: URL_, body: { kind: "file", file: await openTestFile() } });
			assert.deepEqual(
				outbound.seen.map(({ body }) => body.length),
				[BYTES.length, expected],
			);
		}
	});

	test("is signed for S3: over https as an unsigned payload, over http with its hash", async () => {
		const fields = {
			host: "s3.example.com",
			region: "eu-central-1",
			access_key_id: "KEYID",
			secret_access_key: "s3cret-access-key",
		};
		for (const [url, hash] of [
			["https://127.0.0.1/bucket/pict%20%C3%BC.png", "UNSIGNED-PAYLOAD"],
			["http://127.0.0.1/bucket/pict%20%C3%BC.png", createHash("sha256").update(BYTES).digest("hex")],
		] as const) {
			const recipe = toAuthRecipe("s3", {
				type: "aws_sigv4",
				fields: [...["host", "region", "access_key_id"].map(open), secret("secret_access_key")],
				hosts: ["127.0.0.1"],
				inject: { service: "s3" },
			});
			await using outbound = await openOutbound(ok, { mine: { recipe, fields } });
			const file = await openTestFile();
			await outbound.http({ method: "PUT", url, credential: "mine", body: { kind: "file", file } });
			const [seen] = outbound.seen;
			assert.ok(seen);
			assert.equal(seen.headers["x-amz-content-sha256"], hash);
			const headers = seen.headers as Record<string, string>;
			checkSigV4({ method: seen.method, url: seen.url, headers, body: seen.body }, fields);
			assert.deepEqual(seen.body, Buffer.from(BYTES));
		}
	});
});

const recipe = toAuthRecipe("bearer", {
	type: "bearer",
	fields: [secret("token")],
	hosts: ["api.example.com"],
});
const TOKEN = "s3cr3t/t0k+en";
const credentials: Record<string, Stored> = { mine: { recipe, fields: { token: TOKEN } } };

/** Keeps what it is given, as files are kept. */
function memorySink(accepts = (status: number) => status < 300) {
	const taken: { head: OutboundHead; text: string }[] = [];
	const sink: OutboundSink = {
		accepts,
		async take(head, content) {
			const chunks: Uint8Array[] = [];
			for await (const chunk of content) chunks.push(new Uint8Array(chunk));
			taken.push({ head, text: Buffer.concat(chunks).toString("utf8") });
		},
	};
	return { sink, taken };
}

describe("a response that a sink takes", () => {
	const call: OutboundCall = { method: "GET", url: URL_, credential: "mine" };

	test("goes to the sink with its head, and the answer holds no body", async () => {
		await using outbound = await openOutbound(() => ({
			headers: { "x-a": "1" },
			body: "x".repeat(5_000_000),
		}));
		const { sink, taken } = memorySink();
		const answer = await outbound.http({ method: "GET", url: URL_, sink });
		assert.equal(answer.body.length, 0);
		assert.equal(taken[0]?.text, "x".repeat(5_000_000));
		assert.deepEqual(
			[taken[0]?.head.status, taken[0]?.head.headers["x-a"], taken[0]?.head.url],
			[200, "1", URL_],
		);
	});

	test("contains no value of a credential, wherever its chunks end", async () => {
		const before = "é".repeat(400_000);
		const body = `${before}${TOKEN}, ${encodeURIComponent(TOKEN)}, ${Buffer.from(TOKEN).toString("base64url")}.${before}`;
		await using outbound = await openOutbound(() => ({ headers: { "x-a": TOKEN }, body }), credentials);
		const { sink, taken } = memorySink();
		await outbound.http({ ...call, url: `${URL_}?x=1`, sink });
		assert.equal(taken[0]?.text.replaceAll(before, "…"), "…[redacted], [redacted], [redacted].…");
		assert.equal(taken[0]?.head.headers["x-a"], "[redacted]");
	});

	test("is not that of a redirect, and not one whose status the sink declines", async () => {
		const { sink, taken } = memorySink((status) => status !== 404);
		await using outbound = await openOutbound(({ url }) =>
			url.endsWith("/items")
				? { status: 302, headers: { location: "/moved" }, body: "moved" }
				: { status: url.endsWith("/gone") ? 404 : 200, body: "here" },
		);
		await outbound.http({ method: "GET", url: URL_, sink });
		const answer = await outbound.http({ method: "GET", url: "https://api.example.com/gone", sink });
		assert.deepEqual(
			taken.map(({ text, head }) => [text, head.url]),
			[["here", "https://api.example.com/moved"]],
		);
		assert.equal(new TextDecoder().decode(answer.body), "here");
	});

	test("is not the one that rejects an expired token: the call is repeated with a new one", async () => {
		const oauth = toAuthRecipe("oauth", {
			type: "oauth2_client_credentials",
			fields: [secret("client_id"), secret("client_secret")],
			hosts: ["api.example.com"],
			inject: { token_url: "https://api.example.com/token" },
		});
		let tokens = 0;
		await using outbound = await openOutbound(
			({ url, headers }) => {
				if (url.endsWith("/token"))
					return { body: JSON.stringify({ access_token: `tok-${++tokens}-x`, expires_in: 3600 }) };
				return headers.authorization === "Bearer tok-2-x" ? { body: "here" } : { status: 401, body: "no" };
			},
			{ mine: { recipe: oauth, fields: { client_id: "me-id-1", client_secret: "hush-hush-1" } } },
		);
		const { sink, taken } = memorySink(() => true);
		const file = await openTestFile();
		// The first call gets a token and keeps it; the second one finds it revoked.
		await outbound.http({ ...call }).catch(() => {});
		tokens = 1;
		await outbound.http({ ...call, method: "PUT", body: { kind: "file", file }, sink });
		assert.deepEqual(
			taken.map(({ text }) => text),
			["here"],
		);
		assert.deepEqual(outbound.seen.at(-1)?.body, Buffer.from(BYTES));
	});

	test("that fails in the sink fails the call with that error", async () => {
		await using outbound = await openOutbound(ok, credentials);
		const failing: OutboundSink = {
			accepts: () => true,
			take: () => Promise.reject(new Error(`no room for ${TOKEN}`)),
		};
		await assert.rejects(outbound.http({ ...call, sink: failing }), { message: "no room for [redacted]" });
	});
});
