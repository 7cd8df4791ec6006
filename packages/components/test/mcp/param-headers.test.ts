import assert from "node:assert/strict";
import { test } from "node:test";
import { buildParamHeaders, findHeaderProblem } from "@tripline/components/mcp/param-headers";
import type { JsonObject } from "@tripline/contract/workflows";

const header = (name: unknown, type = "string"): JsonObject => ({ type, "x-mcp-header": name }) as JsonObject;
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });

test("arguments are headers where the schema asks for it, encoded if a header cannot hold them", () => {
	const schema = object({
		region: header("Region"),
		count: header("Count", "integer"),
		place: object({ dry: header("Dry", "boolean") }),
		other: { type: "string" },
	});
	assert.equal(findHeaderProblem(schema), null);
	assert.deepEqual(
		buildParamHeaders(schema, { region: "eu-1", count: 3, place: { dry: false }, other: "x" }),
		{
			"mcp-param-region": "eu-1",
			"mcp-param-count": "3",
			"mcp-param-dry": "false",
		},
	);
	assert.deepEqual(buildParamHeaders(schema, { region: "a\r\nx: y" }), {
		"mcp-param-region": "=?base64?YQ0KeDogeQ==?=",
	});
	assert.deepEqual(buildParamHeaders(schema, { region: " =" }), { "mcp-param-region": "=?base64?ID0=?=" });
	assert.deepEqual(buildParamHeaders(schema, { region: null, count: 1.5, place: "x" }), {});
});

test("a schema that asks for headers where it must not is refused", () => {
	for (const schema of [
		object({ a: header("with space") }),
		object({ a: header("") }),
		object({ a: header("A"), b: header("a") }),
		object({ a: header("A", "number") }),
		object({ a: { type: "array", items: header("A") } }),
		{ ...object({}), "x-mcp-header": "Root" },
		object({ a: { anyOf: [header("A")] } }),
	])
		assert.notEqual(findHeaderProblem(schema), null, JSON.stringify(schema));
	assert.equal(findHeaderProblem(object({ a: { type: "string", default: { "x-mcp-header": 1 } } })), null);
});
