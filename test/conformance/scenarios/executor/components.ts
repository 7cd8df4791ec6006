import assert from "node:assert/strict";
import { ComponentDetail, ComponentList, Validation } from "@tripline/contract/executor";
import { ComponentPage } from "@tripline/contract/market";
import { WriteApiRecipe } from "@tripline/contract/recipes";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";
import { openHost } from "./outside-host.ts";
import { install, recipeManifest } from "./publishing.ts";
import { getNamedPath, save, says } from "./saving.ts";
import { onSeeded } from "./seeded.ts";

/** The components that the decisions require. */
const BUILT_IN = [
	"set",
	"template",
	"compute",
	"filter",
	"map",
	"sort",
	"aggregate",
	"merge",
	"if",
	"switch",
	"foreach",
	"repeat",
	"wait",
	"ask",
	"wait_for",
	"parse",
	"crypto",
	"datetime",
	"respond",
	"fail",
	"workflow",
	"kb_search",
	"kb_get",
	"kb_upsert",
	"kb_ingest_triplet",
	"kb_neighbors",
	"kb_list",
	"kb_delete",
	"kb_why",
	"record_save",
	"record_list",
	"state_get",
	"state_set",
	"state_increment",
	"emit_event",
	"http_request",
	"code",
	"llm_chat",
	"agent",
	"embed",
	"google_sheets_rows",
	"sql_query",
	"email_send",
	"make_file",
	"file_keep",
	"file_list",
	"file_delete",
	"file_link",
	"folder",
];

const ROUTES = [
	"POST /webhooks",
	"GET /webhooks",
	"DELETE /webhooks/{token}",
	"POST /webhooks/{token}/trigger",
	"POST /webhooks/named",
	"GET /webhooks/named",
	"GET /webhooks/named/{name}",
	"DELETE /webhooks/named/{name}",
	"POST /webhooks/named/{name}/trigger",
	"POST /webhooks/named/{namespace}/{name}/trigger",
	"POST /webhooks/named/{name}/query",
	"GET /q/{namespace}/{name}",
	"POST /workflows",
	"POST /workflows/validate",
	"POST /workflows/backfill-search-entries",
	"GET /workflows/{name}/executions",
	"GET /executions/{id}",
	"GET /portal/data/workflows",
	"POST /events",
	"POST /files",
	"GET /files",
	"GET /files/{id}",
	"DELETE /files/{id}",
	"GET /files/{id}/content",
	"POST /files/{id}/link",
	"GET /components",
	"GET /components/{id}",
	"PUT /components/{id}",
	"DELETE /components/{id}",
	"GET /recipes",
	"GET /recipes/{id}",
	"PUT /recipes/{id}",
	"DELETE /recipes/{id}",
	"GET /auth-recipes",
	"GET /auth-recipes/{id}",
	"PUT /auth-recipes/{id}",
	"DELETE /auth-recipes/{id}",
	"POST /init/seed",
	"GET /registry/components",
	"GET /registry/components/{id}",
	"GET /registry/components/{id}/{version}",
	"POST /registry/components/{id}/installs",
	"POST /registry/submissions",
	"GET /registry/submissions/{id}",
	"POST /registry/submissions/{id}/review",
	"GET /registry/stats",
	"GET /credentials",
	"PUT /credentials/{name}",
	"DELETE /credentials/{name}",
	"GET /healthz",
	"GET /readyz",
	"GET /openapi.json",
	"GET /docs",
];

const Content = z.record(z.string(), z.looseObject({ schema: z.looseObject({}) }));
const Operation = z.looseObject({
	operationId: z.string(),
	summary: z.string().min(1),
	security: z.array(z.record(z.string(), z.array(z.string()))),
	requestBody: z.object({ content: Content }).optional(),
	responses: z.record(z.string(), z.looseObject({ description: z.string(), content: Content.optional() })),
});
const OpenApi = z.looseObject({
	openapi: z.literal("3.1.0"),
	paths: z.record(z.string(), z.record(z.string(), Operation)),
});

/** All types of JSON Schema. */
const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Whether a value looks like a JSON Schema. */
function checkSchema(schema: unknown, where: string): void {
	if (typeof schema === "boolean") return;
	assert.ok(typeof schema === "object" && schema !== null && !Array.isArray(schema), where);
	const { type, required, properties, items, anyOf } = schema as Readonly<Record<string, unknown>>;
	for (const each of type === undefined ? [] : [type].flat())
		assert.ok(TYPES.includes(each as string), where);
	const named = Object.entries((properties ?? {}) as object);
	for (const [name, inner] of named) checkSchema(inner, `${where}.${name}`);
	for (const name of (required ?? []) as string[])
		assert.ok(
			named.some(([own]) => own === name),
			`${where}.${name}`,
		);
	for (const inner of [items, anyOf].flat()) if (inner !== undefined) checkSchema(inner, where);
}

