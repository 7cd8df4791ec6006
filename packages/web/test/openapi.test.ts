import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { buildOpenApiDocument, type OpenApi, type Operation } from "../src/openapi.ts";
import type { RouteDescription } from "../src/route.ts";
import type { JsonSchema } from "../src/schema-components.ts";

const createRoute = (more: Partial<RouteDescription> = {}): RouteDescription => ({
	method: "POST",
	path: "/things",
	tag: "Things",
	summary: "A thing",
	responses: {},
	...more,
});

const withResponse = (body: z.ZodType): Partial<RouteDescription> => ({
	responses: { 200: { description: "Fine", body } },
});

const buildDocument = (...routes: readonly RouteDescription[]): OpenApi =>
	buildOpenApiDocument({ title: "Service", version: "1.2.3", routes });

function buildOnlyOperation(document: OpenApi, method = "post", path = "/things"): Operation {
	const operation = document.paths[path]?.[method];
	assert.ok(operation, `${method} ${path}`);
	return operation;
}

const getRequestSchema = (operation: Operation): JsonSchema | undefined =>
	operation.requestBody?.content["application/json"]?.schema;

const getResponseSchema = (operation: Operation): JsonSchema | undefined =>
	operation.responses[200]?.content?.["application/json"]?.schema;

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function listReferences(document: OpenApi): string[] {
	const found: string[] = [];
	JSON.stringify(document, (key, value) => {
		if (key === "$ref" && typeof value === "string") found.push(value);
		return value;
	});
	return found;
}

/** Resolves a reference as a JSON Pointer into the document, as OpenAPI defines it. */
function resolvePointer(document: OpenApi, pointer: string): unknown {
	const keys = pointer.split("/").slice(1);
	return keys.reduce<unknown>(
		(at, key) => Object.entries(at ?? {}).find(([name]) => name === key)?.[1],
		document,
	);
}

