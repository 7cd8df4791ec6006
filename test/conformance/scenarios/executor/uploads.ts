import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { WrittenCredential } from "@tripline/contract/credentials";
import { AcceptedRun } from "@tripline/contract/executor";
import { FileRecordPage } from "@tripline/contract/file-records";
import { FileValue } from "@tripline/contract/files";
import { type JsonObject, RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { type CallOptions, call, receive, refuse, webhook } from "./public-calls.ts";
import { createWorkflow, echo, fails, getNamedPath, save, trigger } from "./saving.ts";

const MIB = 1_048_576;
const BOUNDARY = "----scenario";

interface Part {
	readonly name: string;
	readonly filename?: string;
	readonly type?: string;
	readonly bytes: string | Buffer;
}

export function buildParts(...parts: readonly Part[]) {
	const chunks = parts.flatMap(({ name, filename, type, bytes }) => [
		`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
		filename === undefined ? "" : `; filename="${filename}"`,
		type === undefined ? "" : `\r\ncontent-type: ${type}`,
		"\r\n\r\n",
		bytes,
		"\r\n",
	]);
	return {
		raw: new Uint8Array(Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((each) => Buffer.from(each)))),
		headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
	};
}

const report = (bytes: string | Buffer = "a,b\n1,2\n"): Part => ({
	name: "report",
	filename: "report.csv",
	type: "text/csv",
	bytes,
});

const pdf = (raw: string, more: Readonly<Record<string, string>> = {}): CallOptions => ({
	raw,
	headers: { "content-type": "application/pdf", ...more },
});

/** The files that the namespace has. */
export async function listFiles(world: World) {
	const query = { owner_id: world.owner };
	return (await world.expect(200, FileRecordPage, "GET", "/files", { query })).files;
}

async function assertNoFiles(world: World): Promise<void> {
	assert.deepEqual(await listFiles(world), []);
}

const withoutId = ({ $file: _, ...rest }: FileValue) => rest;

const files = (name: string, keys: object = {}, more: object = {}) =>
	echo(name, { ...webhook({ accept: ["files"], ...keys }), ...more });

export const uploads: readonly Scenario[] = [
	{
		name: "accept files: a file of a multipart form is a file value in the input, a repeated name is a list",
		cites: [],
		async run(world) {
			await save(world, files("form"));
			const got = (await receive(
				world,
				"form",
				buildParts(
					{ name: "who", bytes: "Ada" },
					report(),
					{ name: "photo", filename: "a.png", type: "image/png", bytes: Buffer.from([137, 80, 78, 71]) },
					{ name: "photo", filename: "b", bytes: "" },
					{ name: "none", filename: "", type: "application/octet-stream", bytes: "" },
					{ name: "fake", bytes: '{"$file":"AAAAAAAAAAAAAAAAAAAAAA"}' },
				),
			)) as JsonObject;
			assert.deepEqual(Object.keys(got), ["who", "report", "photo", "fake"]);
			assert.equal(got.who, "Ada");
			assert.equal(typeof got.fake, "string");
			const value = FileValue.parse(got.report);
			assert.deepEqual(withoutId(value), { name: "report.csv", type: "text/csv", size: 8 });
			const photos = FileValue.array().parse(got.photo);
			assert.deepEqual(photos.map(withoutId), [
				{ name: "a.png", type: "image/png", size: 4 },
				{ name: "b", type: "application/octet-stream", size: 0 },
			]);
			const stored = await listFiles(world);
			assert.deepEqual(
				new Set(stored.map(({ id }) => id)),
				new Set([value.$file, ...photos.map(({ $file }) => $file)]),
			);
			assert.equal(new Set(stored.map(({ execution_id }) => execution_id)).size, 1);
		},
	},
	{
		name: "a file arrives byte for byte, even if it is full of what boundaries begin with",
		cites: [],
		async run(world) {
			await save(world, files("bytes"));
			const contents = ["\r", "\r\n", `\r\n--${BOUNDARY.slice(0, -1)}`].map((text) =>
				Buffer.alloc(MIB, text),
			);
			const parts = contents.map((bytes, index) => ({ name: `f${index}`, filename: "a", bytes }));
			const got = (await receive(world, "bytes", buildParts(...parts))) as JsonObject;
			for (const [index, content] of contents.entries()) {
				const { $file } = FileValue.parse(got[`f${index}`]);
				const response = await fetch(`${world.target.publicUrl}/files/${$file}/content`, {
					headers: { "x-service-api-key": world.owner },
				});
				assert.ok(content.equals(Buffer.from(await response.arrayBuffer())), `file ${index}`);
			}
		},
	},
	{
		name: "names of uploaded files have no folders and no characters that deceive",
		cites: [],
		async run(world) {
			await save(world, files("form"));
			const names = [
				"../../etc/passwd",
				"C:\\Users\\a\\b.txt",
				"..",
				".htaccess",
				"a%0D%0Ab.txt",
				"invoice\u202Efdp.exe",
				`${"x".repeat(300)}.txt`,
				"茶.txt",
				"a%22b",
			];
			const parts = names.map((filename) => ({ name: "f", filename, bytes: "x" }));
			const got = (await receive(world, "form", buildParts(...parts))) as { f: unknown };
			assert.deepEqual(
				FileValue.array()
					.parse(got.f)
					.map(({ name }) => name),
				["passwd", "b.txt", "file", "htaccess", "ab.txt", "invoicefdp.exe", "x".repeat(255), "茶.txt", 'a"b'],
			);
		},
	},
	{
		name: "accept bytes: the body is input.file, named by its content disposition",
		cites: [],
		async run(world) {
			await save(world, echo("raw", webhook({ accept: ["bytes", "json"] })));
			const send = async (options: CallOptions) =>
				withoutId(FileValue.parse(((await receive(world, "raw", options)) as { file: unknown }).file));
			assert.deepEqual(await send(pdf("%PDF-")), { name: "file", type: "application/pdf", size: 5 });
			assert.deepEqual(
				await send(pdf("%PDF-", { "content-disposition": "attachment; filename*=utf-8''%E8%8C%B6.pdf" })),
				{ name: "茶.pdf", type: "application/pdf", size: 5 },
			);
			assert.deepEqual(await send(pdf("%PDF-", { "content-disposition": 'inline; filename="../a.pdf"' })), {
				name: "a.pdf",
				type: "application/pdf",
				size: 5,
			});
			assert.deepEqual(await send({ raw: "a,b", headers: { "content-type": "text/csv" } }), {
				name: "file",
				type: "text/csv",
				size: 3,
			});
			assert.deepEqual(await receive(world, "raw", { body: { x: 1 } }), { x: 1 });
			assert.deepEqual(await receive(world, "raw", pdf("")), {});
		},
	},
	{
		name: "files are 415 where accept does not list them",
		cites: [],
		async run(world) {
			await save(world, echo("form", webhook({ accept: ["form", "json", "text"] })));
			assert.match(await refuse(world, 415, "form", buildParts(report())), /"report" holds a file/);
			assert.match(await refuse(world, 415, "form", pdf("%PDF-")), /application\/pdf is not accepted/);
			await save(world, files("files"));
			assert.match(await refuse(world, 415, "files", pdf("%PDF-")), /send multipart\/form-data$/);
			await assertNoFiles(world);
		},
	},
	{
		name: "the files of a refused request are deleted before the answer",
		cites: [],
		async run(world) {
			const schema = { type: "object", required: ["who"], properties: { who: { type: "string" } } };
			await save(world, files("checked", {}, { options: { input_schema: schema } }));
			await refuse(world, 422, "checked", buildParts(report()));
			await assertNoFiles(world);
			const whole = buildParts(report(), report(), { name: "who", bytes: "Ada" });
			const cut = { ...whole, raw: whole.raw.slice(0, -8) };
			assert.match(await refuse(world, 400, "checked", cut), /without its closing boundary/);
			await assertNoFiles(world);
			const many = buildParts(...Array.from({ length: 101 }, () => report("")));
			assert.match(await refuse(world, 413, "checked", many), /more than 100 files/);
			await assertNoFiles(world);
			const long = buildParts(report(), { name: "who", bytes: "x".repeat(MIB + 1) });
			assert.match(await refuse(world, 413, "checked", long), /no files are larger than 1048576 bytes/);
			await assertNoFiles(world);
			const mislabelled = buildParts(report(), {
				name: "who",
				type: "multipart/mixed; boundary=x",
				bytes: "",
			});
			await refuse(world, 400, "checked", mislabelled);
			await assertNoFiles(world);
		},
	},
	{
		name: "files are at most 10 MiB together, unless the owner sends them or max_bytes says otherwise",
		cites: [],
		async run(world) {
			const half = Buffer.alloc(5 * MIB + 1);
			const large = buildParts(report(half), report(half));
			await save(world, files("form"));
			assert.match(await refuse(world, 413, "form", large), /at most 10485760 bytes together/);
			await assertNoFiles(world);
			const { data } = RunResult.parse((await trigger(world, "form", large)).body);
			assert.equal(FileValue.array().parse((data as { got: JsonObject }).got.report)[1]?.size, half.length);
			await save(world, files("large", { max_bytes: 11 * MIB }));
			await receive(world, "large", large);
			await save(world, files("small", { accept: ["bytes"], max_bytes: 4 }));
			await receive(world, "small", pdf("1234"));
			await refuse(world, 413, "small", pdf("12345"));
		},
	},
	{
		name: "a caller without the credential uploads nothing",
		cites: [],
		async run(world) {
			await world.executor.expect(201, WrittenCredential, "PUT", "/credentials/sender", {
				body: { auth_recipe: "signing_secret", fields: { secret: "t0p-s3cret" } },
			});
			await save(world, files("guarded", { auth: { scheme: "bearer", credential: "sender" } }));
			await refuse(world, 401, "guarded", buildParts(report()));
			await assertNoFiles(world);
			const sent = buildParts(report());
			await receive(world, "guarded", {
				...sent,
				headers: { ...sent.headers, authorization: "Bearer t0p-s3cret" },
			});
			assert.equal((await listFiles(world)).length, 1);
		},
	},
	{
		name: "signed files are verified before they are kept, and are no larger than other bodies",
		cites: [],
		async run(world) {
			await world.executor.expect(201, WrittenCredential, "PUT", "/credentials/signer", {
				body: { auth_recipe: "signing_secret", fields: { secret: "s3cret" } },
			});
			await save(world, files("signed", { signature: { scheme: "github", credential: "signer" } }));
			const sign = ({ raw, headers }: ReturnType<typeof buildParts>) => ({
				raw,
				headers: {
					...headers,
					"x-hub-signature-256": `sha256=${createHmac("sha256", "s3cret").update(raw).digest("hex")}`,
				},
			});
			await refuse(world, 401, "signed", buildParts(report()));
			await refuse(world, 413, "signed", sign(buildParts(report(Buffer.alloc(MIB)))));
			await assertNoFiles(world);
			const got = (await receive(world, "signed", sign(buildParts(report())))) as JsonObject;
			assert.equal(FileValue.parse(got.report).size, 8);
		},
	},
	{
		name: "a repeat with an idempotency key is compared by fields and by names, types and sizes of files",
		cites: [],
		async run(world) {
			await save(world, files("once"));
			const send = (...parts: readonly Part[]) => {
				const { raw, headers } = buildParts(...parts);
				return { raw, headers: { ...headers, "idempotency-key": "k1" } };
			};
			const first = await receive(world, "once", send(report()));
			assert.deepEqual(await receive(world, "once", send(report())), first);
			assert.equal((await listFiles(world)).length, 1);
			await refuse(world, 422, "once", send(report("longer than before")));
			await refuse(world, 422, "once", send({ ...report(), filename: "other.csv" }));
			await refuse(world, 422, "once", send({ ...report(), type: "text/plain" }));
			await refuse(world, 422, "once", send(report(), { name: "who", bytes: "Ada" }));
			assert.equal((await listFiles(world)).length, 1);
		},
	},
	{
		name: "an accepted run keeps its files, and a run that fails too",
		cites: [],
		async run(world) {
			await save(world, files("later"));
			const { raw, headers } = buildParts(report());
			const answer = await call(world, "later", { raw, headers: { ...headers, prefer: "respond-async" } });
			assert.equal(answer.status, 202);
			const { execution_id } = AcceptedRun.parse(answer.body);
			await eventually(async () => {
				const { body } = await world.executor.call("GET", `/executions/${execution_id}`);
				assert.equal((body as { status?: string }).status, "success");
			});
			await save(world, fails("failing", "no", webhook({ accept: ["files"] })));
			assert.equal((await call(world, "failing", { raw, headers })).status, 500);
			assert.equal((await listFiles(world)).length, 2);
		},
	},
	{
		name: "an owner's JSON call may name a file of the namespace",
		cites: [],
		async run(world) {
			await save(world, files("first"));
			const { report: file } = (await receive(world, "first", buildParts(report()))) as JsonObject;
			await save(
				world,
				createWorkflow(
					"second",
					{ component: "set", values: { size: "{{input.report.size}}" } },
					{
						options: {
							input_schema: {
								type: "object",
								required: ["report"],
								properties: { report: { type: "object", format: "file", contentMediaType: "text/csv" } },
							},
						},
					},
				),
			);
			const path = getNamedPath("second", "trigger");
			const body = { report: file };
			const { data } = await world.executor.expect(200, RunResult, "POST", path, { body });
			assert.deepEqual(data, { size: 8 });
			const { issues } = await world.executor.refuse(422, "POST", path, { body: { report: { name: "x" } } });
			assert.deepEqual(issues, [{ path: "report", message: "must be a file" }]);
		},
	},
];
