import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { runDocument } from "./run-document.ts";

const give = (value: Json): JsonObject => ({ component: "give", value });
const repeat = (until: string, more: JsonObject = {}): JsonObject => ({
	component: "repeat",
	until,
	...more,
});
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const measureHeap = (): number => {
	collect();
	return process.memoryUsage().heapUsed;
};

describe("REPEAT", () => {
	test("frees what a turn held after the next one", async () => {
		const outcome = await runDocument(
			{
				triplets: ["poll >> REPEAT turn >> page", "poll >> then >> after"],
				config: {
					poll: repeat("turn == 300", { max: 1000 }),
					page: give("{{turn}} {{input.large}}"),
					after: give("{{page | length}}"),
				},
			},
			{ input: { large: "x".repeat(900_000) } },
		);
		assert.equal(outcome.error, undefined);
		assert.equal(outcome.data, 900_004);
	});

	test("holds no outputs but those of two turns", async () => {
		const [before, after] = [measureHeap(), { bytes: 0 }];
		await runDocument(
			{
				triplets: ["poll >> REPEAT turn >> page"],
				config: { poll: repeat("turn == 50", { max: 100 }), page: give("{{turn}} {{input.large}}") },
			},
			{
				input: { large: "x".repeat(900_000) },
				observe: ({ element, status }) => {
					if (element?.index === 50 && status === "running") after.bytes = measureHeap();
				},
			},
		);
		assert.ok(after.bytes > 0);
		assert.ok(after.bytes - before < 10_000_000, `${after.bytes - before} bytes more`);
	});

	test("counts what its turns keep", async () => {
		const outcome = await runDocument(
			{
				triplets: ["all >> FOREACH one >> poll", "poll >> REPEAT turn >> page", "all >> then >> after"],
				config: {
					all: give(Array(100).fill(0)),
					poll: repeat("turn == 2"),
					page: give("{{turn}} {{input.large}}"),
					after: give(1),
				},
			},
			{ input: { large: "x".repeat(900_000) } },
		);
		assert.match(outcome.error ?? "", /the limit is 64 MiB/);
	});
});