function assertReferencesResolve(document: OpenApi): void {
	for (const each of listReferences(document)) {
		assert.match(each, /^#\/components\/schemas\/[\w.-]+$/);
		assert.ok(resolvePointer(document, each), each);
	}
	const text = JSON.stringify(document);
	assert.doesNotMatch(text, /\$defs|\$schema|__schema/);
	for (const name of Object.keys(document.components.schemas)) {
		assert.ok(listReferences(document).includes(reference(name).$ref as string), `${name} is used`);
	}
}

const Slot = z
	.strictObject({ name: z.string(), required: z.boolean().default(false), default: z.json().optional() })
	.meta({ id: "Slot" });
const Template = z.object({ slots: z.array(Slot) }).meta({ id: "Template" });
const Plain = z.strictObject({ size: z.int() }).meta({ id: "Plain" });

const Tree = z.strictObject({
	get children() {
		return z.array(Tree);
	},
});

test("an operation describes its route", () => {
	const document = buildDocument(
		createRoute({ method: "GET", path: "/things/{id}/parts", description: "More", open: true }),
		createRoute({ method: "PUT", path: "/things/{id}/parts" }),
	);
	const read = buildOnlyOperation(document, "get", "/things/{id}/parts");
	assert.equal(read.operationId, "get_things_id_parts");
	assert.equal(read.summary, "A thing");
	assert.equal(read.description, "More");
	assert.deepEqual(read.tags, ["Things"]);
	assert.deepEqual(read.security, []);
	const write = buildOnlyOperation(document, "put", "/things/{id}/parts");
	assert.equal(write.description, undefined);
	assert.equal(write.requestBody, undefined);
	assert.deepEqual(write.security, [{}, { bearer: [] }]);
	assertReferencesResolve(document);
});

test("a definition becomes a component, and every reference resolves to one", () => {
	const document = buildDocument(
		createRoute({ body: z.strictObject({ first: Plain, more: z.array(Plain) }), ...withResponse(Plain) }),
		createRoute({ method: "PUT", body: Plain, ...withResponse(z.object({ templates: z.array(Template) })) }),
	);
	assertReferencesResolve(document);
	assert.deepEqual(Object.keys(document.components.schemas).sort(), ["Json", "Plain", "Slot", "Template"]);
	assert.deepEqual(getResponseSchema(buildOnlyOperation(document)), reference("Plain"));
	assert.deepEqual(getRequestSchema(buildOnlyOperation(document, "put")), reference("Plain"));
	assert.deepEqual(document.components.schemas.Template?.properties?.slots?.items, reference("Slot"));
});

test("if request and response differ, the request's schema gets its own name", () => {
	const document = buildDocument(
		createRoute({ body: Slot }),
		createRoute({ method: "PUT", body: Slot, ...withResponse(Slot) }),
	);
	assertReferencesResolve(document);
	const { schemas } = document.components;
	assert.deepEqual(Object.keys(schemas).sort(), ["Json", "Slot", "SlotInput"]);
	assert.deepEqual(schemas.Slot?.required, ["name", "required"]);
	assert.deepEqual(schemas.SlotInput?.required, ["name"]);
	assert.deepEqual(getRequestSchema(buildOnlyOperation(document)), reference("SlotInput"));
	assert.deepEqual(getRequestSchema(buildOnlyOperation(document, "put")), reference("SlotInput"));
	assert.deepEqual(getResponseSchema(buildOnlyOperation(document, "put")), reference("Slot"));
});

test("a nested difference affects every schema that refers to it", () => {
	const Holder = z.strictObject({ slot: Slot }).meta({ id: "Holder" });
	const document = buildDocument(createRoute({ body: Holder, ...withResponse(Holder) }));
	assertReferencesResolve(document);
	assert.deepEqual(document.components.schemas.HolderInput?.properties?.slot, reference("SlotInput"));
	assert.deepEqual(document.components.schemas.Holder?.properties?.slot, reference("Slot"));
});

test("a request's schema gets the plain name if no response has it", () => {
	const document = buildDocument(createRoute({ body: Slot }));
	assertReferencesResolve(document);
	assert.deepEqual(Object.keys(document.components.schemas).sort(), ["Json", "Slot"]);
});

test("different schemas with one name stay separate, and names that OpenAPI does not allow are changed", () => {
	const body = (schema: z.ZodType) => z.strictObject({ inner: schema });
	const document = buildDocument(
		createRoute({ body: body(z.strictObject({ a: z.string() }).meta({ id: "A thing/part~" })) }),
		createRoute({
			method: "PUT",
			body: body(z.strictObject({ b: z.string() }).meta({ id: "A thing/part~" })),
		}),
		createRoute({
			method: "PATCH",
			body: body(z.strictObject({ c: z.string() }).meta({ id: "A thing/part~" })),
		}),
	);
	assertReferencesResolve(document);
	assert.deepEqual(Object.keys(document.components.schemas), [
		"A_thing_part_",
		"A_thing_part_Input",
		"A_thing_part_Input2",
	]);
});

test("any JSON is a single component wherever it is used", () => {
	const document = buildDocument(
		createRoute({ body: z.json(), ...withResponse(z.object({ one: z.json(), two: z.json() })) }),
		createRoute({ method: "PUT", body: z.strictObject({ tree: Tree, value: z.json() }) }),
	);
	assertReferencesResolve(document);
	assert.deepEqual(Object.keys(document.components.schemas).sort(), ["Json", "Recursive"]);
	assert.deepEqual(getRequestSchema(buildOnlyOperation(document)), reference("Json"));
	const { Json, Recursive } = document.components.schemas;
	assert.deepEqual(Json?.anyOf?.find((each) => each.type === "array")?.items, reference("Json"));
	assert.deepEqual(Recursive?.properties?.children?.items, reference("Recursive"));
});

test("a recursive schema keeps its name, or gets one if it is a whole body", () => {
	const Folder = z
		.strictObject({
			get folders() {
				return z.array(Folder);
			},
		})
		.meta({ id: "Folder" });
	const document = buildDocument(createRoute({ body: Tree, ...withResponse(Folder) }));
	assertReferencesResolve(document);
	assert.deepEqual(getRequestSchema(buildOnlyOperation(document)), reference("Recursive"));
	assert.deepEqual(document.components.schemas.Folder?.properties?.folders?.items, reference("Folder"));
});

test("lists path parameters in path order, then query parameters", () => {
	const Kind = z.enum(["a", "b"]).meta({ id: "Kind" });
	const document = buildDocument(
		createRoute({
			method: "GET",
			path: "/owners/{owner}/things/{id}/{other}",
			params: z.object({ id: z.uuid().meta({ description: "Its id" }), owner: z.string().optional() }),
			query: z.strictObject({
				kind: Kind,
				also: Kind.optional().meta({ description: "Another kind" }),
				limit: z.coerce.number<string>().int().default(20),
				filter: z.json().optional(),
			}),
		}),
	);
	assertReferencesResolve(document);
	const { parameters } = buildOnlyOperation(document, "get", "/owners/{owner}/things/{id}/{other}");
	assert.deepEqual(
		parameters.map((each) => [each.in, each.name, each.required, each.description]),
		[
			["path", "owner", true, undefined],
			["path", "id", true, "Its id"],
			["path", "other", true, undefined],
			["query", "kind", true, undefined],
			["query", "also", false, "Another kind"],
			["query", "limit", false, undefined],
			["query", "filter", false, undefined],
		],
	);
	const findParameterSchema = (name: string) => parameters.find((each) => each.name === name)?.schema;
	assert.equal(findParameterSchema("id")?.format, "uuid");
	assert.deepEqual(findParameterSchema("other"), { type: "string" });
	assert.deepEqual(findParameterSchema("kind"), reference("Kind"));
	assert.deepEqual(findParameterSchema("also"), reference("Kind"));
	assert.deepEqual(findParameterSchema("filter"), reference("Json"));
	assert.equal(findParameterSchema("limit")?.default, 20);
});

test("a named query schema is expanded into its fields", () => {
	const Query = z.strictObject({ kind: z.string(), size: z.string().optional() }).meta({ id: "Query" });
	const document = buildDocument(createRoute({ method: "GET", query: Query }));
	assertReferencesResolve(document);
	assert.deepEqual(
		buildOnlyOperation(document, "get").parameters.map((each) => [each.name, each.required]),
		[
			["kind", true],
			["size", false],
		],
	);
});

test("a response can have a JSON body, other content types, or both", () => {
	const document = buildDocument(
		createRoute({
			responses: {
				200: { description: "JSON", body: Plain },
				201: { description: "A page", content: { "text/html": z.string() } },
				202: {
					description: "JSON or YAML",
					body: Plain,
					content: { "application/yaml": Plain.meta({ description: "As it was written" }) },
				},
				203: {
					description: "JSON or events",
					body: Plain,
					content: { "text/event-stream": z.string().meta({ description: "`started`, then `result`" }) },
				},
				204: { description: "Nothing" },
			},
		}),
	);
	assertReferencesResolve(document);
	const { responses } = buildOnlyOperation(document);
	const json = { "application/json": { schema: reference("Plain") } };
	assert.deepEqual(responses[200], { description: "JSON", content: json });
	assert.deepEqual(responses[201]?.content, { "text/html": { schema: { type: "string" } } });
	assert.deepEqual(responses[202]?.content, {
		...json,
		"application/yaml": { schema: { ...reference("Plain"), description: "As it was written" } },
	});
	assert.deepEqual(responses[203]?.content, {
		...json,
		"text/event-stream": { schema: { type: "string", description: "`started`, then `result`" } },
	});
	assert.deepEqual(responses[204], { description: "Nothing" });
	assert.deepEqual(Object.keys(responses.default?.content?.["application/json"]?.schema.properties ?? {}), [
		"error",
		"issues",
	]);
});

test("a body that the handler reads lists every accepted content type", () => {
	const document = buildDocument(
		createRoute({ accepts: { "application/json": Slot, "application/yaml": Slot } }),
		createRoute({ method: "PUT", body: Slot }),
	);
	assertReferencesResolve(document);
	const json = { "application/json": { schema: reference("Slot") } };
	assert.deepEqual(buildOnlyOperation(document).requestBody?.content, {
		...json,
		"application/yaml": { schema: reference("Slot") },
	});
	assert.deepEqual(buildOnlyOperation(document, "put").requestBody, { required: true, content: json });
});

test("a request body is required unless its schema is optional", () => {
	const document = buildDocument(
		createRoute({ accepts: { "application/json": Slot, "application/yaml": Slot } }),
		createRoute({ method: "PUT", accepts: { "application/json": Slot.optional() } }),
	);
	assertReferencesResolve(document);
	assert.equal(buildOnlyOperation(document).requestBody?.required, true);
	assert.deepEqual(buildOnlyOperation(document, "put").requestBody, {
		required: false,
		content: { "application/json": { schema: reference("Slot") } },
	});
});
