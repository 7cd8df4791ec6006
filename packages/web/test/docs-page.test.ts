import assert from "node:assert/strict";
import { test } from "node:test";
import { renderDocsPage } from "../src/docs/page.ts";
import type { OpenApi, Operation } from "../src/openapi.ts";
import type { JsonSchema } from "../src/schema-components.ts";

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;

const json = (schema: JsonSchema) => ({ "application/json": { schema } });

const operation = (operationId: string, more: Partial<Operation> = {}): Operation => ({
	operationId,
	summary: `Summary of ${operationId}`,
	tags: ["Things"],
	security: [],
	parameters: [],
	responses: { 200: { description: "Fine", content: json({ type: "string" }) } },
	...more,
});

const buildDocument = (paths: OpenApi["paths"], schemas: Record<string, JsonSchema> = {}): OpenApi => ({
	openapi: "3.1.0",
	info: { title: "Service", version: "1.2.3" },
	paths,
	components: { schemas, securitySchemes: {} },
});

const withBody = (schema: JsonSchema): Partial<Operation> => ({
	requestBody: { required: true, content: json(schema) },
});

const renderPage = (paths: OpenApi["paths"], schemas?: Record<string, JsonSchema>): Promise<string> =>
	renderDocsPage(buildDocument(paths, schemas)).text();

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The visible text: tags dropped, entities decoded, white space collapsed. */
const readVisibleText = (page: string): string =>
	unescapeHtml(page.replaceAll(/<[^>]+>/g, " ")).replaceAll(/\s+/g, " ");

const unescapeHtml = (text: string): string =>
	text
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&#39;", "'")
		.replaceAll("&amp;", "&");

const readExample = (page: string): string =>
	unescapeHtml(/<pre><code>([^<]*)<\/code><\/pre>/.exec(page)?.[1] ?? "");

/** The example's body as a shell would pass it to curl. */
const readSentBody = (page: string): unknown =>
	JSON.parse(/(?<=-d ').*(?='$)/s.exec(readExample(page))?.[0].replaceAll("'\\''", "'") ?? "");

