import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { CONSOLE_ROUTES } from "../../../../test/conformance/scenarios/mcp/surface.ts";
import { startWorld } from "./world.ts";

const world = await startWorld();

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
		assert.deepEqual(described.sort(), CONSOLE_ROUTES.toSorted());
	});

	const OF: Readonly<Record<string, readonly string[]>> = {
		store: ["/gui/overview", "/gui/executions", "/gui/entries", "/gui/graph/neighbors/a", "/gui/workflows"],
		executor: [
			"/gui/workflows",
			"/gui/workflows/w",
			"/gui/components",
			"/gui/credentials",
			"/gui/auth-recipes",
			"/gui/recipes",
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
