import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { startWorld } from "./world.ts";

const world = await startWorld();

const ROUTES = [
	"GET /gui/session",
	"GET /gui/overview",
	"GET /gui/workflows",
	"POST /gui/validate",
	"GET /gui/workflows/{name}",
	"PUT /gui/workflows/{name}",
	"DELETE /gui/workflows/{name}",
	"POST /gui/workflows/{name}/run",
	"GET /gui/executions",
	"GET /gui/executions/{id}",
	"GET /gui/entries",
	"POST /gui/entries",
	"GET /gui/entries/{id}",
	"PUT /gui/entries/{id}",
	"DELETE /gui/entries/{id}",
	"POST /gui/search",
	"GET /gui/graph/neighbors/{name}",
	"GET /gui/graph/traverse",
	"GET /gui/graph/search",
	"GET /gui/graph/source/{name}",
	"GET /gui/graph/why",
	"GET /gui/graph/start",
	"GET /gui/components",
	"GET /gui/components/{id}",
	"PUT /gui/components/{id}",
	"DELETE /gui/components/{id}",
	"GET /gui/registry/components",
	"GET /gui/registry/components/{id}",
	"GET /gui/registry/components/{id}/{version}",
	"GET /gui/credentials",
	"PUT /gui/credentials/{name}",
	"DELETE /gui/credentials/{name}",
	"GET /gui/auth-recipes",
	"GET /gui/tokens",
	"DELETE /gui/tokens/{id}",
	"GET /gui/connect",
	"POST /gui/connect/verify",
];

const Operation = z.object({
	summary: z.string().min(1),
	tags: z.tuple([z.literal("Console")]),
	responses: z.record(z.string(), z.object({ description: z.string(), content: z.looseObject({}) })),
});

describe("the console's endpoints", () => {
	test("are all documented", async () => {
		const { body } = await world.call("GET", "/openapi.json");
		const { paths } = z
			.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
			.parse(body);
		const described = Object.entries(paths)
			.filter(([path]) => path.startsWith("/gui/"))
			.flatMap(([path, methods]) =>
				Object.entries(methods).map(([method, operation]) => {
					Operation.parse(operation);
					return `${method.toUpperCase()} ${path}`;
				}),
			);
		assert.deepEqual(described.sort(), [...ROUTES].sort());
	});

	const OF: Readonly<Record<string, readonly string[]>> = {
		store: ["/gui/overview", "/gui/executions", "/gui/entries", "/gui/graph/neighbors/a", "/gui/workflows"],
		executor: [
			"/gui/workflows",
			"/gui/workflows/w",
			"/gui/components",
			"/gui/credentials",
			"/gui/auth-recipes",
		],
		registry: ["/gui/registry/components", "/gui/registry/components/a"],
	};
	for (const service of ["store", "executor", "registry"] as const) {
		test(`answer 503 while the ${service} is unavailable, and recover afterwards`, async () => {
			await world.runWithout(service, async () => {
				for (const path of OF[service] ?? []) {
					const { headers } = await world.refuse(503, "GET", path);
					assert.ok(Number(headers.get("retry-after")) >= 1);
				}
			});
			assert.notEqual((await world.call("GET", OF[service]?.[0] ?? "")).status, 503);
		});
	}
});
