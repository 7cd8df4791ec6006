import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readSettings, SettingProblem } from "../src/settings.ts";
import { tracingEnvironment, tracingSettings } from "../src/tracing-settings.ts";

const read = (variables: object) => tracingSettings(readSettings(tracingEnvironment, variables));
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };

describe("settings of tracing", () => {
	test("it is off unless there is a collector", () => {
		assert.equal(read({}), null);
		assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_TRACES_SAMPLER_ARG: "0.5" }), null);
	});

	test("the others have defaults", () => {
		assert.deepEqual(read(ENDPOINT), {
			endpoint: "http://127.0.0.1:4318",
			headers: {},
			serviceName: "tripline",
			ratio: 1,
		});
	});

	test("headers are pairs whose values may be percent-encoded", () => {
		const OTEL_EXPORTER_OTLP_HEADERS = "Authorization=Basic%20YTpi==, x-team = a=b ,";
		assert.deepEqual(read({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS })?.headers, {
			authorization: "Basic YTpi==",
			"x-team": "a=b",
		});
	});

	for (const [text, ratio] of [
		["0", 0],
		["1", 1],
		["1.0", 1],
		["0.1", 0.1],
		[".25", 0.25],
		["0.001", 0.001],
	] as const)
		test(`the share may be ${text}`, () =>
			assert.equal(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: text })?.ratio, ratio));

	for (const [name, value] of [
		["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
		["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:s3cret@localhost:4318"],
		["OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318?key=s3cret"],
		["OTEL_EXPORTER_OTLP_HEADERS", "s3cret"],
		["OTEL_EXPORTER_OTLP_HEADERS", "a b=s3cret"],
		["OTEL_EXPORTER_OTLP_HEADERS", "a=s3cret%"],
		["OTEL_EXPORTER_OTLP_HEADERS", "a=s3cret%0a"],
		["OTEL_SERVICE_NAME", "s3cret".repeat(20)],
		["OTEL_TRACES_SAMPLER_ARG", "1.1"],
		["OTEL_TRACES_SAMPLER_ARG", "-0.1"],
		["OTEL_TRACES_SAMPLER_ARG", "10%"],
		["OTEL_TRACES_SAMPLER_ARG", "1e-3"],
	] as const)
		test(`${name} is refused as ${value.slice(0, 24)}, by name and without its value`, () => {
			assert.throws(
				() => read({ ...ENDPOINT, [name]: value }),
				(error) =>
					error instanceof SettingProblem &&
					error.message.startsWith(`${name} must`) &&
					!error.message.includes("s3cret"),
			);
		});
});
