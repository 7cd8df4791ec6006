import assert from "node:assert/strict";
import { test } from "node:test";
import { FILE_ID_BYTES } from "@tripline/contract/files";
import { randomToken } from "@tripline/contract/ids";
import { createMasterKeyText } from "@tripline/platform/master-key";
import fc from "fast-check";
import { manualClock } from "../../../packages/platform/test/contracts/contract.ts";
import { fileLinks } from "../src/files/links.ts";
import { signatures } from "../src/vault/signatures.ts";
import { createKeys } from "./vault-fixture.ts";

const MINUTE = 60_000;

function openLinks(...keys: string[]) {
	const clock = manualClock();
	return { clock, links: fileLinks({ vault: signatures(createKeys(...keys)), clock }) };
}

const read = (url: string) => {
	const { pathname, searchParams } = new URL(url);
	const get = (name: string) => searchParams.get(name) ?? "";
	return [pathname.split("/")[2] ?? "", get("expires"), get("signature")] as const;
};

test("a link is valid until its time, and only for its file", async () => {
	const { clock, links } = openLinks(createMasterKeyText());
	const id = randomToken(FILE_ID_BYTES);
	const { url, expires_at } = await links.create("https://x.example/base", id, 10);
	assert.ok(url.startsWith(`https://x.example/base/files/${id}/content?`));
	const [, expires, signature] = read(`https://x.example/files/${id}/content?${url.split("?")[1]}`);
	assert.equal(Date.parse(expires_at), Number(expires) * 1000);
	assert.equal(await links.verify(id, expires, signature), true);
	assert.equal(await links.verify(randomToken(FILE_ID_BYTES), expires, signature), false);
	clock.advance(10 * MINUTE - 1);
	assert.equal(await links.verify(id, expires, signature), true);
	clock.advance(1000);
	assert.equal(await links.verify(id, expires, signature), false);
});

test("no change of a link is valid", async () => {
	const { links } = openLinks(createMasterKeyText());
	const id = randomToken(FILE_ID_BYTES);
	const link = read((await links.create("https://x.example", id, 10)).url);
	await fc.assert(
		fc.asyncProperty(fc.nat(2), fc.nat(60), fc.string({ maxLength: 3 }), async (part, at, text) => {
			const changed = [...link] as [string, string, string];
			const before = changed[part] ?? "";
			changed[part] = before.slice(0, at) + text + before.slice(at + text.length);
			if (changed[part] === before) return;
			assert.equal(await links.verify(...changed), false);
		}),
	);
});

test("a link made under the key before or after a change of keys is valid, and under another it is not", async () => {
	const [before, after] = [createMasterKeyText(), createMasterKeyText()];
	const id = randomToken(FILE_ID_BYTES);
	for (const key of [before, after]) {
		const link = read((await openLinks(key).links.create("https://x.example", id, 10)).url);
		assert.equal(await openLinks(before, after).links.verify(...link), true);
		assert.equal(await openLinks(createMasterKeyText()).links.verify(...link), false);
	}
});

test("a signature of one purpose is none of another", async () => {
	const signed = signatures(createKeys(createMasterKeyText()));
	const signature = await signed.sign("file link", "text");
	assert.equal(await signed.verify("file link", "text", signature), true);
	assert.equal(await signed.verify("other", "text", signature), false);
	assert.equal(await signed.verify("file link", "other", signature), false);
});
