import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeBody, describeThings, makeOperation } from "./make.ts";

const withParameters = (...parameters: JsonObject[]) => makeOperation(describeThings({ parameters }));
const query = (name: string, schema: JsonObject, more: JsonObject = {}) => ({
	name,
	in: "query",
	schema,
	...more,
});

describe("parameters", () => {
	test("of the operation replace those of the path", async () => {
		const document = describeThings(
			{},
			{
				paths: {
					"/things": {
						parameters: [query("a", { type: "string" }), query("b", { type: "string" })],
						get: { parameters: [query("a", { type: "integer" })] },
					},
				},
			},
		);
		const { properties } = await makeOperation(document);
		assert.deepEqual(properties, { a: { type: "integer" }, b: { type: "string" } });
	});

	test("with a name that templates cannot read get another one", async () => {
		const { operation, properties, notes } = await withParameters(query("filter[since]", { type: "string" }));
		assert.deepEqual(Object.keys(properties), ["filter_since"]);
		assert.deepEqual(operation.query, { "filter[since]": "{{params.filter_since}}" });
		assert.deepEqual(notes, []);
	});

	test("with the name of a node's setting get another one, which is noted", async () => {
		const { properties, notes } = await withParameters(query("retry", { type: "integer" }));
		assert.deepEqual(Object.keys(properties), ["retry_query"]);
		assert.deepEqual(notes, ["is the parameter retry_query: every node has a setting retry"]);
	});

	test("of the same name at two places are both there", async () => {
		const header = { name: "id", in: "header", schema: { type: "string" } };
		const { operation } = await withParameters(query("id", { type: "string" }), header);
		assert.deepEqual(operation.query, { id: "{{params.id}}" });
		assert.deepEqual(operation.headers, { id: "{{params.id_header}}" });
	});

	test("that are required stay so, unless they have a default", async () => {
		const { operation } = await withParameters(
			query("a", { type: "string" }, { required: true }),
			query("b", { type: "string", default: "x" }, { required: true }),
		);
		assert.deepEqual(operation.params.required, ["a"]);
	});

	test("in cookies and forbidden headers are noted", async () => {
		const { properties, notes } = await withParameters(
			{ name: "session", in: "cookie", schema: { type: "string" } },
			{ name: "Host", in: "header", schema: { type: "string" } },
		);
		assert.deepEqual(properties, {});
		assert.deepEqual(notes, [
			"is a cookie, which recipes cannot send",
			"is a header that recipes cannot send",
		]);
	});

	for (const [style, explode, sent] of [
		["form", true, { ids: "{{params.ids}}" }],
		["form", false, { ids: '{{params.ids | join(",")}}' }],
		["pipeDelimited", false, { ids: '{{params.ids | join("|")}}' }],
		["spaceDelimited", false, { ids: '{{params.ids | join(" ")}}' }],
		["deepObject", true, { "ids[]": "{{params.ids}}" }],
	] as const)
		test(`a list is sent in the style ${style}${explode ? ", exploded" : ""}`, async () => {
			const list = { type: "array", items: { type: "string" } };
			const { operation } = await withParameters(query("ids", list, { style, explode }));
			assert.deepEqual(operation.query, sent);
		});

	test("an object in the style deepObject is sent by member, nested ones too", async () => {
		const schema = {
			type: "object",
			properties: {
				gt: { type: "integer" },
				by: { type: "object", properties: { name: { type: "string" } } },
				rows: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
			},
		};
		const { operation, notes } = await withParameters(query("created", schema, { style: "deepObject" }));
		assert.deepEqual(operation.query, {
			"created[gt]": '{{params.created["gt"]}}',
			"created[by][name]": '{{params.created["by"]["name"]}}',
		});
		assert.deepEqual(notes, ["is nested in the query in a way that recipes cannot send"]);
	});

	test("an object whose members are unknown is left out and noted", async () => {
		const { operation, notes } = await withParameters(
			query("filter", { type: "object" }, { style: "deepObject" }),
		);
		assert.equal(operation.query, undefined);
		assert.deepEqual(notes, ["is an object of unknown parts in the query, which recipes cannot send"]);
	});

	test("with a media type are sent as JSON", async () => {
		const content = { "application/json": { schema: { type: "object" } } };
		const { operation } = await withParameters({ name: "where", in: "query", content });
		assert.deepEqual(operation.query, { where: "{{params.where | json}}" });
	});
});

