import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FileValue, StoredFile } from "@tripline/contract/files";
import { startWorld } from "./world.ts";

const MAX_FILE_BYTES = 2_000_000;
const { cli, place, service } = await startWorld({ MAX_FILE_BYTES: String(MAX_FILE_BYTES) });

const document = (name: string, schema: object | null) =>
	JSON.stringify({
		name,
		description: "Says back what it gets",
		version: "1",
		triplets: ["input >> ON_SUCCESS >> back"],
		config: { back: { component: "set", values: { got: "{{input}}" } } },
		...(schema !== null && { options: { input_schema: schema } }),
	});

const FILE = { type: "object", format: "file" };
const SCHEMA = {
	type: "object",
	required: ["report"],
	properties: {
		report: FILE,
		photos: { type: "array", items: FILE },
		title: { type: "string" },
	},
};

for (const [name, schema] of [
	["with schema", SCHEMA],
	["without schema", null],
] as const) {
	const { code, err } = await cli(["push", "w.json"], { files: { "w.json": document(name, schema) } });
	assert.equal(code, 0, err);
}

const listFiles = async (): Promise<StoredFile[]> =>
	((await cli(["files", "list", "--limit", "1000", "--json"])).json as { files: StoredFile[] }).files;

const getInput = (json: unknown) =>
	(json as { data: { got: Record<string, FileValue | FileValue[]> } }).data.got;

test("run --file-input uploads a file and passes its value", async () => {
	const { code, out, err } = await cli(["run", "with schema", "--file-input", "report=in/report.csv"], {
		files: { "in/report.csv": "a,b\n" },
	});
	assert.equal(code, 0, err);
	const { report } = (JSON.parse(out) as { got: { report: FileValue } }).got;
	assert.deepEqual(report, { $file: report.$file, name: "report.csv", type: "text/csv", size: 4 });
	assert.match(err, /uploading in\/report\.csv\n/);
	assert.match(err, /file: report\.csv {2}text\/csv {2}4 B\n {2}tripline files download (-- )?[\w-]{22}\n/);
});

test("a repeated name is a list, and so is a single file where the schema says so", async () => {
	const files = { "a.png": "1", "b.png": "22" };
	const two = ["--file-input", "x=a.png", "--file-input", "x=b.png"];
	const many = getInput((await cli(["run", "without schema", ...two, "--json"], { files })).json);
	assert.deepEqual(
		(many.x as FileValue[]).map(({ name, size }) => [name, size]),
		[
			["a.png", 1],
			["b.png", 2],
		],
	);
	const flags = ["--file-input", "report=a.png", "--file-input", "photos=b.png", "--input", '{"title":"t"}'];
	const one = getInput((await cli(["run", "with schema", ...flags, "--json"], { files })).json);
	assert.equal((one.photos as FileValue[]).length, 1);
	assert.equal(one.title, "t");
});

test("run --file runs a document with files", async () => {
	const { json, err } = await cli(["run", "--file", "w.json", "--file-input", "report=a.txt", "--json"], {
		files: { "a.txt": "x", "w.json": document("draft", SCHEMA) },
	});
	assert.equal((getInput(json).report as FileValue).name, "a.txt", err);
});

test("wrong file inputs are reported before anything is sent", async () => {
	const before = (await listFiles()).length;
	const at = place();
	mkdirSync(join(at.cwd, "folder"));
	const files = { "a.txt": "x" };
	for (const [argv, code, message] of [
		[["report=none.txt"], 1, /there is no file none\.txt/],
		[["report=folder"], 1, /folder is a folder\n {2}a file is needed there/],
		[["report"], 2, /"report" has no name or no path\n {2}--file-input report=report\.xlsx/],
		[["=a.txt"], 2, /has no name or no path/],
		[
			["reprot=a.txt"],
			1,
			/"reprot" is not in the workflow's input_schema\n {2}did you mean: --file-input report=<path>/,
		],
		[["other=a.txt"], 1, /"other" is not in .*\n {2}it takes files as: report, photos/],
		[["title=a.txt"], 1, /"title" does not take a file\n {2}it takes files as: report, photos/],
		[["report=a.txt", "report=a.txt"], 1, /"report" takes one file, and 2 are given/],
	] as const) {
		const flags = argv.flatMap((each) => ["--file-input", each]);
		const result = await cli(["run", "with schema", ...flags], { at, files });
		assert.equal(result.code, code, result.err);
		assert.match(result.err, message);
	}
	const twice = ["--input", '{"report":1}', "--file-input", "report=a.txt"];
	assert.match(
		(await cli(["run", "with schema", ...twice], { at, files })).err,
		/given by --input and by --file-input/,
	);
	const unknown = await cli(["run", "with shcema", "--file-input", "report=a.txt"], { at, files });
	assert.match(unknown.err, /there is no workflow "with shcema"\n {2}did you mean: tripline run with schema/);
	assert.equal((await listFiles()).length, before);
});

