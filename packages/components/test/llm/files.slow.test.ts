import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { llmChat } from "../../src/llm-chat.ts";
import { buildBodyPieces } from "../../src/outbound/body.ts";
import { joinPieces } from "../../src/outbound/body-pieces.ts";
import type { OutboundCall } from "../../src/outbound/call.ts";
import { memoryFiles } from "../memory-files.ts";
import { runForFailure, runOutbound } from "../outbound-effects.ts";

const store = memoryFiles();
const PNG = Buffer.from("\x89PNG\r\n\x1a\n....", "latin1");
const PDF = Buffer.from("%PDF-1.7 ...");
const image = store.add("a.png", "image/png", PNG);
const disguised = store.add("a.jpg", "image/jpeg", PNG);
const pdf = store.add("a.pdf", "application/octet-stream", PDF);
const audio = store.add("a.mp3", "audio/mpeg", "abc");
const csv = store.add("a.csv", "text/csv; charset=utf-8", "é;1\n");
const json = store.add("a.json", "application/octet-stream", "{}");
const archive = store.add("a.zip", "application/zip", "PK");
const broken = store.add("a.txt", "text/plain", new Uint8Array([0xff, 0xfe, 0xfd]));

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");

const ANSWER = {
	choices: [{ message: { content: "" }, finish_reason: "stop" }],
	content: [],
	candidates: [{ finishReason: "STOP" }],
};

const ask = (provider: string, file: object) => ({
	provider,
	model: "m",
	attempts: 1,
	messages: [{ role: "user", content: [{ type: "file", file }] }],
});

const setting = (seen: unknown[] = []) => ({
	effects: {
		files: store.files,
		http: async (call: OutboundCall) => {
			seen.push(JSON.parse(await writeBody(call)));
			return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(ANSWER)), url: "" };
		},
	},
});

/** The body as it is sent. */
async function writeBody({ body }: OutboundCall): Promise<string> {
	assert.ok(body !== undefined);
	const written = joinPieces(buildBodyPieces(body, {}, new Meter(MAX_NODE_UNITS)));
	if (typeof written === "string") return written;
	assert.ok(!(written instanceof Uint8Array));
	const chunks: Uint8Array[] = [];
	for await (const chunk of written.open()) chunks.push(new Uint8Array(chunk));
	const bytes = Buffer.concat(chunks);
	assert.equal(bytes.length, written.size);
	return bytes.toString();
}

async function send(provider: string, file: object): Promise<unknown> {
	const seen: { messages?: { content: unknown[] }[]; contents?: { parts: unknown[] }[] }[] = [];
	await runOutbound(llmChat, ask(provider, file), setting(seen));
	const [body] = seen;
	return (body?.messages?.[0]?.content ?? body?.contents?.[0]?.parts)?.[0];
}