describe("a path", () => {
	const at = (path: string, parameters: JsonObject[] = []) =>
		makeOperation(describeThings({}, { paths: { [path]: { get: { parameters } } } }), { operations: [path] });
	const inPath = (name: string, schema: JsonObject) => ({ name, in: "path", required: true, schema });

	test("has the parameters of the recipe", async () => {
		const { operation } = await at("/things/{thing-id}", [inPath("thing-id", { type: "integer" })]);
		assert.equal(operation.path, "/things/{thing_id}");
		assert.deepEqual(operation.params.required, ["thing_id"]);
	});

	test("with a placeholder that is not described takes text", async () => {
		const { properties, notes } = await at("/things/{id}");
		assert.deepEqual(properties, { id: { type: "string" } });
		assert.deepEqual(notes, ["is in the path, but is no parameter; it is given as text"]);
	});

	test("with a list takes text, which is noted", async () => {
		const { properties, notes } = await at("/things/{ids}", [
			inPath("ids", { type: "array", items: { type: "string" } }),
		]);
		assert.deepEqual(properties, { ids: { type: "string" } });
		assert.deepEqual(notes, ["is not a text or a number in the path; it is given as text"]);
	});

	test("with alternatives keeps them if all are texts or numbers", async () => {
		const schema = { oneOf: [{ type: "integer" }, { type: "string", enum: ["me"] }] };
		const { properties, notes } = await at("/things/{id}", [inPath("id", schema)]);
		assert.deepEqual(properties, { id: { anyOf: schema.oneOf } });
		assert.deepEqual(notes, []);
	});

	test("keeps slashes where a pattern has them", async () => {
		const { operation } = await at("/v1/{name}", [
			inPath("name", { type: "string", pattern: "^projects/[^/]+$" }),
		]);
		assert.equal(operation.path, "/v1/{+name}");
	});

	test("with a query sends it, placeholders too", async () => {
		const { operation } = await at("/things?kind=new&lat={lat}", [inPath("lat", { type: "number" })]);
		assert.equal(operation.path, "/things");
		assert.deepEqual(operation.query, { kind: "new", lat: "{{params.lat}}" });
	});

	test("with a fragment does not send it", async () => {
		const { operation, notes } = await at("/#Action=ListThings");
		assert.equal(operation.path, "/");
		assert.deepEqual(notes, ["has # in its path; what follows is not sent"]);
	});
});

