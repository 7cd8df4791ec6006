import assert from "node:assert/strict";
import { test } from "node:test";
import { listParameters, renderSettings } from "../../src/pages/components/parameters.ts";

const SCHEMA = {
	type: "object",
	properties: {
		method: { type: "string", enum: ["GET", "POST"], default: "GET", description: "HTTP method" },
		tags: { type: "array", items: { type: "string" } },
		body: { anyOf: [{ type: "string" }, { type: "object" }] },
		url: { type: "string", description: "Address" },
		count: { type: "integer" },
	},
	required: ["url", "method", "count"],
};

test("lists required parameters first; a default makes a parameter optional", () => {
	assert.deepEqual(
		listParameters(SCHEMA).map(({ name, type, isRequired }) => [name, type, isRequired]),
		[
			["url", "string", true],
			["count", "integer", true],
			["method", "string", false],
			["tags", "array of string", false],
			["body", "string | object", false],
		],
	);
});

test("shows choices and defaults", () => {
	const method = listParameters(SCHEMA).find(({ name }) => name === "method");
	assert.deepEqual(method?.choices, ["GET", "POST"]);
	assert.equal(method?.default, '"GET"');
});

test("writes a placeholder for every required parameter", () => {
	assert.equal(
		renderSettings("http_request", SCHEMA),
		'    component: http_request\n    url: ""\n    count: 0',
	);
	assert.equal(renderSettings("x", {}), "    component: x");
});
