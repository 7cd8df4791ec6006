import assert from "node:assert/strict";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import {
	createWorkflow,
	echo,
	fails,
	getNamedPath,
	listStored,
	save,
	says,
	waitForRecords,
} from "./saving.ts";

type Answer = Awaited<ReturnType<World["call"]>>;

const OPEN = { options: { query: true } };

const query = (world: World, name: string, body: object = {}, search: Record<string, string> = {}) =>
	world.executor.call("POST", getNamedPath(name, "query"), { body, query: search });

const ask = (world: World, name: string, search: Record<string, string | string[]> = {}) =>
	world.anyone.call("GET", `/q/${world.owner}/${encodeURIComponent(name)}`, { query: search });

/** A page from a workflow must not run in this origin. */
function assertSandboxed({ headers }: Answer) {
	assert.equal(headers.get("x-content-type-options"), "nosniff");
	assert.equal(headers.get("content-security-policy"), "sandbox");
	assert.equal(headers.get("set-cookie"), null);
}

const respond = (name: string, params: object) =>
	createWorkflow(name, { component: "respond", ...params }, OPEN);

export const queries: readonly Scenario[] = [
	{
		name: "a query returns only the run's data",
		cites: [],
		async run(world) {
			await save(world, echo("echo"));
			await save(world, says("text", "just words"));
			const answer = await query(world, "echo", { id: 7 });
			assert.equal(answer.status, 200);
			assert.deepEqual(answer.body, { got: { id: 7 } });
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
			assertSandboxed(answer);
			assert.equal((await query(world, "text")).body, "just words");
			assert.equal((await waitForRecords(world, "echo", 1))[0]?.trigger, "query");
			await world.anyone.refuse(401, "POST", getNamedPath("echo", "query"));
		},
	},
	{
		name: "query parameters are the trigger context, and the body overrides them",
		cites: [],
		async run(world) {
			await save(world, echo("echo", OPEN));
			assert.deepEqual((await ask(world, "echo", { a: "1", 名: "茶 & co" })).body, {
				got: { a: "1", 名: "茶 & co" },
			});
			assert.deepEqual((await ask(world, "echo")).body, { got: {} });
			assert.deepEqual((await query(world, "echo", { a: 2 }, { a: "1", b: "x" })).body, {
				got: { a: 2, b: "x" },
			});
			assert.deepEqual((await ask(world, "echo", { tag: ["a", "b"] })).body, { got: { tag: ["a", "b"] } });
			const odd = await ask(world, "echo", { ["__proto__"]: "x" });
			assert.equal(odd.status, 200);
			assert.equal(({} as Record<string, unknown>).x, undefined);
		},
	},
	{
		name: "GET /q runs only workflows with options.query true; others return 404",
		cites: [],
		async run(world) {
			await save(world, says("closed", "x"));
			await save(world, says("shut", "x", { options: { query: false } }));
			await save(world, says("open 門", "welcome", OPEN));
			assert.equal((await ask(world, "open 門")).body, "welcome");
			for (const name of ["closed", "shut", "nothing"]) {
				const { status, body } = await ask(world, name);
				assert.deepEqual([status, body], [404, { error: "workflow not found" }], name);
			}
			assert.equal((await query(world, "closed")).status, 200);
			await world.anyone.refuse(405, "POST", `/q/${world.owner}/open%20%E9%96%80`);
			await save(world, says("open 門", "x"));
			assert.equal((await ask(world, "open 門")).status, 404);
		},
	},
	{
		name: "respond sets status, headers and body of a query's response",
		cites: [],
		async run(world) {
			await save(
				world,
				respond("page", {
					status: 203,
					headers: { "Content-Type": "text/html; charset=utf-8", "cache-control": "max-age=60" },
					body: "<h1>{{input.title}}</h1>",
				}),
			);
			const page = await ask(world, "page", { title: "茶" });
			assert.equal(page.status, 203);
			assert.equal(page.body, "<h1>茶</h1>");
			assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
			assert.equal(page.headers.get("cache-control"), "max-age=60");
			assertSandboxed(page);
			await save(world, respond("missing", { status: 404, body: { error: "no order {{input.id}}" } }));
			const missing = await ask(world, "missing", { id: "7" });
			assert.deepEqual([missing.status, missing.body], [404, { error: "no order 7" }]);
			assertSandboxed(missing);
			await save(world, respond("words", { body: "plain" }));
			const words = await query(world, "words");
			assert.match(words.headers.get("content-type") ?? "", /^text\/plain/);
			assert.equal(words.body, "plain");
			await save(world, respond("moved", { status: 302, headers: { location: "/elsewhere" } }));
			const moved = await ask(world, "moved");
			assert.deepEqual([moved.status, moved.headers.get("location")], [302, "/elsewhere"]);
			await save(world, respond("nothing", { status: 204 }));
			const nothing = await ask(world, "nothing");
			assert.deepEqual([nothing.status, nothing.body], [204, ""]);
			assertSandboxed(nothing);
		},
	},
	{
		name: "a trigger of a workflow with respond still returns the run's result",
		cites: [],
		async run(world) {
			await save(world, respond("page", { status: 404, body: "gone" }));
			const result = await world.executor.expect(200, RunResult, "POST", getNamedPath("page", "trigger"));
			assert.equal(result.data, "gone");
		},
	},
	{
		name: "respond cannot set cookies, allow other origins or disable the sandbox",
		cites: [],
		async run(world) {
			for (const name of [
				"set-cookie",
				"access-control-allow-origin",
				"Content-Security-Policy",
				"x-accel-redirect",
			]) {
				const body = respond("bad", { headers: { [name]: "x" }, body: "x" });
				const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", { body });
				assert.match(diagnostics?.[0]?.message ?? "", /not allowed/);
			}
			await save(world, respond("sly", { headers: "{{input.headers}}", body: "x" }));
			const answer = await query(world, "sly", { headers: { "set-cookie": "a=b" } });
			assert.equal(answer.status, 500);
			assertSandboxed(answer);
			const split = await query(world, "sly", { headers: { etag: "a\r\nset-cookie: a=b" } });
			assert.equal(split.status, 500);
			assertSandboxed(split);
			assert.deepEqual(
				(await listStored(world, "workflow")).map(({ page_name }) => page_name),
				["sly"],
			);
		},
	},
	{
		name: "a query whose run fails returns 500 with the result, in the sandbox",
		cites: [],
		async run(world) {
			await save(world, fails("broken", "no <b>paper</b>", OPEN));
			const answer = await ask(world, "broken");
			assert.equal(answer.status, 500);
			assert.equal(RunResult.parse(answer.body).error, "only: no <b>paper</b>");
			assertSandboxed(answer);
			assert.equal((await waitForRecords(world, "broken", 1))[0]?.verdict, "failed");
		},
	},
	{
		name: "a query's context is checked against the workflow's input schema",
		cites: [],
		async run(world) {
			const input_schema = {
				type: "object",
				required: ["id"],
				properties: { id: { type: "string", minLength: 2 } },
			};
			await save(world, echo("strict", { options: { query: true, input_schema } }));
			assert.equal((await ask(world, "strict", { id: "ab" })).status, 200);
			for (const search of [{}, { id: "a" }] as Record<string, string>[]) {
				const { status, body } = await ask(world, "strict", search);
				assert.equal(status, 422);
				assert.equal((body as { issues: { path: string }[] }).issues[0]?.path, "id");
			}
			await waitForRecords(world, "strict", 1);
		},
	},
];