test("headers isolate the page", () => {
	const { status, headers } = renderDocsPage(buildDocument({}));
	assert.equal(status, 200);
	assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
	assert.equal(
		headers.get("content-security-policy"),
		"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	);
	assert.equal(headers.get("x-content-type-options"), "nosniff");
	assert.equal(headers.get("referrer-policy"), "no-referrer");
});

test("a document is rendered once", async () => {
	let reads = 0;
	const document: OpenApi = {
		...buildDocument({}),
		get paths() {
			reads += 1;
			return { "/things": { get: operation("get_things") } };
		},
	};
	const first = await renderDocsPage(document).text();
	assert.equal(await renderDocsPage(document).text(), first);
	assert.equal(reads, 1);
});

test("text from the document never becomes markup", async () => {
	const hostile: JsonSchema = {
		type: "object",
		description: HOSTILE,
		properties: {
			[HOSTILE]: { type: HOSTILE, format: HOSTILE, pattern: HOSTILE, enum: [HOSTILE], default: HOSTILE },
			code: { description: `\`${HOSTILE}\``, const: HOSTILE },
			reference: reference(HOSTILE),
		},
		required: [HOSTILE, "code"],
	};
	const document: OpenApi = {
		...buildDocument({
			[`/${HOSTILE}/{${HOSTILE}}`]: {
				[HOSTILE]: {
					operationId: HOSTILE,
					summary: HOSTILE,
					description: HOSTILE,
					tags: [HOSTILE],
					security: [],
					parameters: [
						{ name: HOSTILE, in: "path", required: true, description: HOSTILE, schema: { const: HOSTILE } },
						{ name: `q${HOSTILE}`, in: "query", required: true, schema: { enum: [HOSTILE] } },
					],
					requestBody: { required: true, content: { [HOSTILE]: { schema: hostile } } },
					responses: { [HOSTILE]: { description: HOSTILE, content: { [HOSTILE]: { schema: hostile } } } },
				},
			},
		}),
		info: { title: HOSTILE, version: HOSTILE },
	};
	const page = await renderDocsPage(document).text();
	assert.doesNotMatch(page, /<(script|img)/i);
	assert.ok(readVisibleText(page).includes(HOSTILE));
	for (const [tag] of page.matchAll(/<[a-z][^>]*>/g)) {
		assert.doesNotMatch(tag.replaceAll(/"[^"]*"/g, '""'), /\s(on\w+|src|style)=/, tag);
	}
});

test("the page loads nothing and links to openapi.json", async () => {
	const page = await renderPage({ "/things": { get: operation("get_things") } });
	assert.match(page, /<a href="\/openapi.json">/);
	assert.doesNotMatch(page, /<(script|link|img|iframe)|src=|url\(|@import/);
	for (const [, target] of page.matchAll(/href="([^"]*)"/g))
		assert.match(String(target), /^(#|\/openapi.json$)/);
});

test("every operation is listed, linked and states whether it needs a credential", async () => {
	const page = await renderPage({
		"/things": {
			get: operation("get_things"),
			put: operation("put_things", { security: [{ bearer: [] }] }),
		},
		"/things/{id}": { delete: operation("delete_things_id", { security: [{}, { bearer: [] }], tags: [] }) },
	});
	for (const id of ["get_things", "put_things", "delete_things_id"]) {
		assert.ok(page.includes(`<a href="#${id}" title="Summary of ${id}">`), id);
		assert.ok(page.includes(`<article id="${id}"`), id);
	}
	assert.deepEqual(
		[...page.matchAll(/class="access">([^<]*)</g)].map(([, text]) => text),
		[
			"No credential required",
			"Credential required",
			"Credential required if the service is configured to check it",
		],
	);
	assert.deepEqual(
		[...page.matchAll(/<h([1-6])/g)].map(([, level]) => level).join(""),
		["1", "2", "344", "344", "2", "344"].join(""),
	);
});

test("parameters are listed with their limits", async () => {
	const page = await renderPage({
		"/things": {
			get: operation("get_things", {
				parameters: [
					{
						name: "size",
						in: "query",
						required: false,
						description: "How many",
						schema: { type: "integer", minimum: 1, maximum: 50, default: 20 },
					},
					{ name: "kind", in: "query", required: true, schema: { type: "string", enum: ["a", "b"] } },
				],
			}),
		},
	});
	const text = readVisibleText(page);
	assert.ok(text.includes("size query integer optional How many 1 to 50 · default 20"), text);
	assert.ok(text.includes('kind query string required one of "a" , "b"'), text);
	assert.equal(readExample(page), 'curl "$URL/things?kind=a"');
});

test("references, lists, unions and maps are expanded", async () => {
	const schema: JsonSchema = {
		type: "object",
		properties: {
			thing: reference("Thing"),
			more: { type: "array", maxItems: 9, items: reference("Thing") },
			note: { anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }] },
			choice: {
				oneOf: [
					{ type: "object", properties: { left: { type: "string" } } },
					{ type: "object", properties: { right: { type: "integer" } } },
				],
			},
			counts: { type: "object", additionalProperties: { type: "integer" } },
			both: { allOf: [reference("Thing"), { properties: { colour: { type: "string" } } }] },
			pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
		},
		required: ["thing"],
	};
	const Thing: JsonSchema = {
		type: "object",
		properties: { size: { type: "number", minimum: 0 } },
		required: ["size"],
	};
	const text = readVisibleText(
		await renderPage({ "/things": { post: operation("post_things", withBody(schema)) } }, { Thing }),
	);
	for (const part of [
		"thing Thing required size number required at least 0",
		"more list of Thing at most 9 items Fields as above",
		"note string or null at most 5 characters",
		"choice object One of object left string object right integer",
		"counts map of integer",
		"both object size number required at least 0 colour string",
		"pair list [string, integer]",
	]) {
		assert.ok(text.includes(part), `${part}: ${text}`);
	}
});

test("a response without a body is one line, one with a body can be expanded", async () => {
	const page = await renderPage({
		"/things": {
			delete: operation("delete_things", {
				responses: {
					204: { description: "Gone" },
					404: { description: "Unknown", content: json({ type: "string" }) },
				},
			}),
		},
	});
	assert.match(page, /<p class="bare"><b class="status s2">204<\/b> Gone/);
	assert.match(page, /<summary><span><b class="status s4">404<\/b> Unknown/);
});

test("a response with several content types is shown once per type, with its description", async () => {
	const content = {
		...json(reference("Thing")),
		"text/event-stream": { schema: { type: "string", description: "One event for each step" } },
	};
	const thing = { type: "object", properties: { size: { type: "integer" } } };
	const page = await renderPage(
		{ "/things": { get: operation("get_things", { responses: { 200: { description: "Fine", content } } }) } },
		{ Thing: thing },
	);
	const text = readVisibleText(page);
	assert.ok(text.includes("200 Fine Thing application/json size integer"), text);
	assert.ok(text.includes("200 Fine string text/event-stream One event for each step"), text);
});

test("rendering a cyclic schema ends: in a field, in a list, in any JSON and at the root", async () => {
	const schemas: Record<string, JsonSchema> = {
		Node: {
			type: "object",
			properties: { name: { type: "string" }, children: { type: "array", items: reference("Node") } },
			required: ["name", "children"],
		},
		Nest: { type: "array", items: reference("Nest") },
		Json: {
			anyOf: [
				...["string", "number", "boolean", "null"].map((type) => ({ type })),
				{ type: "array", items: reference("Json") },
				{ type: "object", additionalProperties: reference("Json") },
			],
		},
		Self: { ...reference("Self"), allOf: [reference("Self")] },
	};
	const renderWithSchema = (schema: JsonSchema) =>
		renderPage({ "/n": { post: operation("n", withBody(schema)) } }, schemas);

	const node = await renderWithSchema(reference("Node"));
	assert.ok(readVisibleText(node).includes("children list of Node required Fields as above"));
	assert.deepEqual(readSentBody(node), { name: "example", children: [] });

	assert.deepEqual(readSentBody(await renderWithSchema(reference("Nest"))), []);

	const values = await renderWithSchema({ type: "object", additionalProperties: reference("Json") });
	assert.ok(readVisibleText(values).includes("map of any JSON"));

	const self = await renderWithSchema(reference("Self"));
	assert.ok(readVisibleText(self).includes("Request body Self application/json"));
});

test("the example sends valid values for the required fields", async () => {
	const schema: JsonSchema = {
		type: "object",
		properties: {
			id: { type: "string", format: "uuid" },
			long: { type: "string", minLength: 12 },
			digits: { type: "string", pattern: "^\\d+$" },
			count: { type: "integer", exclusiveMinimum: 4, multipleOf: 5 },
			below: { type: "number", maximum: -2 },
			list: { type: "array", minItems: 2, items: { type: "boolean" } },
			pair: { type: "array", prefixItems: [{ type: "boolean" }, { type: "integer" }] },
			nothing: { const: null },
			quote: { const: "it's" },
			left: { type: "string" },
		},
		required: ["id", "long", "digits", "count", "below", "list", "pair", "nothing", "quote"],
	};
	const page = await renderPage({
		"/things/{id}": {
			put: operation("put_things", {
				...withBody(schema),
				security: [{ bearer: [] }],
				parameters: [{ name: "id", in: "path", required: true, schema: { const: 'a/b "$(x)`!' } }],
			}),
		},
	});
	const [call, token, type] = readExample(page).split(" \\\n  ");
	assert.equal(call, 'curl -X PUT "$URL/things/a%2Fb%20%22%24(x)%60%21"');
	assert.equal(token, '-H "authorization: Bearer $TOKEN"');
	assert.equal(type, "-H 'content-type: application/json'");
	assert.match(readExample(page), /"it'\\''s"/);
	assert.deepEqual(readSentBody(page), {
		id: "0190a6b2-7c1d-7e3f-9a4b-5c6d7e8f9a0b",
		long: "example-exam",
		digits: "1",
		count: 10,
		below: -2,
		list: [true, true],
		pair: [true, 1],
		nothing: null,
		quote: "it's",
	});
});
