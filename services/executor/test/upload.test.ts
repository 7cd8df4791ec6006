import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import fc from "fast-check";
import { parseMediaType } from "../src/http/bodies/media-type.ts";
import { findFileName, parsePartHead } from "../src/http/bodies/part-head.ts";
import { readFileParts } from "../src/http/bodies/read-files.ts";
import { chooseMaxFilesBytes, Upload } from "../src/http/upload.ts";
import { memoryStoredFiles } from "./memory-stored-files.ts";

const MiB = 1024 * 1024;

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function encode(form: FormData) {
	const response = new Response(form);
	return {
		type: parseMediaType(response.headers.get("content-type") ?? "") ?? assert.fail(),
		bytes: new Uint8Array(await response.arrayBuffer()),
	};
}

const start = (maxBytes = MiB) => {
	const files = memoryStoredFiles();
	const upload = new Upload(files, { namespace: "default" }, { executionId: "run-1", maxBytes });
	return { files, upload };
};

describe("files of a multipart form", () => {
	test("arrive unchanged wherever the body is cut", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.uint8Array({ maxLength: 300 })), { maxLength: 5 }),
				fc.integer({ min: 1, max: 200 }),
				async (sent, size) => {
					const form = new FormData();
					form.append("who", "Ada");
					for (const [name, bytes] of sent) form.append("f", new Blob([bytes.slice()]), `x${name}`);
					const { type, bytes } = await encode(form);
					const { files, upload } = start();
					const fields = await readFileParts(cut(bytes, size), type, {
						maxTextBytes: 100,
						write: (field, file, content) => upload.write(field, file, content),
					});
					assert.deepEqual(fields?.get("who"), ["Ada"]);
					assert.deepEqual(
						[...files.all.values()].map(({ text }) => text),
						sent.map(([, content]) => Buffer.from(content).toString("latin1")),
					);
					assert.deepEqual(
						fields?.get("f") ?? [],
						upload.files.map(({ value }) => value),
					);
				},
			),
			{ numRuns: 100 },
		);
	});

	test("are deleted if what follows fails or has no run", async () => {
		for (const proceed of [
			async () => "answer",
			async () => {
				throw new Error("refused");
			},
		]) {
			const { files, upload } = start();
			await upload.write("f", { name: "a", type: "a/b" }, cut(new Uint8Array(3), 1));
			assert.equal(files.all.size, 1);
			await upload.settle(proceed).catch(() => {});
			assert.equal(files.all.size, 0);
		}
		const { files, upload } = start();
		await upload.write("f", { name: "a", type: "a/b" }, cut(new Uint8Array(3), 1));
		await upload.settle(async () => upload.setRun());
		assert.equal(files.all.size, 1);
	});

	test("are bounded together", async () => {
		const { upload } = start(10);
		const write = (size: number) =>
			upload.write("f", { name: "a", type: "a/b" }, cut(new Uint8Array(size), 3));
		await write(6);
		await write(4);
		await write(0);
		await assert.rejects(write(1), (error) => error instanceof Failed && error.failure.kind === "too_large");
	});

	test("are bounded by the trigger, else by who sends them, and always by the service", () => {
		const settings = { maxFileBytes: 100 * MiB };
		assert.equal(chooseMaxFilesBytes(settings, false, Number.POSITIVE_INFINITY), 10 * MiB);
		assert.equal(chooseMaxFilesBytes(settings, true, undefined), 100 * MiB);
		assert.equal(chooseMaxFilesBytes(settings, false, 50 * MiB), 50 * MiB);
		assert.equal(chooseMaxFilesBytes({ maxFileBytes: MiB }, false, 50 * MiB), MiB);
		assert.equal(chooseMaxFilesBytes({ maxFileBytes: MiB }, false, undefined), MiB);
	});
});

describe("the name of a file", () => {
	const cases: readonly (readonly [string, string | null])[] = [
		['filename="a.txt"', "a.txt"],
		["filename=a.txt", "a.txt"],
		['filename="a%22b%0D%0A.txt"', 'a"b\r\n.txt'],
		['filename="100%25.txt"', "100%25.txt"],
		['filename="C:\\dir\\a.txt"', "C:\\dir\\a.txt"],
		["filename*=UTF-8''%E8%8C%B6%20%22.txt", '茶 ".txt'],
		["filename*=utf-8'en'a.txt", "a.txt"],
		["filename*=ISO-8859-1''caf%E9", "café"],
		["filename=\"x.txt\"; filename*=utf-8''%E8%8C%B6", "茶"],
		['filename="茶.txt"', "茶.txt"],
		['x="1"', null],
	];
	for (const [parameters, name] of cases) {
		test(`in ${parameters} is ${JSON.stringify(name)}`, () => {
			const head = parsePartHead(`content-disposition: form-data; name="a"; ${parameters}`);
			assert.equal(head.filename, name);
		});
	}

	test("of a whole body is in its content disposition, in UTF-8 as it was sent", () => {
		assert.equal(findFileName(null), null);
		assert.equal(findFileName("attachment"), null);
		assert.equal(findFileName('attachment; filename="a.pdf"'), "a.pdf");
		assert.equal(findFileName("attachment;filename*=utf-8''%E8%8C%B6.pdf"), "茶.pdf");
		assert.equal(findFileName(`inline; filename="${Buffer.from("茶").toString("latin1")}"`), "茶");
		assert.equal(findFileName('inline; filename="caf\u00e9"'), "café");
		for (const malformed of ["attachment; filename", 'attachment; filename="a', "attachment; filename*=x"])
			assert.equal(findFileName(malformed), null, malformed);
	});
});
