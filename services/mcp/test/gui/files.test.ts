import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DeletedAnswer } from "@tripline/contract/entries";
import { FileLink, StoredFile, StoredFileList } from "@tripline/contract/files";
import { ORIGIN, startWorld } from "./world.ts";

const world = await startWorld();
const UNKNOWN = "A".repeat(22);

const upload = (name: string, content: string | Uint8Array<ArrayBuffer>, type = "text/plain", as = "acme") =>
	world.expect(201, StoredFile, "POST", `/gui/files?name=${encodeURIComponent(name)}`, {
		raw: content,
		type,
		as,
	});

describe("files in the console", () => {
	test("are uploaded, listed, read, linked and deleted", async () => {
		const file = await upload("報告.csv", "a,b\n", "text/csv; charset=utf-8");
		assert.deepEqual([file.name, file.type, file.size], ["報告.csv", "text/csv; charset=utf-8", 4]);
		const path = `/gui/files/${file.id}`;
		assert.deepEqual(await world.expect(200, StoredFile, "GET", path), file);
		const { files } = await world.expect(200, StoredFileList, "GET", "/gui/files?limit=1");
		assert.deepEqual(files, [file]);
		const { url } = await world.expect(200, FileLink, "POST", `${path}/link`, { body: { minutes: 5 } });
		assert.ok(url.startsWith(`${ORIGIN}/files/${file.id}/content?`));
		await world.expect(200, DeletedAnswer, "DELETE", path);
		await world.refuse(404, "GET", path);
		await world.refuse(404, "GET", `${path}/content`);
	});

	test("may be larger than other bodies", async () => {
		const { size } = await upload("large.bin", new Uint8Array(3_000_000), "application/zip");
		assert.equal(size, 3_000_000);
	});

	test("have content that no browser takes for a page", async () => {
		const { id } = await upload("page.html", "<script>alert(1)</script>", "text/html");
		const response = await world.answer("GET", `/gui/files/${id}/content`);
		assert.equal(response.status, 200);
		assert.equal(response.headers.get("content-type"), "application/octet-stream");
		assert.equal(response.headers.get("content-disposition"), "attachment");
		assert.equal(response.headers.get("x-content-type-options"), "nosniff");
		assert.match(response.headers.get("content-security-policy") ?? "", /sandbox/);
		assert.equal(await response.text(), "<script>alert(1)</script>");
		const head = await world.answer("HEAD", `/gui/files/${id}/content`);
		assert.deepEqual([head.status, await head.text()], [200, ""]);
	});

	test("of another tenant are not found", async () => {
		const { id } = await upload("plans.txt", "secret");
		const mallory = { as: "mallory" };
		for (const [method, path] of [
			["GET", `/gui/files/${id}`],
			["GET", `/gui/files/${id}/content`],
			["POST", `/gui/files/${id}/link`],
			["DELETE", `/gui/files/${id}`],
		] as const) {
			const refused = await world.refuse(404, method, path, mallory);
			const unknown = await world.refuse(404, method, path.replace(id, UNKNOWN), mallory);
			assert.equal(refused.error, unknown.error);
		}
		assert.deepEqual((await world.expect(200, StoredFileList, "GET", "/gui/files", mallory)).files, []);
		assert.equal((await world.expect(200, StoredFile, "GET", `/gui/files/${id}`)).name, "plans.txt");
	});

	test("need a name, and ids that can be one", async () => {
		await world.refuse(422, "POST", "/gui/files", { raw: "x" });
		await world.refuse(422, "GET", "/gui/files/no-id");
		await world.refuse(422, "GET", "/gui/files?limit=101");
	});

	test("are 503 while the executor is unavailable", async () => {
		await world.runWithout("executor", async () => {
			await world.refuse(503, "GET", "/gui/files");
			await world.refuse(503, "POST", "/gui/files?name=a", { raw: "x" });
		});
	});
});