describe("files for a model", () => {
	test("are sent in each provider's form", async () => {
		for (const file of [image, disguised]) {
			assert.deepEqual(await send("openai", file), {
				type: "image_url",
				image_url: { url: `data:image/png;base64,${base64(PNG)}` },
			});
			assert.deepEqual(await send("anthropic", file), {
				type: "image",
				source: { type: "base64", media_type: "image/png", data: base64(PNG) },
			});
			assert.deepEqual(await send("gemini", file), {
				inlineData: { mimeType: "image/png", data: base64(PNG) },
			});
		}
		assert.deepEqual(await send("openai", pdf), {
			type: "file",
			file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${base64(PDF)}` },
		});
		assert.deepEqual(await send("anthropic", pdf), {
			type: "document",
			title: "a.pdf",
			source: { type: "base64", media_type: "application/pdf", data: base64(PDF) },
		});
		assert.deepEqual(await send("gemini", pdf), {
			inlineData: { mimeType: "application/pdf", data: base64(PDF) },
		});
		assert.deepEqual(await send("openai", audio), {
			type: "input_audio",
			input_audio: { data: base64("abc"), format: "mp3" },
		});
		assert.deepEqual(await send("gemini", audio), {
			inlineData: { mimeType: "audio/mp3", data: base64("abc") },
		});
	});

	test("are texts for every provider if they are texts", async () => {
		for (const [file, text] of [
			[csv, "a.csv:\n\né;1\n"],
			[json, "a.json:\n\n{}"],
		] as const) {
			assert.deepEqual(await send("openai", file), { type: "text", text });
			assert.deepEqual(await send("anthropic", file), { type: "text", text });
			assert.deepEqual(await send("gemini", file), { text });
		}
	});

	test("of other kinds fail with what the provider accepts", async () => {
		const fail = async (provider: string, file: object) => {
			const failure = await runForFailure(llmChat, ask(provider, file), setting());
			assert.ok(failure instanceof TerminalError);
			return failure.message;
		};
		assert.match(
			await fail("anthropic", audio),
			/^a\.mp3 is audio\/mpeg, but with provider anthropic a file must be/,
		);
		for (const provider of ["openai", "anthropic", "gemini"]) {
			assert.match(await fail(provider, archive), /^a\.zip is application\/zip, but with provider/);
			assert.equal(await fail(provider, broken), "a.txt is not a text in UTF-8");
		}
		assert.equal(await fail("openai", { $file: "A".repeat(22) }), "file not found");
	});

	test("have at most 20 MiB together, texts 5 MiB, and are at most 100", async () => {
		const text = store.add("b.txt", "text/plain", "x".repeat(3 * 1024 * 1024));
		const large = store.add("b.pdf", "application/pdf", Buffer.concat([PDF, Buffer.alloc(11 * 1024 * 1024)]));
		const fail = async (file: object, count: number) => {
			const content = Array.from({ length: count }, () => ({ type: "file", file }));
			const messages = Array.from({ length: 2 }, () => ({ role: "user", content }));
			return (await runForFailure(llmChat, { ...ask("openai", file), messages }, setting())).message;
		};
		assert.equal(
			await fail(text, 1),
			"the texts are too large for a model: with b.txt they have more than 5242880 bytes",
		);
		assert.equal(
			await fail(large, 1),
			"the files are too large for a model: with b.pdf they have more than 20971520 bytes",
		);
		assert.equal(await fail(json, 51), "the messages have more than 100 files");
	});

	test("are read while the request is sent, each time that it is", async () => {
		const large = store.add("c.pdf", "application/pdf", Buffer.concat([PDF, Buffer.alloc(7 * 1024 * 1024)]));
		const content = [
			{ type: "file", file: large },
			{ type: "text", text: `file-${"0".repeat(32)}` },
			{ type: "file", file: image },
		];
		const bodies: string[] = [];
		const http = async (call: OutboundCall) => {
			bodies.push(await writeBody(call));
			const status = bodies.length === 1 ? 503 : 200;
			return { status, headers: {}, body: Buffer.from(JSON.stringify(ANSWER)), url: "" };
		};
		const params = { ...ask("openai", image), attempts: 2, messages: [{ role: "user", content }] };
		await runOutbound(llmChat, params, { effects: { files: store.files, http } });
		assert.equal(bodies.length, 2);
		for (const body of bodies) {
			const [pdf, text, picture] = JSON.parse(body).messages[0].content;
			assert.equal(pdf.file.file_data, `data:application/pdf;base64,${base64(store.bytes(large))}`);
			assert.equal(text.text, content[1]?.text);
			assert.equal(picture.image_url.url, `data:image/png;base64,${base64(PNG)}`);
		}
	});

	test("can be results of tools only where the provider takes them", async () => {
		const messages = [
			{ role: "assistant", tool_calls: [{ id: "a", name: "get", arguments: {} }] },
			{ role: "tool", tool_call_id: "a", content: [{ type: "file", file: image }] },
		];
		const params = { model: "m", messages, attempts: 1 };
		const seen: { messages?: { content: { content: unknown[] }[] }[] }[] = [];
		await runOutbound(llmChat, { ...params, provider: "anthropic" }, setting(seen));
		assert.deepEqual(seen[0]?.messages?.[1]?.content[0]?.content, [
			{ type: "image", source: { type: "base64", media_type: "image/png", data: base64(PNG) } },
		]);
		for (const provider of ["openai", "gemini"]) {
			const { message } = await runForFailure(llmChat, { ...params, provider }, setting());
			assert.match(message, /^with this provider a tool's result can only be text/);
		}
	});
});
