import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Miniflare } from "miniflare";
import { startWorker } from "../../../test/workerd.ts";
import { vaultContract } from "./contracts/vault.ts";

describe("the vault's cryptography on Node", () => {
	for (const { name, run } of vaultContract) test(name, () => run(undefined));
});

describe("the vault's cryptography on workerd", () => {
	let miniflare: Miniflare;
	let url: string;

	before(async () => {
		({ miniflare, url } = await startWorker({
			entry: fileURLToPath(new URL("contracts/vault.worker.ts", import.meta.url)),
		}));
	});
	after(() => miniflare.dispose());

	for (const [index, { name }] of vaultContract.entries()) {
		test(name, async () => {
			const response = await fetch(`${url}/${index}`);
			assert.equal(response.status, 200, await response.text());
		});
	}
});
