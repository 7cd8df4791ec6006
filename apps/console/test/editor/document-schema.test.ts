import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Options, Trigger } from "@tripline/contract/workflows";
import * as z from "zod";
import { documentSchema } from "../../src/editor/document-schema.ts";
import { listValueOptions } from "../../src/editor/key-options.ts";
import { listReferenceOptions } from "../../src/editor/reference-options.ts";
import { listProperties, listValues, type Schema } from "../../src/editor/schema.ts";

const offered = documentSchema({} as never);

interface Found {
	readonly keys: readonly string[];
	readonly values: readonly string[];
}

/** Keys and values of a schema at all of its places, by path. */
function collect(
	root: Schema,
	path: readonly string[],
	found = new Map<string, Found>(),
): Map<string, Found> {
	const keys = listProperties(root, path).map(({ name }) => name);
	const items = listValues(root, [...path, "[]"]);
	const values = items.length > 0 ? items : listValues(root, path);
	if (keys.length + values.length > 0)
		found.set(path.join("."), { keys: keys.toSorted(), values: values.toSorted() });
	for (const key of keys) collect(root, [...path, key], found);
	return found;
}

const ask = (written = "") => ({
	written,
	after: "",
	outline: { nodes: [], elements: [], turns: [], configured: new Map(), context: [] },
	sources: {
		components: () => [],
		component: async () => null,
		credentials: async () => ["door"],
	},
	text: { fields: {} } as never,
});

describe("completion of a webhook trigger", () => {
	for (const [name, schema] of Object.entries({
		trigger: Trigger,
		"options.signature": Options.shape.signature,
	}))
		test(`offers exactly the keys and values that ${name} may have`, () => {
			const path = name.split(".");
			const real = z.toJSONSchema(schema, {
				io: "input",
				reused: "inline",
				unrepresentable: "any",
			}) as Schema;
			const nested = path.reduceRight<Schema>(
				(inner, key) => ({ properties: { [key]: inner } }),
				inline(real),
			);
			assert.deepEqual(collect(offered, path), collect(nested, path));
		});

	test("offers the values of a list", async () => {
		const place = { kind: "value", path: ["trigger", "accept", "[]"], from: 0 } as const;
		const found = await listValueOptions(place, ask());
		assert.ok(found?.options.some(({ label }) => label === "form"));
	});

	test("offers credentials wherever the trigger names one", async () => {
		for (const key of ["auth", "signature", "handshake"]) {
			const place = { kind: "value", path: ["trigger", key, "credential"], from: 0 } as const;
			assert.deepEqual((await listValueOptions(place, ask()))?.options, [{ label: "door" }], key);
		}
	});

	test("offers how the run was called in templates", async () => {
		const members = await listReferenceOptions("request.", 0, ask("request."));
		assert.deepEqual(
			members?.options.map(({ label }) => label),
			["method", "query", "headers", "content_type"],
		);
	});
});

/** Replaces references by what they point to. */
function inline(schema: Schema, definitions = schema.$defs ?? {}): Schema {
	if (schema.$ref !== undefined)
		return inline(definitions[schema.$ref.replace("#/$defs/", "")] ?? {}, definitions);
	const { properties, items, anyOf, $defs: _, ...rest } = schema;
	return {
		...rest,
		...(properties !== undefined && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([key, inner]) => [key, inline(inner, definitions)]),
			),
		}),
		...(items !== undefined && { items: inline(items, definitions) }),
		...(anyOf !== undefined && { anyOf: anyOf.map((each) => inline(each, definitions)) }),
	};
}
