import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resources } from "../../src/resources/resources.ts";
import { startWorld } from "./world.ts";

const world = await startWorld();
const ONE_MIB = 1024 * 1024;

async function upload(tenant: string, name: string, type: string, content: string | Uint8Array<ArrayBuffer>) {
	const { files } = world.context(tenant).executor;
	const { id } = await files.upload({ name, type }, new Blob([content]).stream());
	return { id, uri: `tripline://files/${id}` };
}

describe("a file as a resource", () => {
	test("is read as text if it is one", async () => {
		const { uri } = await upload("acme", "a.csv", "text/csv", "a,茶\n");
		assert.deepEqual(await resources.read(uri, world.context("acme")), {
			contents: [{ uri, mimeType: "text/csv", text: "a,茶\n" }],
		});
	});

	test("is read as base64 otherwise, also if it only claims to be text", async () => {
		for (const type of ["image/png", "text/plain"]) {
			const { uri } = await upload("acme", "a", type, new Uint8Array([0xff, 0, 1]));
			assert.deepEqual(await resources.read(uri, world.context("acme")), {
				contents: [{ uri, mimeType: type, blob: "/wAB" }],
			});
		}
	});

	test("is cut if it is a long text, and says how to read on", async () => {
		const { uri, id } = await upload("acme", "a.txt", "text/plain", "茶".repeat(200_000));
		const read = await resources.read(uri, world.context("acme"));
		const [content] = read?.contents ?? [];
		assert.ok(content !== undefined && "text" in content);
		assert.ok(content.text.length < 61_000);
		assert.match(
			content.text,
			new RegExp(`of a file of 600000 bytes. Read on: get_file {"id":"${id}","offset":\\d+}`),
		);
	});

	test("is a link if it is too large", async () => {
		const { uri } = await upload("acme", "large.bin", "application/zip", new Uint8Array(ONE_MIB + 1));
		const read = await resources.read(uri, world.context("acme"));
		const [content] = read?.contents ?? [];
		assert.ok(content !== undefined && "text" in content);
		assert.equal(content.mimeType, "text/plain");
		assert.match(content.text, /^large\.bin \(application\/zip, 1048577 bytes\) is too large/);
		assert.match(content.text, /http:\/\/mcp\.example\/files\/\S+signature=/);
	});

	test("of another tenant is not found", async () => {
		const { uri } = await upload("acme", "a.txt", "text/plain", "secret");
		assert.equal(await resources.read(uri, world.context("mallory")), null);
		assert.equal(await resources.read("tripline://files/..%2fworkflows", world.context("acme")), null);
	});

	test("is completed by its id or its name", async () => {
		const { id } = await upload("completing", "Quarterly.xlsx", "application/zip", "x");
		const complete = (value: string, tenant = "completing") =>
			resources.complete("tripline://files/{id}", "id", value, world.context(tenant));
		assert.deepEqual(await complete("quarter"), [id]);
		assert.deepEqual(await complete(id.slice(0, 5)), [id]);
		assert.deepEqual(await complete("quarter", "mallory"), []);
	});
});
