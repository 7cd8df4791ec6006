import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { builtIn } from "../src/catalogue.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Every parameter at any depth, with its path. */
function* listParameters(schema: Schema, path: string): Generator<readonly [string, Schema]> {
	for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
		yield [`${path}.${name}`, inner];
		yield* listParameters(inner, `${path}.${name}`);
	}
	for (const word of ["anyOf", "oneOf", "allOf"])
		for (const inner of (schema[word] ?? []) as Schema[]) yield* listParameters(inner, path);
	for (const word of ["items", "additionalProperties"])
		if (typeof schema[word] === "object") yield* listParameters(schema[word] as Schema, `${path}[]`);
}

test("every parameter of every component has a description, nested ones too", () => {
	const nested: string[] = [];
	for (const { id, params } of builtIn) {
		const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
		for (const [path, parameter] of listParameters(schema, id)) {
			nested.push(path);
			const { description } = parameter;
			assert.ok(typeof description === "string" && description.length > 5, `${path} has no description`);
		}
	}
	assert.ok(nested.includes("http_request.paginate.cursor"));
	assert.ok(nested.includes("http_request.multipart[].filename"));
});
