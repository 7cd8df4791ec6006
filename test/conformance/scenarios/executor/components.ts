import assert from "node:assert/strict";
import { ComponentDetail, ComponentList } from "@tripline/contract/executor";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";

/** What decisions promise without a network, a model or a sandbox. */
const BUILT_IN = [
	"set",
	"template",
	"filter",
	"map",
	"sort",
	"aggregate",
	"merge",
	"if",
	"switch",
	"foreach",
	"wait",
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
	"emit_event",
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
	"GET /components",
	"GET /components/{id}",
	"GET /credentials",
	"PUT /credentials/{name}",
	"DELETE /credentials/{name}",
	"GET /healthz",
	"GET /readyz",
	"GET /openapi.json",
	"GET /docs",
];

const Operation = z.looseObject({
	operationId: z.string(),
	summary: z.string().min(1),
	security: z.array(z.record(z.string(), z.array(z.string()))),
	responses: z.record(z.string(), z.looseObject({ description: z.string() })),
});
const OpenApi = z.looseObject({
	openapi: z.literal("3.1.0"),
	paths: z.record(z.string(), z.record(z.string(), Operation)),
});

export const components: readonly Scenario[] = [
	{
		name: "GET /components lists every built-in component",
		cites: [],
		async run(world) {
			const { components } = await world.anyone.expect(200, ComponentList, "GET", "/components");
			const ids = components.map(({ id }) => id);
			for (const id of BUILT_IN) assert.ok(ids.includes(id), id);
			assert.equal(new Set(ids).size, ids.length);
			for (const { title, description, version, source } of components) {
				assert.ok(title !== "" && description !== "" && version !== "");
				assert.equal(source, "built-in");
			}
		},
	},
	{
		name: "GET /components/{id} describes the parameters, the output and examples of each",
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
		name: "a component that does not exist gives 404",
		cites: [],
		async run(world) {
			for (const id of ["nothing", "__proto__", "constructor", "SET"]) {
				const refused = await world.anyone.refuse(404, "GET", `/components/${id}`);
				assert.deepEqual(refused, { error: "component not found" });
			}
		},
	},
	{
		name: "the executor's OpenAPI document lists every route, and says which need the tenant header",
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
			const securityOf = (route: string) => operations.find((each) => each.route === route)?.security;
			for (const open of [
				"POST /webhooks/{token}/trigger",
				"POST /webhooks/named/{namespace}/{name}/trigger",
			]) {
				assert.deepEqual(securityOf(open), [], open);
			}
			assert.ok(securityOf("GET /webhooks/named")?.every((way) => "tenant" in way));
			for (const { route, responses } of operations) assert.ok("default" in responses, route);
		},
	},
	{
		name: "the executor's /docs is a page that needs nothing from elsewhere",
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
		name: "the executor's health answers 200, an unknown path 404 and another method 405 with Allow",
		cites: ["EXEC-JSON-BODIES"],
		async run(world) {
			assert.deepEqual((await world.anyone.call("GET", "/healthz")).body, { status: "ok" });
			assert.deepEqual((await world.anyone.call("GET", "/readyz")).body, { status: "ready" });
			for (const path of [
				"/",
				"/nothing",
				"/webhooks/",
				"//webhooks",
				"/webhooks/named/a/b/c/d",
				"/entries",
			]) {
				assert.deepEqual(await world.executor.refuse(404, "GET", path), { error: "not found" }, path);
			}
			const answer = await world.executor.call("PATCH", "/webhooks");
			assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST, GET, HEAD"]);
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
		},
	},
];