const readType = ({ headers }: { readonly headers: Headers }) => headers.get("content-type")?.split(";")[0];

const StrictDetail = ComponentDetail.strict();

const Example = z.object({
	title: z.string(),
	/** The node's settings in a document. */
	params: z.record(z.string(), z.unknown()),
	error: z.string().optional(),
});

const all: readonly Scenario[] = [
	{
		name: "every listed component can be fetched with the same description, JSON Schema and examples that compile",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			const market = await world.anyone.expect(200, ComponentPage, "GET", "/registry/components", {
				query: { q: "slugify" },
			});
			const slugify = market.components.find(({ id }) => id === "slugify");
			assert.ok(slugify !== undefined);
			const { version, sha256 } = slugify;
			await install(world, "slugify", version, sha256);
			const { recipe } = recipeManifest("x", host);
			const own = { ...recipe, auth: null, title: "Own desk", description: "Own" };
			await world.executor.expect(201, WriteApiRecipe, "PUT", "/recipes/own-desk", { body: own });
			const { components: listed } = await world.executor.expect(200, ComponentList, "GET", "/components");
			const sources = new Map(listed.map(({ id, source }) => [id, source]));
			assert.deepEqual(
				["set", "code", "github.create_issue", "own-desk.get_ticket", "slugify"].map((id) => sources.get(id)),
				["built-in", "built-in", "recipe", "recipe", "installed"],
			);
			const config: Record<string, { component: string }> = {};
			for (const item of listed) {
				const path = `/components/${item.id}`;
				const detail = await world.executor.expect(200, StrictDetail, "GET", path);
				const { params, output, expressions, hosts, takes_credentials, auth_recipes, examples, ...same } =
					detail;
				assert.deepEqual(same, item);
				assert.equal(params.type, "object", item.id);
				checkSchema(params, `${item.id} params`);
				checkSchema(output, `${item.id} output`);
				for (const name of Object.keys(expressions)) {
					assert.ok(Object.hasOwn(params.properties as object, name), `${item.id} ${name}`);
				}
				if (!takes_credentials) assert.deepEqual(auth_recipes ?? [], [], item.id);
				if (item.source === "recipe") assert.ok(hosts.length > 0, item.id);
				if (item.id !== "own-desk.get_ticket") assert.ok(examples.length > 0, item.id);
				for (const { title, params: settings, error } of z.array(Example).parse(examples)) {
					if (error === undefined) config[`${item.id}: ${title}`] = { component: item.id, ...settings };
				}
			}
			const assertCompiles = async (triplets: readonly string[], config: object) => {
				const { diagnostics } = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
					body: { name: "examples", description: "", version: "1", triplets, config },
				});
				// No folder of this service is open to workflows, and a Worker reaches no database.
				const errors = diagnostics.filter(
					({ severity, code }) => severity === "error" && code !== "unavailable",
				);
				assert.deepEqual(errors, []);
			};
			const isRepeat = ([, { component }]: [string, { component: string }]) => component === "repeat";
			const nodes = Object.entries(config);
			const plain = nodes.filter((node) => !isRepeat(node));
			await assertCompiles(
				plain.map(([node]) => `input >> ON_SUCCESS >> ${node}`),
				Object.fromEntries(plain),
			);
			// Each repeats a node of its own.
			const check = { component: "set", values: { turn: "{{page}}" } };
			for (const [, repeat] of nodes.filter(isRepeat))
				await assertCompiles(["poll >> REPEAT page >> check"], { poll: repeat, check });
			const { components: open } = await world.anyone.expect(200, ComponentList, "GET", "/components");
			const ownIds = ["own-desk.get_ticket", "slugify"];
			assert.deepEqual(
				open.map(({ id }) => id),
				listed.map(({ id }) => id).filter((id) => !ownIds.includes(id)),
			);
		},
	},
	{
		name: "GET /components lists every built-in component",
		cites: [],
		async run(world) {
			const { components } = await world.anyone.expect(200, ComponentList, "GET", "/components");
			const ids = components.map(({ id }) => id);
			for (const id of BUILT_IN) assert.ok(ids.includes(id), id);
			assert.equal(new Set(ids).size, ids.length);
			for (const { id, title, description, version, source } of components) {
				assert.ok(title !== "" && description !== "" && version !== "");
				assert.equal(source, BUILT_IN.includes(id) ? "built-in" : "recipe");
			}
		},
	},
	{
		name: "GET /components/{id} describes parameters, output and examples",
		cites: [],
		async run(world) {
			for (const id of BUILT_IN) {
				const component = await world.anyone.expect(200, ComponentDetail, "GET", `/components/${id}`);
				assert.equal(component.id, id);
				assert.equal(component.params.type, "object", id);
				assert.ok(component.examples.length > 0, id);
			}
			const condition = await world.anyone.expect(200, ComponentDetail, "GET", "/components/if");
			assert.deepEqual(condition.params.required, ["condition"]);
			assert.deepEqual(Object.keys(condition.expressions), ["condition"]);
		},
	},
	{
		name: "a component that does not exist returns 404",
		cites: [],
		async run(world) {
			for (const id of ["nothing", "__proto__", "constructor", "SET"]) {
				const refused = await world.anyone.refuse(404, "GET", `/components/${id}`);
				assert.deepEqual(refused, { error: "component not found" });
			}
		},
	},
	{
		name: "the executor's OpenAPI document lists every route and which ones need the tenant header",
		cites: [],
		async run(world) {
			const { paths } = await world.anyone.expect(200, OpenApi, "GET", "/openapi.json");
			const operations = Object.entries(paths).flatMap(([path, methods]) =>
				Object.entries(methods).map(([method, operation]) => ({
					route: `${method.toUpperCase()} ${path}`,
					...operation,
				})),
			);
			const listed = operations.map(({ route }) => route);
			assert.deepEqual(
				ROUTES.filter((route) => !listed.includes(route)),
				[],
			);
			assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
			const findSecurity = (route: string) => operations.find((each) => each.route === route)?.security;
			for (const open of [
				"POST /webhooks/{token}/trigger",
				"POST /webhooks/named/{namespace}/{name}/trigger",
			]) {
				assert.deepEqual(findSecurity(open), [], open);
			}
			assert.ok(findSecurity("GET /webhooks/named")?.every((way) => "tenant" in way));
			for (const { route, responses } of operations) assert.ok("default" in responses, route);
		},
	},
	{
		name: "the executor's OpenAPI document lists the content types of requests and responses",
		cites: [],
		async run(world) {
			const { paths } = await world.anyone.expect(200, OpenApi, "GET", "/openapi.json");
			for (const path of ["/workflows", "/workflows/validate", "/webhooks/named", "/webhooks"]) {
				const { content } = paths[path]?.post?.requestBody ?? {};
				assert.deepEqual(Object.keys(content ?? {}), ["application/json", "application/yaml"], path);
				assert.deepEqual(content?.["application/yaml"], content?.["application/json"], path);
			}
			const getContent = (path: string, method: string) =>
				paths[path]?.[method]?.responses[200]?.content ?? {};
			const read = getContent("/webhooks/named/{name}", "get");
			assert.deepEqual(Object.keys(read), ["application/json", "application/yaml"]);
			assert.match(String(read["application/yaml"]?.schema.description), /comments/);
			assert.equal(read["application/yaml"]?.schema.$ref, read["application/json"]?.schema.$ref);
			await save(world, says("read", "hello"));
			for (const accept of Object.keys(read)) {
				const answer = await world.executor.call("GET", getNamedPath("read"), { headers: { accept } });
				assert.deepEqual([answer.status, readType(answer)], [200, accept]);
			}
			for (const [path, method] of [
				["/q/{namespace}/{name}", "get"],
				["/webhooks/named/{name}/query", "post"],
			] as const) {
				assert.deepEqual(Object.keys(getContent(path, method)), ["application/json", "*/*"], path);
			}
		},
	},
	{
		name: "the executor's /docs page loads nothing from other hosts",
		cites: [],
		async run(world) {
			const { status, headers, body } = await world.anyone.call("GET", "/docs");
			assert.equal(status, 200);
			assert.match(headers.get("content-type") ?? "", /^text\/html/);
			assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
			assert.match(String(body), /id="post_webhooks_token_trigger"/);
			assert.doesNotMatch(String(body), /<script|src=/);
		},
	},
	{
		name: "the executor returns 200 for health, 404 for an unknown path and 405 with Allow for another method",
		cites: ["EXEC-JSON-BODIES"],
		async run(world) {
			assert.deepEqual((await world.anyone.call("GET", "/healthz")).body, { status: "ok" });
			assert.deepEqual((await world.anyone.call("GET", "/readyz")).body, { status: "ready" });
			for (const path of ["/nothing", "/webhooks/", "//webhooks", "/webhooks/named/a/b/c/d", "/entries"]) {
				assert.deepEqual(await world.executor.refuse(404, "GET", path), { error: "not found" }, path);
			}
			const answer = await world.executor.call("PATCH", "/webhooks");
			assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST, GET, HEAD"]);
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
		},
	},
];

export const components: readonly Scenario[] = all.map(onSeeded);
