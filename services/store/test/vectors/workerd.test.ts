import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Miniflare } from "miniflare";
import { startWorker } from "../../../../test/workerd.ts";
import { vectorContract } from "./contract.ts";

describe("vectors on D1", () => {
	let miniflare: Miniflare;
	let url: string;

	before(async () => {
		({ miniflare, url } = await startWorker({
			entry: fileURLToPath(new URL("vectors.worker.ts", import.meta.url)),
			d1: vectorContract.map((_, index) => `DB_${index}`),
		}));
	});
	after(() => miniflare.dispose());

	for (const [index, { name }] of vectorContract.entries()) {
		test(name, async () => {
			const response = await fetch(`${url}/${index}`);
			assert.equal(response.status, 200, await response.text());
		});
	}
});
