import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import { systemClock } from "@tripline/platform/clock";
import * as z from "zod";
import { type AppDeps, createApp } from "../src/app.ts";
import { mount } from "../src/mount.ts";
import { type Route, reply, route } from "../src/route.ts";

const deps = { clock: systemClock, log: () => {} };

const app = (title: string, routes: readonly Route<string>[], given: Partial<AppDeps<string>> = {}) =>
	createApp<string>({
		...deps,
		title,
		version: "1",
		routes,
		authenticate: () => title,
		ready: async () => true,
		maxBodyBytes: 1_000,
		...given,
	});

const createRoute = (path: string, method: "GET" | "POST" = "GET"): Route<string> =>
	route({
		method,
		path,
		tag: "Test",
		summary: "Who answers, and to what",
		responses: { 200: { description: "It", body: z.object({ caller: z.string() }) } },
		...(method === "POST" && { body: z.looseObject({}) }),
		handle: ({ caller, request }) => reply(200, { caller, url: request.url }),
	}) as Route<string>;

const refused: Route<string> = route({
	method: "GET",
	path: "/broken/{id}",
	tag: "Test",
	summary: "Fails",
	responses: {},
	handle() {
		throw new Failed({ kind: "forbidden", message: "no" });
	},
});

const mountAll = (given: Partial<AppDeps<string>> = {}) =>
	mount(
		app("first", [createRoute("/webhooks/{token}"), createRoute("/webhooks", "POST")]),
		[
			{ app: app("second", [createRoute("/gui/all"), createRoute("/"), refused], given) },
			{
				app: app("third", [createRoute("/things"), createRoute("/things", "POST")], { maxBodyBytes: 10 }),
				under: "/registry",
			},
		],
		deps,
	);

const get = async (path: string, given?: Partial<AppDeps<string>>) => {
	const response = await mountAll(given).fetch(new Request(`http://registry${path}`));
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe("apps at one address", () => {
	test("each app answers at its own paths, with its own authentication", async () => {
		assert.equal((await get("/webhooks/1")).body.caller, "first");
		assert.equal((await get("/gui/all")).body.caller, "second");
		assert.equal((await get("/")).body.caller, "second");
	});

	test("an app under a prefix sees paths without the prefix", async () => {
		const { body } = await get("/registry/things?a=/registry");
		assert.deepEqual(body, { caller: "third", url: "http://registry/things?a=/registry" });
		assert.equal((await get("/registry")).status, 404);
		assert.equal((await get("/things")).status, 404);
		assert.equal((await get("/registryx/things")).status, 404);
	});

	test("each app has its own body limit", async () => {
		const post = (path: string) =>
			mountAll().fetch(
				new Request(`http://h${path}`, { method: "POST", body: JSON.stringify({ a: "x".repeat(100) }) }),
			);
		assert.equal((await post("/webhooks")).status, 200);
		assert.equal((await post("/registry/things")).status, 413);
	});

	test("each app maps its own errors", async () => {
		assert.equal((await get("/broken/1")).status, 403);
		assert.equal((await get("/broken/1", { toFailure: () => null })).status, 403);
	});

	test("one OpenAPI document describes all apps", async () => {
		const { body } = await get("/openapi.json");
		assert.deepEqual(Object.keys(body.paths as object).sort(), [
			"/",
			"/broken/{id}",
			"/docs",
			"/gui/all",
			"/healthz",
			"/openapi.json",
			"/readyz",
			"/registry/things",
			"/webhooks",
			"/webhooks/{token}",
		]);
		assert.equal((body.info as { title: string }).title, "first");
	});

	test("ready only if all apps are ready", async () => {
		assert.equal((await get("/readyz")).status, 200);
		assert.equal((await get("/readyz", { ready: async () => false })).status, 503);
		assert.equal((await get("/readyz", { ready: () => Promise.reject(new Error("down")) })).status, 503);
	});

	test("an unknown path is answered by the first app", async () => {
		assert.equal((await get("/nothing")).status, 404);
		assert.equal((await get("/healthz/more")).status, 404);
	});

	test("rejects two apps with the same path", () => {
		const one = app("one", [createRoute("/a/b")]);
		assert.throws(() => mount(one, [{ app: app("two", [createRoute("/a/c")]) }], deps), /in two apps/);
		assert.throws(
			() => mount(one, [{ app: app("two", [createRoute("/c")]), under: "/a" }], deps),
			/in two apps/,
		);
	});
});
