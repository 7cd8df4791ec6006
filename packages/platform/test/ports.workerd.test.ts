import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Miniflare } from "miniflare";
import { startWorker } from "../../../test/workerd.ts";
import { backgroundContract } from "./contracts/background.ts";
import { blobsContract } from "./contracts/blobs.ts";
import { cipherContract } from "./contracts/cipher.ts";
import { clockContract } from "./contracts/clock.ts";
import { journalContract } from "./contracts/journal.ts";
import { journalLimitContract } from "./contracts/journal-limit.ts";
import { keptContract } from "./contracts/kept.ts";
import { kvContract } from "./contracts/kv.ts";
import { sqlContract } from "./contracts/sql.ts";

describe("ports on workerd", () => {
	let miniflare: Miniflare;
	let url: string;

	before(async () => {
		({ miniflare, url } = await startWorker({
			entry: fileURLToPath(new URL("contracts/ports.worker.ts", import.meta.url)),
			d1: [
				...sqlContract.map((_, index) => `SQL_${index}`),
				...journalContract.map((_, index) => `JOURNAL_${index}`),
				...journalLimitContract.map((_, index) => `LIMIT_${index}`),
				...keptContract.map((_, index) => `KEPT_${index}`),
			],
			r2: blobsContract.map((_, index) => `BLOBS_${index}`),
			kv: kvContract.map((_, index) => `KV_${index}`),
		}));
	});
	after(() => miniflare.dispose());

	const ports = {
		sql: sqlContract,
		kv: kvContract,
		blobs: blobsContract,
		journal: journalContract,
		"journal-limit": journalLimitContract,
		cipher: cipherContract,
		kept: keptContract,
		clock: clockContract,
		background: backgroundContract,
	};
	for (const [port, cases] of Object.entries(ports)) {
		describe(port, () => {
			for (const [index, { name }] of cases.entries()) {
				test(name, async () => {
					const response = await fetch(`${url}/${port}/${index}`);
					assert.equal(response.status, 200, await response.text());
				});
			}
		});
	}

	test("background work outlives the response", async () => {
		assert.equal(await (await fetch(`${url}/after-response`)).text(), "answered");
		const read = async () => (await fetch(`${url}/after-response/read`)).text();
		const deadline = Date.now() + 10_000;
		let value = await read();
		while (value === "" && Date.now() < deadline) value = await read();
		assert.equal(value, "written");
	});
});
