import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isFileValue } from "@tripline/contract/files";
import { type ApiOperation, WriteApiRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { createRecipeComponents } from "../../src/recipes/component.ts";
import { findApiRecipeProblems } from "../../src/recipes/problems.ts";
import { memoryFiles } from "../memory-files.ts";
import { recipeWith } from "./recipe.ts";
import { runComponent, type Settings } from "./run-component.ts";

const memory = memoryFiles();
const picture = memory.add("logo.png", "image/png", "not really a picture");

const FILE = { type: "object", format: "file" };
const withParams = (operation: Partial<ApiOperation>, names: readonly string[] = []) =>
	recipeWith({
		method: "POST",
		path: "/things",
		params: {
			type: "object",
			properties: { file: FILE, ...Object.fromEntries(names.map((name) => [name, {}])) },
		},
		...operation,
	});

function call(operation: Partial<ApiOperation>, params: JsonObject, settings: Settings = {}) {
	const recipe = withParams(operation, ["a", "b"]);
	const { id: _, ...written } = recipe;
	assert.deepEqual(findApiRecipeProblems({ ...WriteApiRecipe.parse(written), id: "shop" }), []);
	return runComponent(createRecipeComponents(recipe), "shop.do", params, {
		files: memory.files,
		...settings,
	});
}

const readData = async (body: unknown) => {
	const { file } = body as { file: { value: unknown; read(): AsyncIterable<Uint8Array> } };
	const chunks: Uint8Array[] = [];
	for await (const chunk of file.read()) chunks.push(chunk);
	return { value: file.value, text: Buffer.concat(chunks).toString() };
};

describe("an operation with files", () => {
	test("sends a file as its body", async () => {
		const { calls } = await call({ body: { kind: "file", file: "{{params.file}}" } }, { file: picture });
		assert.equal(calls[0]?.body?.kind, "file");
		assert.deepEqual(await readData(calls[0]?.body), { value: picture, text: "not really a picture" });
	});

	test("sends no body without the file", async () => {
		const { calls } = await call({ body: { kind: "file", file: "{{params.file}}" } }, {});
		assert.equal(calls[0]?.body, undefined);
	});

	test("sends parts, and omits those whose parameter is absent", async () => {
		const body: ApiOperation["body"] = {
			kind: "multipart",
			parts: [
				{ name: "meta", json: { a: "{{params.a}}", b: "{{params.b}}" } },
				{ name: "note", text: "{{params.b}}" },
				{ name: "size", text: "{{params.file.size}} bytes", content_type: "text/x-size" },
				{ name: "file", file: "{{params.file}}", filename: "{{params.a}}.png" },
			],
		};
		const { calls } = await call({ body }, { file: picture, a: "x" });
		const sent = calls[0]?.body;
		assert.ok(sent?.kind === "multipart");
		assert.deepEqual(
			sent.parts.map(({ name, text, filename, contentType }) => [name, text, filename, contentType]),
			[
				["meta", '{"a":"x"}', undefined, "application/json"],
				["size", "20 bytes", undefined, "text/x-size"],
				["file", undefined, "x.png", undefined],
			],
		);
		assert.deepEqual((await readData(sent.parts[2])).value, picture);
	});

	test("sends an e-mail with files, and omits fields whose parameter is absent", async () => {
		const email = {
			to: "{{params.a}}",
			cc: "{{params.b}}",
			subject: "About {{params.file.name}}",
			attachments: "{{params.file}}",
		};
		for (const body of [
			{ kind: "email", email, encoding: "base64" },
			{ kind: "multipart", parts: [{ name: "message", email }] },
		] satisfies ApiOperation["body"][]) {
			const { calls } = await call({ body }, { file: picture, a: ["a@example.com", "b@example.com"] });
			const sent = calls[0]?.body;
			const written =
				sent?.kind === "multipart" ? sent.parts[0]?.email : sent?.kind === "email" && sent.email;
			assert.ok(written);
			const { attachments, ...fields } = written;
			assert.deepEqual(fields, { to: ["a@example.com", "b@example.com"], subject: "About logo.png" });
			assert.deepEqual(
				attachments.map(({ value }) => value),
				[picture],
			);
		}
		const body = { kind: "email", email: { attachments: "{{params.a}}" } } as const;
		const { error } = await call({ body }, { a: ["x"] });
		assert.equal(error, "attachment 1 must be a file, but is text");
	});

	test("returns a file that the response holds as base64", async () => {
		const operation = {
			method: "GET",
			response: "file",
			content: "{{data.inner.data}}",
			filename: "{{params.a}}.csv",
		} as const;
		const content = "é;1\n".repeat(200_000);
		const data = Buffer.from(content).toString("base64url");
		const { output, calls } = await call(
			operation,
			{ a: "prices" },
			{ answers: [{ body: { inner: { data } } }] },
		);
		assert.ok(isFileValue(output));
		assert.deepEqual([output.name, output.type], ["prices.csv", "text/csv"]);
		assert.equal(Buffer.from(memory.bytes(output)).toString(), content);
		assert.equal(calls[0]?.sink, undefined);
		for (const inner of [{}, { data: 7 }, { data: "a b" }]) {
			const { error } = await call(operation, { a: "x" }, { answers: [{ body: { inner } }] });
			assert.equal(error, "the response holds no file as base64");
		}
	});

	test("may be redirected to the hosts that it names, and to no others", async () => {
		const { calls } = await call({ method: "GET", redirect_hosts: ["*.files.example.net"] }, {});
		assert.deepEqual(calls[0]?.hosts, ["api.example.com", "*.files.example.net"]);
		const wrong = withParams({ redirect_hosts: ["{host}"] });
		assert.equal(WriteApiRecipe.safeParse({ ...wrong, id: undefined }).success, false);
	});

	test("fails before it is sent if the value is no file, or one that the run may not open", async () => {
		const operation = { body: { kind: "file", file: "{{params.a}}" } } as const;
		const none = await call(operation, { a: "logo.png" });
		assert.deepEqual([none.error, none.calls.length], ["the body must be a file, but is text", 0]);
		const unknown = await call(operation, { a: { ...picture, $file: "A".repeat(22) } });
		assert.deepEqual([unknown.error, unknown.calls.length], ["file not found", 0]);
	});

	test("returns a file, which its output may describe", async () => {
		const operation: Partial<ApiOperation> = {
			method: "GET",
			response: "file",
			filename: "{{params.a}}",
			output: { schema: {}, value: { got: "{{data}}", etag: "{{headers.etag}}" } },
		};
		const answers = [{ headers: { "content-type": "a/b", etag: "7" }, body: "content" }];
		const { output } = await call(operation, { a: "../named.txt" }, { answers });
		const { got, etag } = output as { got: typeof picture; etag: string };
		assert.deepEqual([got.name, got.type, got.size, etag], ["named.txt", "a/b", 7, "7"]);
		assert.equal(Buffer.from(memory.bytes(got)).toString(), "content");
		const { output: unnamed } = await call(operation, {}, { answers });
		assert.equal((unnamed as { got: typeof picture }).got.name, "things");
	});

	test("makes no file of a failed response", async () => {
		const operation: Partial<ApiOperation> = { method: "GET", response: "file", output: { schema: {} } };
		const { error } = await call(operation, {}, { answers: [{ status: 404, body: "gone" }] });
		assert.equal(error, "the response was 404 Not Found: gone");
	});
});

describe("the problems of a recipe with files", () => {
	const wrong: [string, Partial<ApiOperation>, RegExp][] = [
		["a file from HEAD", { method: "HEAD", response: "file" }, /response cannot be file with HEAD/],
		["a name without a file", { filename: "a" }, /filename has no use unless response is file/],
		[
			"an unknown parameter",
			{ body: { kind: "file", file: "{{params.fiel}}" } },
			/body.file the operation has no parameter "fiel". Did you mean "file"/,
		],
		[
			"an unknown parameter of a part",
			{ body: { kind: "multipart", parts: [{ name: "a", file: "{{params.fiel}}" }] } },
			/body.parts.0.file the operation has no parameter "fiel"/,
		],
		[
			"a type with a line break",
			{ body: { kind: "multipart", parts: [{ name: "a", text: "b", content_type: "a/b\r\nx: y" }] } },
			/body.parts.0.content_type must be one line/,
		],
		[
			"a file with GET",
			{ method: "GET", body: { kind: "file", file: "{{params.file}}" } },
			/cannot be sent with GET/,
		],
	];
	for (const [what, operation, message] of wrong) {
		test(`name ${what}`, () => {
			const found = findApiRecipeProblems(withParams(operation));
			assert.match(found.map((problem) => `${problem.path} ${problem.message}`).join("; "), message);
		});
	}

	test("name content without a file", () => {
		const found = findApiRecipeProblems(withParams({ content: "{{data.file}}" }));
		assert.match(JSON.stringify(found), /operations\.do\.content.*has no use unless response is file/);
	});

	test("a part needs exactly one content", () => {
		for (const content of [{}, { text: "a", json: 1 }, { text: "a", file: "{{params.file}}" }]) {
			const body = { kind: "multipart", parts: [{ name: "a", ...content }] } as never;
			const { id: _, ...written } = withParams({ body });
			assert.match(String(WriteApiRecipe.safeParse(written).error), /one of text, json, file and email/);
		}
	});
});
