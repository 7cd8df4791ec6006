import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { FileLink, StoredFile, StoredFileList } from "@tripline/contract/files";
import type { Scenario, World } from "../../scenario.ts";
import { otherTenant } from "./saving.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 10, 10, 12);
const HOUR = 60 * 60_000;

interface Upload {
	readonly name?: string;
	readonly type?: string;
}

/** Uploads a file with the tenant's credential. */
export const upload = (
	world: World,
	content: string | Uint8Array<ArrayBuffer>,
	{ name = "a.txt", type = "text/plain" }: Upload = {},
) =>
	world.executor.expect(201, StoredFile.strict(), "POST", "/files", {
		query: { name },
		raw: content,
		headers: { "content-type": type },
	});

export const toValue = ({ id, name, type, size }: Awaited<ReturnType<typeof upload>>) => ({
	$file: id,
	name,
	type,
	size,
});

const download = (world: World, id: string, headers: Record<string, string> = {}) =>
	world.executor.call("GET", `/files/${id}/content`, { headers });

export async function isThere(world: World, id: string): Promise<boolean> {
	return (await world.executor.call("GET", `/files/${id}`)).status === 200;
}

const link = (world: World, id: string, body: object = {}) =>
	world.executor.expect(200, FileLink.strict(), "POST", `/files/${id}/link`, { body });

/** Follows a link without any credential. */
export async function follow(url: string, change: (url: URL) => void = () => {}) {
	const changed = new URL(url);
	change(changed);
	const response = await fetch(changed, { redirect: "manual" });
	return { status: response.status, headers: response.headers, text: await response.text() };
}

const change = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);