describe("a body", () => {
	test("of JSON has one parameter per member, without those that are only read", async () => {
		const { operation, properties } = await makeOperation(
			describeBody(
				{
					type: "object",
					required: ["name", "id"],
					properties: {
						id: { $ref: "#/components/schemas/Id" },
						name: { type: "string" },
						"x-size": { type: "integer" },
					},
				},
				{ components: { schemas: { Id: { type: "string", readOnly: true } } } },
			),
		);
		assert.deepEqual(Object.keys(properties), ["name", "x_size"]);
		assert.deepEqual(operation.params.required, ["name"]);
		assert.deepEqual(operation.body, {
			kind: "json",
			value: { name: "{{params.name}}", "x-size": "{{params.x_size}}" },
		});
	});

	test("keeps required members that are not described, at every level", async () => {
		const inner = { type: "object", required: ["b"], properties: { c: { type: "string" } } };
		const { operation, properties } = await makeOperation(
			describeBody({ type: "object", required: ["a"], properties: { inner } }),
		);
		assert.deepEqual(operation.params.required, ["a"]);
		assert.deepEqual(properties, {
			inner: { type: "object", properties: { c: { type: "string" }, b: {} }, required: ["b"] },
			a: {},
		});
	});

	test("that is a list is one parameter", async () => {
		const { operation, properties } = await makeOperation(
			describeBody({ type: "array", items: { type: "string" } }),
		);
		assert.deepEqual(properties, { body: { type: "array", items: { type: "string" } } });
		assert.deepEqual(operation.body, { kind: "json", value: "{{params.body}}" });
	});

	test("with alternatives is one parameter", async () => {
		const { properties } = await makeOperation(
			describeBody({
				oneOf: [
					{ type: "object", properties: { a: { type: "string" } } },
					{ type: "object", properties: { b: { type: "string" } } },
				],
			}),
		);
		assert.deepEqual(Object.keys(properties), ["body"]);
	});

	test("that needs one of its members has one parameter for each, and a note", async () => {
		const { properties, notes } = await makeOperation(
			describeBody({
				type: "object",
				properties: { a: { type: "string" }, b: { type: "string" } },
				anyOf: [{ required: ["a"] }, { required: ["b"] }],
			}),
		);
		assert.deepEqual(Object.keys(properties), ["a", "b"]);
		assert.deepEqual(notes, ["needs one of several sets of fields, which is not checked"]);
	});

	test("of another JSON type has that type", async () => {
		const { operation } = await makeOperation(
			describeBody({ type: "array", items: {} }, {}, "application/json-patch+json"),
		);
		assert.deepEqual(operation.headers, { "content-type": "application/json-patch+json" });
	});

	test("as a form sends its fields", async () => {
		const schema = { type: "object", properties: { a: { type: "string" } } };
		const { operation } = await makeOperation(describeBody(schema, {}, "application/x-www-form-urlencoded"));
		assert.deepEqual(operation.body, { kind: "form", fields: { a: "{{params.a}}" } });
	});

	test("as a form without fields is not sent, and not noted", async () => {
		const schema = { type: "object", properties: {} };
		const { operation, notes } = await makeOperation(
			describeBody(schema, {}, "application/x-www-form-urlencoded"),
		);
		assert.equal(operation.body, undefined);
		assert.deepEqual(notes, []);
	});

	test("in parts sends files, texts and JSON", async () => {
		const schema = {
			type: "object",
			properties: {
				file: { type: "string", format: "binary" },
				name: { type: "string" },
				tags: { type: "array", items: { type: "string" } },
			},
		};
		const { operation, properties } = await makeOperation(describeBody(schema, {}, "multipart/form-data"));
		assert.deepEqual(properties.file, { type: "object", format: "file" });
		assert.deepEqual(operation.body, {
			kind: "multipart",
			parts: [
				{ name: "file", file: "{{params.file}}" },
				{ name: "name", text: "{{params.name}}" },
				{ name: "tags", json: "{{params.tags}}" },
			],
		});
	});

	test("of bytes is a file, and of text a text", async () => {
		const bytes = await makeOperation(describeBody({}, {}, "image/png"));
		assert.deepEqual(bytes.operation.body, { kind: "file", file: "{{params.file}}" });
		assert.deepEqual(bytes.operation.headers, { "content-type": "image/png" });
		const text = await makeOperation(describeBody({ type: "string" }, {}, "text/plain"));
		assert.deepEqual(text.operation.body, {
			kind: "text",
			text: "{{params.body}}",
			content_type: "text/plain",
		});
	});

	test("of a GET is noted", async () => {
		const content = { "application/json": { schema: { type: "object", properties: { a: {} } } } };
		const { operation, notes } = await makeOperation(describeThings({ requestBody: { content } }));
		assert.equal(operation.body, undefined);
		assert.deepEqual(notes, ["cannot be sent with GET"]);
	});
});