test("a file that is too large is refused, and those sent before it are deleted", async () => {
	const before = (await listFiles()).length;
	const at = place();
	writeFileSync(join(at.cwd, "large.bin"), Buffer.alloc(MAX_FILE_BYTES + 1));
	const flags = ["--file-input", "x=small.txt", "--file-input", "y=large.bin"];
	const { code, err } = await cli(["run", "without schema", ...flags], { at, files: { "small.txt": "x" } });
	assert.equal(code, 1);
	assert.match(err, /large\.bin \(2 MB\) is too large: .*\n {2}MAX_FILE_BYTES of the service/);
	assert.equal((await listFiles()).length, before);
});

test("the files of a refused run are deleted", async () => {
	const before = (await listFiles()).length;
	const files = { "a.txt": "x" };
	const { code } = await cli(["run", "with schema", "--file-input", "photos=a.txt"], { files });
	assert.equal(code, 1);
	assert.equal((await listFiles()).length, before);
});

test("files are uploaded, listed, shown, linked, downloaded and deleted", async () => {
	const at = place();
	const content = Buffer.from(Array.from({ length: 1_500_000 }, (_, nth) => (nth * 31) % 251));
	writeFileSync(join(at.cwd, "data"), content);
	const upload = await cli(
		["files", "upload", "data", "--name", "x/資料.csv", "--type", "text/csv", "--json"],
		{ at },
	);
	const [file] = (upload.json as { files: (StoredFile & { value: FileValue })[] }).files;
	assert.ok(file !== undefined, upload.err);
	assert.deepEqual(file.value, { $file: file.id, name: "資料.csv", type: "text/csv", size: content.length });
	const listed = await cli(["files", "list"]);
	assert.match(listed.out, new RegExp(`${file.id} +1\\.5 MB +text/csv .*資料\\.csv`));
	assert.match(
		(await cli(["files", "show", "--", file.id])).out,
		/name: +資料\.csv\ntype: +text\/csv\nsize: +1\.5 MB \(1500000 bytes\)/,
	);
	const { out: url } = await cli(["files", "link", "--minutes", "5", "--", file.id]);
	const linked = await fetch(url.trim());
	assert.equal(linked.status, 200);
	assert.ok(url.startsWith(service.publicUrl));
	assert.equal(sha256(Buffer.from(await linked.arrayBuffer())), sha256(content));
	const { code, out } = await cli(["files", "download", "--", file.id], { at });
	assert.equal(code, 0);
	assert.equal(out, "資料.csv (1.5 MB)\n");
	assert.equal(sha256(readFileSync(join(at.cwd, "資料.csv"))), sha256(content));
	assert.equal((await cli(["files", "delete", "--", file.id])).code, 0);
	const again = await cli(["files", "delete", "--", file.id]);
	assert.equal(again.code, 1);
	assert.match(again.err, /there is no file .*\n {2}it may have expired/);
	assert.match((await cli(["files", "download", "--", file.id])).err, /there is no file/);
});

test("several files are uploaded at once, with types by their suffixes, and an empty one", async () => {
	const files = { "a.pdf": "1", "B.XLSX": "2", unknown: "", "c.toString": "4" };
	const { json, err } = await cli(["files", "upload", ...Object.keys(files), "--json"], { files });
	assert.deepEqual(
		(json as { files: StoredFile[] }).files.map(({ name, type, size }) => [name, type, size]),
		[
			["a.pdf", "application/pdf", 1],
			["B.XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 1],
			["unknown", "application/octet-stream", 0],
			["c.toString", "application/octet-stream", 1],
		],
		err,
	);
});

test("wrong flags of files are explained", async () => {
	const files = { "a.txt": "x", "b.txt": "x" };
	const id = "A".repeat(22);
	for (const [argv, message] of [
		[["files", "list", "--limit", "0"], /--limit must be 1 to 1000/],
		[["files", "link", id, "--minutes", "1441"], /--minutes must be 1 to 1440/],
		[["files", "upload", "a.txt", "--type", "csv"], /--type must be a media type such as text\/csv/],
		[["files", "upload", "a.txt", "b.txt", "--name", "c"], /--name can be given with one path only/],
	] as const) {
		const { code, err } = await cli(argv, { files });
		assert.equal(code, 2, err);
		assert.match(err, message);
	}
});

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
