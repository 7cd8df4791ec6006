import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { Effects } from "../../src/effects.ts";
import { memoryFiles } from "../memory-files.ts";
import { runNode } from "../run-node.ts";

/** Files that only count what they are given. */
function countingFiles() {
	const counted = { pieces: 0, bytes: 0, largestPiece: 0 };
	const files: Effects["files"] = {
		...memoryFiles().files,
		async create({ name, type }, content) {
			for await (const { length } of content) {
				counted.pieces++;
				counted.bytes += length;
				counted.largestPiece = Math.max(counted.largestPiece, length);
			}
			return { $file: "A".repeat(22), name, type, size: counted.bytes };
		},
	};
	return { counted, files };
}

const MIB = 1_048_576;
const rows = Array.from({ length: 20_000 }, (_, id) => ({
	id,
	name: `Customer ${id}`,
	note: "Tea & biscuits",
	total: id * 1.25,
	isPaid: id % 2 === 0,
}));
const large: { [name: string]: Json } = {
	"a.csv": "{{input.rows}}",
	"a.xlsx": "{{input.rows}}",
	"a.jsonl": "{{input.rows}}",
};

describe("a large file", () => {
	for (const [name, given] of Object.entries(large)) {
		test(`${name}: is made in turns and in small pieces`, async () => {
			const { counted, files } = countingFiles();
			let turns = 0;
			let isOver = false;
			const count = () => {
				turns++;
				if (!isOver) setImmediate(count);
			};
			setImmediate(count);
			const outcome = await runNode(
				"make_file",
				{ name, rows: given },
				{ input: { rows }, effects: { files } },
			);
			isOver = true;
			assert.ok("output" in outcome, JSON.stringify(outcome));
			assert.ok(turns >= 4, `${turns} turns`);
			assert.ok(counted.largestPiece < MIB / 8, `${counted.largestPiece} bytes`);
		});
	}

	test("JSON that contains one text many times is never in memory as a whole", async () => {
		const { counted, files } = countingFiles();
		const input = { text: "x".repeat(MIB / 2) };
		const data = Array.from({ length: 40 }, () => "{{input.text}}");
		const outcome = await runNode("make_file", { name: "a.json", data }, { input, effects: { files } });
		assert.ok("output" in outcome, JSON.stringify(outcome));
		assert.ok(counted.bytes > 20 * MIB);
		assert.ok(counted.largestPiece < MIB, `${counted.largestPiece} bytes`);
	});

	test("fails when its work is more than a node may do", async () => {
		const { files } = countingFiles();
		const input = { text: "x".repeat(MIB / 2) };
		const list = Array.from({ length: 400 }, () => "{{input.text}}");
		const data = Array.from({ length: 10 }, () => list);
		const outcome = await runNode("make_file", { name: "a.json", data }, { input, effects: { files } });
		assert.deepEqual(outcome, {
			error: "this takes too long to compute: use less data, or split the work over several nodes",
		});
	});

	test("stops when the run is cancelled", async () => {
		const stop = new AbortController();
		const stopped = Promise.withResolvers<void>();
		const files: Effects["files"] = {
			...memoryFiles().files,
			async create(file, content) {
				try {
					for await (const _ of content) stop.abort();
					stopped.resolve();
				} catch (error) {
					stopped.reject(error);
				}
				return { $file: "A".repeat(22), ...file, size: 0 };
			},
		};
		const params = { name: "a.xlsx", rows: "{{input.rows}}" };
		await runNode("make_file", params, { input: { rows }, effects: { files }, signal: stop.signal });
		await assert.rejects(stopped.promise, { name: "AbortError" });
	});
});
