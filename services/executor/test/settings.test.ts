import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { executorEnvironment, executorSettings, WORKERS_DEFAULTS } from "../src/settings.ts";

const MIB = 1024 * 1024;

const read = (variables: Readonly<Record<string, string>>) =>
	executorSettings(executorEnvironment.parse(variables));

describe("settings of files", () => {
	test("by default a file lives a day and has at most 100 MiB", () => {
		const settings = read({});
		assert.equal(settings.fileRetentionHours, 24);
		assert.equal(settings.maxFileBytes, 100 * MIB);
	});

	test("a namespace has less room where it shares the service with others", () => {
		assert.equal(read({ MULTI_TENANT: "true" }).maxFilesBytes, 1024 * MIB);
		assert.equal(read({ MULTI_TENANT: "false" }).maxFilesBytes, 10 * 1024 * MIB);
	});

	test("on Workers a file has at most 95 MiB, which a request can carry", () => {
		const settings = executorSettings(executorEnvironment.parse({}), WORKERS_DEFAULTS);
		assert.equal(settings.maxFileBytes, 95 * MIB);
	});

	test("each can be set", () => {
		const settings = executorSettings(
			executorEnvironment.parse({
				FILE_RETENTION_HOURS: "2",
				MAX_FILE_BYTES: "1000",
				MAX_FILES_BYTES: "2000000",
			}),
			WORKERS_DEFAULTS,
		);
		assert.equal(settings.fileRetentionHours, 2);
		assert.equal(settings.maxFileBytes, 1000);
		assert.equal(settings.maxFilesBytes, 2_000_000);
	});
});

describe("the daily limit of durable runs", () => {
	test("is a third of what the free plan of Workers allows, and none on Node", () => {
		const onWorkers = (variables: Readonly<Record<string, string>>) =>
			executorSettings(executorEnvironment.parse(variables), WORKERS_DEFAULTS).durableDailyRows;
		assert.equal(onWorkers({}), 30_000);
		assert.equal(onWorkers({ DURABLE_DAILY_ROWS: "0" }), 0);
		assert.equal(read({}).durableDailyRows, 0);
		assert.equal(read({ DURABLE_DAILY_ROWS: "500" }).durableDailyRows, 500);
	});
});

describe("the prices of models", () => {
	test("are a JSON object by the model's name", () => {
		assert.equal(read({}).modelPrices.size, 0);
		const prices = read({ MODEL_PRICES: '{ "m": { "input": 0.25, "output": 2 } }' }).modelPrices;
		assert.deepEqual([...prices], [["m", { input: 0.25, output: 2 }]]);
	});

	for (const text of ["cheap", "[]", '{ "m": 1 }', '{ "m": { "input": -1, "output": 0 } }'])
		test(`are not ${text}`, () => {
			const read = executorEnvironment.safeParse({ MODEL_PRICES: text });
			assert.match(read.error?.issues[0]?.message ?? "", /^must be JSON such as/);
		});
});