export const files: readonly Scenario[] = [
	{
		name: "a file is uploaded, described, downloaded and deleted",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const file = await upload(world, "a,b\r\n1,2\r\n", { name: "prices.csv", type: "text/csv" });
			assert.deepEqual(file, {
				id: file.id,
				name: "prices.csv",
				type: "text/csv",
				size: 10,
				kept_as: null,
				execution_id: null,
				created_at: new Date(NOON).toISOString(),
				expires_at: new Date(NOON + 24 * HOUR).toISOString(),
			});
			const described = await world.executor.expect(200, StoredFile.strict(), "GET", `/files/${file.id}`);
			assert.deepEqual(described, file);
			const answer = await download(world, file.id);
			assert.deepEqual([answer.status, answer.body], [200, "a,b\r\n1,2\r\n"]);
			assert.equal(answer.headers.get("content-type"), "text/csv");
			assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="prices.csv"');
			assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
			assert.equal(answer.headers.get("content-security-policy"), "sandbox; default-src 'none'");
			await world.executor.expect(200, DeletedAnswer, "DELETE", `/files/${file.id}`);
			await world.executor.refuse(404, "DELETE", `/files/${file.id}`);
			await world.executor.refuse(404, "GET", `/files/${file.id}`);
			await world.executor.refuse(404, "GET", `/files/${file.id}/content`);
		},
	},
	{
		name: "an empty file, and one without a name or type",
		cites: [],
		async run(world) {
			const { id, name, type, size } = await world.executor.expect(201, StoredFile, "POST", "/files", {
				headers: { "content-type": "not a type" },
			});
			assert.deepEqual([name, type, size], ["file", "application/octet-stream", 0]);
			const answer = await download(world, id);
			assert.deepEqual([answer.status, answer.body], [200, ""]);
		},
	},
	{
		name: "a name is a name and never a path or a header",
		cites: [],
		async run(world) {
			const cases: [string, string, string][] = [
				["../../etc/passwd", "passwd", 'attachment; filename="passwd"'],
				["C:\\Users\\me\\a.txt", "a.txt", 'attachment; filename="a.txt"'],
				["a\r\nset-cookie: x=y", "aset-cookie: x=y", 'attachment; filename="aset-cookie: x=y"'],
				['a".html', 'a".html', "attachment; filename=\"a_.html\"; filename*=UTF-8''a%22.html"],
				[
					"價格 (1).csv",
					"價格 (1).csv",
					`attachment; filename="__ (1).csv"; filename*=UTF-8''%E5%83%B9%E6%A0%BC%20%281%29.csv`,
				],
				["\u202Egpj.exe", "gpj.exe", 'attachment; filename="gpj.exe"'],
				["..", "file", 'attachment; filename="file"'],
			];
			for (const [given, expected, header] of cases) {
				const { id, name } = await upload(world, "x", { name: given });
				assert.equal(name, expected);
				const { headers } = await download(world, id);
				assert.equal(headers.get("content-disposition"), header);
				assert.equal(headers.get("set-cookie"), null);
			}
		},
	},
	{
		name: "a page or an image with scripts is only ever saved, and stays in a sandbox",
		cites: [],
		async run(world) {
			for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml"]) {
				const { id } = await upload(world, "<script>alert(1)</script>", { name: "x.html", type });
				const { headers } = await download(world, id);
				assert.equal(headers.get("content-type"), type);
				assert.match(headers.get("content-disposition") ?? "", /^attachment;/);
				assert.equal(headers.get("content-security-policy"), "sandbox; default-src 'none'");
				assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
			}
		},
	},
	{
		name: "parts of a file, its head and its tag can be asked for",
		cites: [],
		async run(world) {
			const { id } = await upload(world, "0123456789");
			const ranges: [string, number, unknown, string | null][] = [
				["bytes=2-4", 206, "234", "bytes 2-4/10"],
				["bytes=7-", 206, "789", "bytes 7-9/10"],
				["bytes=-3", 206, "789", "bytes 7-9/10"],
				["bytes=0-99", 206, "0123456789", "bytes 0-9/10"],
				["bytes=-99", 206, "0123456789", "bytes 0-9/10"],
				["bytes=4-2", 200, "0123456789", null],
				["bytes=0-1,3-4", 200, "0123456789", null],
				["lines=1-2", 200, "0123456789", null],
				["bytes=10-", 416, { error: "the file has 10 bytes" }, "bytes */10"],
				["bytes=-0", 416, { error: "the file has 10 bytes" }, "bytes */10"],
			];
			for (const [range, status, body, contentRange] of ranges) {
				const answer = await download(world, id, { range });
				assert.deepEqual([answer.status, answer.body], [status, body], range);
				assert.equal(answer.headers.get("content-range"), contentRange);
			}
			const etag = `"${id}"`;
			const whole = await download(world, id, { range: "bytes=2-4", "if-range": '"other"' });
			assert.deepEqual([whole.status, whole.headers.get("etag")], [200, etag]);
			const part = await download(world, id, { range: "bytes=2-4", "if-range": etag });
			assert.equal(part.status, 206);
			assert.equal((await download(world, id, { "if-none-match": `W/"x", ${etag}` })).status, 304);
			const head = await world.executor.call("HEAD", `/files/${id}/content`);
			assert.deepEqual([head.status, head.body, head.headers.get("etag")], [200, "", etag]);
		},
	},
	{
		name: "files are listed newest first, page by page",
		cites: [],
		async run(world) {
			const ids: string[] = [];
			for (const content of ["1", "2", "3"]) ids.unshift((await upload(world, content)).id);
			const list = (query: object) =>
				world.executor.expect(200, StoredFileList.strict(), "GET", "/files", { query: { ...query } });
			const first = await list({ limit: 2 });
			const second = await list({ limit: 2, cursor: first.next_cursor });
			assert.deepEqual(
				[...first.files, ...second.files].map(({ id }) => id),
				ids,
			);
			assert.equal(second.next_cursor, null);
			assert.deepEqual(await list({ kept: "true" }), { files: [], next_cursor: null });
			await world.executor.refuse(422, "GET", "/files", { query: { cursor: "?" } });
		},
	},
	{
		name: "a file of another tenant, and one that nobody has, is not found",
		cites: [],
		async run(world) {
			const { id } = await upload(world, "x");
			const headers = otherTenant(world);
			for (const path of [`/files/${id}`, `/files/${id}/content`])
				assert.deepEqual((await world.executor.call("GET", path, { headers })).body, {
					error: "file not found",
				});
			assert.equal(
				(await world.executor.call("POST", `/files/${id}/link`, { body: {}, headers })).status,
				404,
			);
			assert.equal((await world.executor.call("DELETE", `/files/${id}`, { headers })).status, 404);
			for (const guess of [
				`${id.slice(0, -1)}${id.endsWith("A") ? "B" : "A"}`,
				"..",
				"a",
				"%2e%2e%2f",
				`${id}%00`,
			])
				assert.equal((await world.executor.call("GET", `/files/${guess}/content`)).status, 404, guess);
			for (const path of ["/files", `/files/${id}`, `/files/${id}/content`])
				assert.equal((await world.anyone.call("GET", path)).status, 401);
			assert.equal((await world.anyone.call("POST", "/files", { raw: "x" })).status, 401);
			assert.equal(await isThere(world, id), true);
		},
	},
	{
		name: "a link needs no credential and ends; whatever is wrong with it, the answer is the same",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const [file, other] = [await upload(world, "secret"), await upload(world, "other")];
			const made = await link(world, file.id);
			assert.equal(made.expires_at, new Date(NOON + 10 * 60_000).toISOString());
			const answer = await follow(made.url);
			assert.deepEqual([answer.status, answer.text], [200, "secret"]);
			assert.match(answer.headers.get("content-disposition") ?? "", /^attachment;/);
			assert.equal(answer.headers.get("content-security-policy"), "sandbox; default-src 'none'");
			const { searchParams } = new URL(made.url);
			const signature = searchParams.get("signature") ?? "";
			const later = String(Number(searchParams.get("expires")) + 1);
			const changes: ((url: URL) => void)[] = [
				change("expires", later),
				change("expires", `0${searchParams.get("expires")}`),
				change("expires", ""),
				change("signature", ""),
				change("signature", `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`),
				change("signature", "A".repeat(100_000 % 4096)),
				(url) => url.searchParams.delete("signature"),
				(url) => url.searchParams.delete("expires"),
				(url) => {
					url.pathname = `/files/${other.id}/content`;
				},
			];
			const refused = { error: "file not found" };
			for (const each of changes) {
				const { status, text } = await follow(made.url, each);
				assert.deepEqual([status, JSON.parse(text)], [404, refused]);
			}
			await world.target.setNow(NOON + 10 * 60_000);
			const { status, text } = await follow(made.url);
			assert.deepEqual([status, JSON.parse(text)], [404, refused]);
		},
	},
	{
		name: "a link lives as long as asked for, but no longer than its file",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { id } = await upload(world, "x");
			const made = await link(world, id, { minutes: 1440 });
			await world.target.setNow(NOON + 23 * HOUR);
			assert.equal((await follow(made.url)).status, 200);
			await world.executor.expect(200, DeletedAnswer, "DELETE", `/files/${id}`);
			assert.equal((await follow(made.url)).status, 404);
			const again = await upload(world, "y");
			for (const minutes of [0, 1441, 1.5, "x"])
				await world.executor.refuse(422, "POST", `/files/${again.id}/link`, { body: { minutes } });
		},
	},
	{
		name: "a file that is not kept expires after FILE_RETENTION_HOURS and is swept",
		cites: [],
		async run(world) {
			await withSettings(world, { FILE_RETENTION_HOURS: "2" }, async () => {
				await world.target.setNow(NOON);
				const { id } = await upload(world, "x");
				await world.target.setNow(NOON + 2 * HOUR - 1);
				await world.target.tick();
				assert.equal((await download(world, id)).body, "x");
				await world.target.setNow(NOON + 2 * HOUR);
				assert.equal((await download(world, id)).status, 404);
				await world.target.tick();
				assert.equal(await isThere(world, id), false);
			});
		},
	},
	{
		name: "a file that is too large is refused, and nothing of it remains",
		cites: [],
		async run(world) {
			await withSettings(world, { MAX_FILE_BYTES: "1000" }, async () => {
				assert.equal((await upload(world, "x".repeat(1000))).size, 1000);
				const { error } = await world.executor.refuse(413, "POST", "/files", { raw: "x".repeat(1001) });
				assert.match(error, /larger than 1000 bytes/);
				const { files: left } = await world.executor.expect(200, StoredFileList, "GET", "/files");
				assert.equal(left.length, 1);
			});
		},
	},
	{
		name: "a namespace's files have a size together, and deleting one makes room",
		cites: [],
		async run(world) {
			await withSettings(world, { MAX_FILES_BYTES: "1048576" }, async () => {
				const half = "x".repeat(600_000);
				const first = await upload(world, half);
				const { error } = await world.executor.refuse(413, "POST", "/files", { raw: half });
				assert.match(error, /larger than 1048576 bytes together/);
				await upload(world, "x".repeat(400_000));
				const other = { "x-service-api-key": `${world.owner}-x` };
				const elsewhere = await world.executor.call("POST", "/files", { raw: half, headers: other });
				assert.equal(elsewhere.status, 201);
				await world.executor.expect(200, DeletedAnswer, "DELETE", `/files/${first.id}`);
				await upload(world, half);
			});
		},
	},
];
