import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import type { FileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { nodeHttp } from "@tripline/platform/http.node";
import { createTokens } from "../../src/auth/tokens.ts";
import { pickFileName } from "../../src/http-request/file-name.ts";
import { httpRequest } from "../../src/http-request.ts";
import { createOutbound } from "../../src/outbound/create.ts";
import { createPlaceholders } from "../../src/outbound/placeholders.ts";
import { memoryFiles } from "../memory-files.ts";
import { secret, toAuthRecipe } from "../outbound/network.ts";
import { runForFailure, runForOutput, runOutbound } from "../outbound-effects.ts";
import { runForOutput as runNodeForOutput } from "../run-node.ts";

type Answer = (request: IncomingMessage, body: Buffer, response: ServerResponse) => unknown;

const TOKEN = "s3cr3t-token-value";

/** The component's surroundings on Node, with a local server as the outside world and files in memory. */
async function openWorld(answer: Answer) {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		await answer(request, Buffer.concat(chunks), response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const { send, close } = nodeHttp({ allow: parseAllowedHosts("127.0.0.1") });
	const clock = { now: () => Date.now() };
	const recipe = toAuthRecipe("own", {
		type: "bearer",
		fields: [secret("token")],
		hosts: [new URL(url).host],
	});
	const memory = memoryFiles();
	const created: FileValue[] = [];
	const http = createOutbound({
		send,
		clock,
		tokens: createTokens({ clock, sharesPromises: true }),
		placeholders: createPlaceholders(),
		credential: async () => ({ recipe, fields: { token: TOKEN }, key: "k" }),
	});
	const files: typeof memory.files = {
		...memory.files,
		async create(...call) {
			const file = await memory.files.create(...call);
			created.push(file);
			return file;
		},
	};
	return {
		url,
		memory,
		created,
		setting: { effects: { http, files } },
		async [Symbol.asyncDispose]() {
			await close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const bytes = new Uint8Array(randomBytes(300_000));
const readData = (output: Json) => (output as { data: FileValue }).data;

describe("http_request with response: file", () => {
	test("makes a file of the response, with the name and type that it gives", async () => {
		await using world = await openWorld((_request, _body, response) =>
			response
				.writeHead(200, {
					"content-type": "image/png",
					"content-disposition": 'attachment; filename="a b.png"',
				})
				.end(bytes),
		);
		const output = await runForOutput(httpRequest, { url: world.url, response: "file" }, world.setting);
		const file = readData(output);
		assert.deepEqual([file.name, file.type, file.size], ["a b.png", "image/png", bytes.length]);
		assert.deepEqual(new Uint8Array(world.memory.bytes(file)), bytes);
		assert.equal((output as { status: number }).status, 200);
	});

	test("a response larger than fits into memory is a file, and its name can be chosen", async () => {
		const chunk = Buffer.alloc(1_000_000, "x");
		await using world = await openWorld(async (_request, _body, response) => {
			for (let count = 0; count < 9; count++) response.write(chunk);
			response.end();
		});
		const params = { url: `${world.url}/a/b%20c.txt?d=e`, response: "file" };
		const file = readData(await runForOutput(httpRequest, params, world.setting));
		assert.deepEqual([file.name, file.type, file.size], ["b c.txt", "application/octet-stream", 9_000_000]);
		const named = { ...params, filename: "../x/my.txt" };
		assert.equal(readData(await runForOutput(httpRequest, named, world.setting)).name, "my.txt");
	});

	test("a failed status makes no file, and the error shows the start of the response", async () => {
		await using world = await openWorld((_request, _body, response) =>
			response.writeHead(404, { "content-type": "text/plain" }).end("no such report"),
		);
		const failure = await runForFailure(httpRequest, { url: world.url, response: "file" }, world.setting);
		assert.equal(failure.message, "the response was 404 Not Found: no such report");
		assert.ok(failure instanceof TerminalError);
		assert.deepEqual(world.created, []);
	});

	test("a download that breaks off is repeated, and only the complete one becomes a file", async () => {
		let calls = 0;
		await using world = await openWorld((_request, _body, response) => {
			response.writeHead(200, { "content-length": bytes.length });
			if (++calls < 3) response.write(bytes.subarray(0, 100_000), () => response.destroy());
			else response.end(bytes);
		});
		const { output, waits } = await runOutbound(
			httpRequest,
			{ url: world.url, response: "file" },
			world.setting,
		);
		assert.equal(waits.length, 2);
		assert.deepEqual(world.created, [readData(output)]);
		assert.equal(world.created[0]?.size, bytes.length);
	});

	test("a busy service is asked again, and its first answer makes no file", async () => {
		let calls = 0;
		await using world = await openWorld((_request, _body, response) =>
			++calls === 1 ? response.writeHead(503).end("busy") : response.end("here"),
		);
		await runForOutput(httpRequest, { url: world.url, response: "file" }, world.setting);
		assert.deepEqual(
			world.created.map(({ size }) => size),
			[4],
		);
	});

	test("credential values are in neither the file nor its name", async () => {
		await using world = await openWorld((request, _body, response) => {
			const { authorization = "" } = request.headers;
			response.setHeader("content-disposition", `attachment; filename="${authorization.slice(7)}.txt"`);
			for (const part of [...`you sent ${authorization}.`]) response.write(part);
			response.end();
		});
		const setting = { ...world.setting, credential: "mine" };
		const file = readData(await runForOutput(httpRequest, { url: world.url, response: "file" }, setting));
		assert.equal(Buffer.from(world.memory.bytes(file)).toString(), "you sent Bearer [redacted].");
		assert.equal(file.name, "[redacted].txt");
	});

	test("an empty response is an empty file", async () => {
		await using world = await openWorld((_request, _body, response) => response.writeHead(204).end());
		const file = readData(
			await runForOutput(httpRequest, { url: world.url, response: "file" }, world.setting),
		);
		assert.equal(file.size, 0);
	});
});

describe("http_request that sends files", () => {
	test("sends a file as it is, with its type unless the header says otherwise", async () => {
		const seen: unknown[] = [];
		await using world = await openWorld((request, body, response) => {
			const {
				"content-type": type,
				"content-length": length,
				"transfer-encoding": encoding,
			} = request.headers;
			seen.push([type, length, encoding, body.equals(bytes)]);
			response.end();
		});
		const file = world.memory.add("a.png", "image/png", bytes);
		const params = { method: "PUT", url: world.url, file };
		await runForOutput(httpRequest, params, world.setting);
		await runForOutput(httpRequest, { ...params, headers: { "Content-Type": "x/y" } }, world.setting);
		assert.deepEqual(seen, [
			["image/png", "300000", undefined, true],
			["x/y", "300000", undefined, true],
		]);
	});

	test("sends files as parts of a form", async () => {
		let form: FormData | undefined;
		await using world = await openWorld(async (request, body, response) => {
			assert.equal(request.headers["content-length"], String(body.length));
			const headers = { "content-type": request.headers["content-type"] ?? "" };
			form = await new Response(new Uint8Array(body), { headers }).formData();
			response.end();
		});
		const file = world.memory.add("a.png", "image/png", bytes);
		const multipart = [
			{ name: "title", text: "hello" },
			{ name: "one", file },
			{ name: "two", file, filename: "b.bin", content_type: "a/b" },
		];
		await runForOutput(httpRequest, { method: "POST", url: world.url, multipart }, world.setting);
		const [one, two] = [form?.get("one") as File, form?.get("two") as File];
		assert.equal(form?.get("title"), "hello");
		assert.deepEqual([one.name, one.type, two.name, two.type], ["a.png", "image/png", "b.bin", "a/b"]);
		for (const part of [one, two]) assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes);
	});

	test("reads the file again for each attempt", async () => {
		const sizes: number[] = [];
		await using world = await openWorld((_request, body, response) => {
			sizes.push(body.length);
			response.writeHead(sizes.length < 3 ? 503 : 200).end();
		});
		const file = world.memory.add("a.png", "image/png", bytes);
		await runForOutput(httpRequest, { method: "POST", url: world.url, file }, world.setting);
		assert.deepEqual(sizes, [bytes.length, bytes.length, bytes.length]);
	});

	test("a file that the run may not open fails before anything is sent", async () => {
		let calls = 0;
		await using world = await openWorld((_request, _body, response) => {
			calls++;
			response.end();
		});
		const file = { $file: "A".repeat(22), name: "a", type: "a/b", size: 1 };
		const failure = await runForFailure(httpRequest, { method: "PUT", url: world.url, file }, world.setting);
		assert.equal(failure.message, "file not found");
		assert.ok(failure instanceof TerminalError);
		assert.equal(calls, 0);
	});

	test("a run passes a downloaded file on", async () => {
		let sent = 0;
		await using world = await openWorld((request, body, response) => {
			if (request.method === "PUT") sent = body.length;
			response.end(request.method === "GET" ? bytes : undefined);
		});
		const effects = world.setting.effects;
		const got = await runNodeForOutput("http_request", { url: world.url, response: "file" }, { effects });
		await runNodeForOutput(
			"http_request",
			{ method: "PUT", url: world.url, file: "{{input.got.data}}" },
			{ effects, input: { got } },
		);
		assert.equal(sent, bytes.length);
	});
});

describe("parameters of http_request with files", () => {
	const file = { $file: "A".repeat(22), name: "a", type: "a/b", size: 1 };
	const base = { url: "https://example.com/" };
	const wrong: [string, object, RegExp][] = [
		["a file with GET", { file }, /file cannot be sent with GET/],
		["two bodies", { method: "PUT", file, text: "x" }, /cannot be combined/],
		["a value that is no file", { method: "PUT", file: { name: "a" } }, /must be a file/],
		[
			"a part with two contents",
			{ method: "POST", multipart: [{ name: "a", text: "b", file }] },
			/set exactly one/,
		],
		["a name without a file", { filename: "a" }, /set response to file/],
		["a file from HEAD", { method: "HEAD", response: "file" }, /whose response has no body/],
		[
			"pages as a file",
			{ response: "file", paginate: { by: "link" } },
			/must be json or left out to read pages/,
		],
		[
			"a file for every page",
			{ method: "POST", file, paginate: { by: "page", param: "p" } },
			/cannot be sent for every page/,
		],
	];
	for (const [what, params, message] of wrong) {
		test(`${what} is refused`, () => {
			const read = httpRequest.params.safeParse({ ...base, ...params });
			assert.match(
				read.error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ") ?? "",
				message,
			);
		});
	}
});

describe("the name of a downloaded file", () => {
	const names: [string | undefined, string][] = [
		[undefined, "q.pdf"],
		["attachment", "q.pdf"],
		["attachment; filename=a.txt", "a.txt"],
		['attachment; filename="a; b.txt"', "a; b.txt"],
		['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
		["attachment; filename*=UTF-8''na%C3%AFve%20plan.txt", "naïve plan.txt"],
		["attachment; filename=\"fallback.txt\"; filename*=utf-8'en'%E2%82%AC.txt", "€.txt"],
		["attachment; filename*=ISO-8859-1''%A3.txt", "£.txt"],
		["attachment; filename*=UTF-8''%FF%FF; filename=b.txt", "b.txt"],
		["attachment; filename*=KOI8-R''x; filename=c.txt", "c.txt"],
		['attachment; filename="na\xc3\xafve.txt"', "naïve.txt"],
		['attachment; filename="na\xefve.txt"', "naïve.txt"],
		['attachment; filename="../../etc/passwd"', "passwd"],
		['attachment; filename="C:\\\\temp\\\\a.txt"', "a.txt"],
		['attachment; filename=".."', "file"],
		['attachment; filename=""', "file"],
		["attachment; FileName = x.txt", "x.txt"],
	];
	for (const [header, expected] of names) {
		test(`${header} is ${expected}`, () => {
			const headers: Record<string, string> = header === undefined ? {} : { "content-disposition": header };
			assert.equal(pickFileName({ headers, url: "https://example.com/p/q.pdf?r=s/t.txt" }), expected);
		});
	}

	test("an address without segments gives a default name", () => {
		assert.equal(pickFileName({ headers: {}, url: "https://example.com/" }), "file");
		assert.equal(pickFileName({ headers: {}, url: "https://example.com/a/b%2Fc%00d/" }), "cd");
		assert.equal(pickFileName({ headers: {}, url: "https://example.com/%ff" }), "%ff");
	});
});
