import assert from "node:assert/strict";
import { secretMasterKeys } from "../../src/master-key.secrets.ts";
import { createMasterKeyText, importMasterKey } from "../../src/master-key.ts";
import {
	CannotOpen,
	createKeyBytes,
	importVaultKey,
	readKeyId,
	seal,
	unseal,
	type VaultKey,
} from "../../src/vault.ts";
import type { ContractCase } from "./contract.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (plaintext: Uint8Array) => new TextDecoder().decode(plaintext);
const newKey = (id = "1") => importVaultKey(id, createKeyBytes());
const context = ["tenant", "name", "1"];

async function assertClosed(key: VaultKey, where: readonly string[], envelope: string): Promise<void> {
	await assert.rejects(unseal(key, where, envelope), (error: Error) => {
		assert.ok(error instanceof CannotOpen);
		assert.equal(error.message, "an envelope of the vault cannot be opened");
		assert.equal(error.cause, undefined);
		return true;
	});
}

export const vaultContract: readonly ContractCase<undefined>[] = [
	{
		name: "a sealed text opens with the same key and context",
		async run() {
			const key = await newKey();
			for (const plaintext of ["", "x", "密碼 🔑", "long ".repeat(100_000)]) {
				assert.equal(text(await unseal(key, context, await seal(key, context, bytes(plaintext)))), plaintext);
			}
		},
	},
	{
		name: "an envelope names its format and its key",
		async run() {
			const envelope = await seal(await newKey("key-7"), context, bytes("secret"));
			assert.match(envelope, /^v1\.key-7\.[A-Za-z0-9_-]+$/);
			assert.equal(readKeyId(envelope), "key-7");
			assert.equal(readKeyId("v2.key-7.AAAA"), null);
			assert.equal(readKeyId(""), null);
		},
	},
	{
		name: "the same text never seals to the same envelope",
		async run() {
			const key = await newKey();
			const envelopes = new Set<string>();
			for (let count = 0; count < 200; count++) envelopes.add(await seal(key, context, bytes("same")));
			assert.equal(envelopes.size, 200);
			const nonces = [...envelopes].map((envelope) => envelope.split(".")[2]?.slice(0, 16));
			assert.equal(new Set(nonces).size, 200);
		},
	},
	{
		name: "another context does not open it, however its parts are split",
		async run() {
			const key = await newKey();
			const envelope = await seal(key, ["ab", "c", "1"], bytes("secret"));
			const others = [
				["a", "bc", "1"],
				["ab", "c1"],
				["ab", "c", "1", ""],
				['ab","c', "1"],
				["ab", "c", "2"],
				["AB", "c", "1"],
				[],
			];
			for (const other of others) await assertClosed(key, other, envelope);
		},
	},
	{
		name: "another key does not open it, not even one with the same id",
		async run() {
			const envelope = await seal(await newKey("1"), context, bytes("secret"));
			await assertClosed(await newKey("1"), context, envelope);
			await assertClosed(await newKey("2"), context, envelope);
		},
	},
	{
		name: "a modified envelope does not open",
		async run() {
			const key = await newKey();
			const envelope = await seal(key, context, bytes("secret"));
			const [format, id, sealed = ""] = envelope.split(".");
			for (let at = 0; at < sealed.length; at++) {
				const other = sealed[at] === "A" ? "B" : "A";
				await assertClosed(
					key,
					context,
					`${format}.${id}.${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`,
				);
			}
			for (const broken of [
				"",
				"v1",
				"v1.1.",
				"v1.1.AAAA",
				"v1.1.!",
				`${envelope}A`,
				envelope.slice(0, -2),
			]) {
				await assertClosed(key, context, broken);
			}
			await assertClosed(key, context, envelope.replace("v1.", "v2."));
			await assertClosed({ ...key, id: "2" }, context, envelope.replace("v1.1.", "v1.2."));
		},
	},
	{
		name: "a key cannot be read back, and its bytes are wiped",
		async run() {
			const raw = createKeyBytes();
			const { key } = await importVaultKey("1", raw);
			assert.ok(raw.every((byte) => byte === 0));
			assert.equal(key.extractable, false);
			await assert.rejects(crypto.subtle.exportKey("raw", key));
		},
	},
	{
		name: "a key of another length is rejected",
		async run() {
			for (const length of [0, 16, 24, 31, 33]) {
				await assert.rejects(importVaultKey("1", new Uint8Array(length)), CannotOpen);
			}
		},
	},
	{
		name: "a master key is 32 bytes in base64, and its id is derived from it",
		async run() {
			const written = createMasterKeyText();
			const key = await importMasterKey(`${written}\n`);
			assert.match(key?.id ?? "", /^[0-9a-f]{16}$/);
			assert.equal((await importMasterKey(written))?.id, key?.id);
			assert.notEqual((await importMasterKey(createMasterKeyText()))?.id, key?.id);
			for (const bad of ["", "short", written.slice(4), written + written, "=".repeat(44), "é".repeat(43)]) {
				assert.equal(await importMasterKey(bad), null);
			}
		},
	},
	{
		name: "platform secrets give the master key, and the next one while re-keying",
		async run() {
			const [one, two] = [createMasterKeyText(), createMasterKeyText()];
			const ids = async (secrets: Parameters<typeof secretMasterKeys>[0]) =>
				(await secretMasterKeys(secrets).load()).map(({ id }) => id);
			const readId = async (written: string) => (await importMasterKey(written))?.id;
			assert.deepEqual(await ids({ MASTER_KEY: one }), [await readId(one)]);
			assert.deepEqual(await ids({ MASTER_KEY: one, MASTER_KEY_NEXT: "" }), [await readId(one)]);
			assert.deepEqual(await ids({ MASTER_KEY: one, MASTER_KEY_NEXT: two }), [
				await readId(one),
				await readId(two),
			]);
			await assert.rejects(ids({}), /MASTER_KEY is not set/);
			await assert.rejects(ids({ MASTER_KEY: one, MASTER_KEY_NEXT: "hunter2" }), (error: Error) => {
				assert.match(error.message, /MASTER_KEY_NEXT is not a master key/);
				assert.doesNotMatch(error.message, /hunter2/);
				return true;
			});
		},
	},
];
