import assert from "node:assert/strict";
import { CreatedWebhook } from "@tripline/contract/executor";
import { type JsonObject, RunResult } from "@tripline/contract/workflows";
import type { Scenario } from "../../scenario.ts";
import { type CallOptions, call, FORM, receive, refuse, webhook } from "./public-calls.ts";
import { createWorkflow, echo, getNamedPath, run, save, waitForRecords } from "./saving.ts";

const respond = (name: string, params: object, keys: object = {}) =>
	createWorkflow(name, { component: "respond", ...params }, webhook({ answer: "respond", ...keys }));

function buildMultipart(fields: Readonly<Record<string, string>>) {
	const boundary = "----scenario";
	const parts = Object.entries(fields).map(
		([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
	);
	return {
		raw: `${parts.join("")}--${boundary}--\r\n`,
		headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
	};
}

const bodies: readonly Scenario[] = [
	{
		name: "without keys, a trigger takes a body that is no JSON object as an empty input",
		cites: [],
		async run(world) {
			await save(world, echo("plain", webhook({})));
			for (const raw of ['{"x":1,}', "a=1&b=2", "[1]", "text"])
				assert.deepEqual(await receive(world, "plain", { raw, headers: FORM }), {});
			const { status, headers } = await call(world, "plain", {}, "GET");
			assert.deepEqual([status, headers.get("allow")], [405, "POST"]);
		},
	},
	{
		name: "accept json: malformed JSON is 400, another type 415, a list or scalar is input.body",
		cites: [],
		async run(world) {
			await save(world, echo("strict", webhook({ accept: ["json"] })));
			assert.deepEqual(await receive(world, "strict", { body: { x: 1 } }), { x: 1 });
			assert.deepEqual(await receive(world, "strict", { raw: '{"x":1}', headers: FORM }), { x: 1 });
			assert.deepEqual(await receive(world, "strict", { raw: "[1,2]" }), { body: [1, 2] });
			assert.deepEqual(await receive(world, "strict", { raw: "7" }), { body: 7 });
			assert.deepEqual(await receive(world, "strict"), {});
			assert.match(await refuse(world, 400, "strict", { raw: '{"x":1,}' }), /^invalid json/);
			assert.match(await refuse(world, 400, "strict", { raw: '{"x":1,}', headers: FORM }), /^invalid json/);
			const text = { raw: "hello", headers: { "content-type": "text/plain" } };
			assert.match(
				await refuse(world, 415, "strict", text),
				/text\/plain is not accepted: send application\/json/,
			);
			assert.match(await refuse(world, 415, "strict", { raw: "a=1", headers: FORM }), /not accepted/);
			const deep = "[".repeat(100) + "]".repeat(100);
			await refuse(world, 400, "strict", { raw: deep });
			await waitForRecords(world, "strict", 5);
		},
	},
	{
		name: "accept form: fields are the input, a repeated name is a list",
		cites: [],
		async run(world) {
			await save(world, echo("form", webhook({ accept: ["form"] })));
			const raw = "name=Ada+L%C3%B6w&tag=a&tag=b&__proto__=x&empty=";
			assert.deepEqual(await receive(world, "form", { raw, headers: FORM }), {
				name: "Ada Löw",
				tag: ["a", "b"],
				["__proto__"]: "x",
				empty: "",
			});
			assert.deepEqual(await receive(world, "form", buildMultipart({ name: "Ada", text: "a\r\nb" })), {
				name: "Ada",
				text: "a\r\nb",
			});
			assert.match(await refuse(world, 415, "form", { body: { x: 1 } }), /application\/json is not accepted/);
			await refuse(world, 400, "form", { raw: "a=%zz", headers: FORM });
			const many = Array.from({ length: 10_000 }, (_, nth) => `f${nth}=1`).join("&");
			await refuse(world, 413, "form", { raw: many, headers: FORM });
		},
	},
	{
		name: "hostile multipart bodies are refused",
		cites: [],
		async run(world) {
			await save(world, echo("form", webhook({ accept: ["form", "files"] })));
			const { raw, headers } = buildMultipart({ a: "1" });
			const type = (text: string) => ({ "content-type": text });
			const attempts: readonly CallOptions[] = [
				{ raw, headers: type("multipart/form-data") },
				{ raw, headers: type(`multipart/form-data; boundary=${"x".repeat(71)}`) },
				{ raw, headers: type("multipart/form-data; boundary=other") },
				{ raw: raw.slice(0, -6), headers },
				{ raw: raw.replace("\r\n\r\n", "\r\ncontent-type: multipart/mixed; boundary=b\r\n\r\n"), headers },
				{ raw: raw.replace('name="a"', ""), headers },
				{
					raw: raw.replace("content-disposition", `x-long: ${"y".repeat(9_000)}\r\ncontent-disposition`),
					headers,
				},
				buildMultipart(Object.fromEntries(Array.from({ length: 5_000 }, (_, nth) => [`f${nth}`, ""]))),
			];
			for (const attempt of attempts) {
				const { status } = await call(world, "form", attempt);
				assert.ok(status >= 400 && status < 500, `${status}: ${JSON.stringify(attempt).slice(0, 200)}`);
			}
		},
	},
	{
		name: "accept text: the body is input.text",
		cites: [],
		async run(world) {
			await save(world, echo("text", webhook({ accept: ["text"] })));
			const sent = { raw: "two\nlines, 茶", headers: { "content-type": "text/plain; charset=utf-8" } };
			assert.deepEqual(await receive(world, "text", sent), { text: "two\nlines, 茶" });
		},
	},
	{
		name: "max_bytes bounds the body below the service's own limit",
		cites: [],
		async run(world) {
			await save(world, echo("short", webhook({ accept: ["json"], max_bytes: 20 })));
			await receive(world, "short", { raw: '{"x":"0123456789"}' });
			assert.match(
				await refuse(world, 413, "short", { raw: '{"x":"0123456789012"}' }),
				/larger than 20 bytes/,
			);
		},
	},
	{
		name: "methods: the query parameters of a GET are the input, other methods are 405",
		cites: [],
		async run(world) {
			await save(world, echo("read", webhook({ methods: ["GET", "PUT"], accept: ["json"] })));
			const query = { id: "7", tag: ["a", "b"] };
			assert.deepEqual(await receive(world, "read", { query }, "GET"), { id: "7", tag: ["a", "b"] });
			assert.deepEqual(await receive(world, "read", { body: { x: 1 } }, "PUT"), { x: 1 });
			assert.equal((await call(world, "read", { query }, "HEAD")).status, 200);
			for (const method of ["POST", "PATCH", "DELETE", "OPTIONS"]) {
				const { status, headers } = await call(world, "read", {}, method);
				assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD, PUT"], method);
			}
			const unknown = await call(world, "nothing", {}, "GET");
			assert.deepEqual([unknown.status, unknown.headers.get("allow")], [405, "POST"]);
		},
	},
	{
		name: "the keys work for a token webhook too",
		cites: [],
		async run(world) {
			const { name: _, description: __, version: ___, ...graph } = echo("x", webhook({ methods: ["GET"] }));
			const body = { ...graph, description: "by token" };
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", { body });
			const answer = await world.anyone.call("GET", `/webhooks/${token}/trigger`, { query: { a: "1" } });
			assert.deepEqual(RunResult.parse(answer.body).data, { got: { a: "1" } });
			await world.anyone.refuse(405, "POST", `/webhooks/${token}/trigger`);
			await world.anyone.refuse(405, "GET", `/webhooks/${"x".repeat(32)}/trigger`);
		},
	},
	{
		name: "the owner may always post JSON and gets the run's result",
		cites: [],
		async run(world) {
			const keys = { methods: ["GET"], accept: ["form"], answer: "respond" };
			await save(world, echo("own", webhook(keys)));
			const { data } = await run(world, "own", { x: 1 });
			assert.deepEqual(data, { got: { x: 1 } });
			await world.executor.refuse(400, "POST", getNamedPath("own", "trigger"), { raw: "{" });
			await world.executor.refuse(405, "GET", getNamedPath("own", "trigger"));
		},
	},
];

const requests: readonly Scenario[] = [
	{
		name: "templates read the request without the caller's credentials",
		cites: [],
		async run(world) {
			const document = createWorkflow(
				"asked",
				{ component: "set", values: { request: "{{request}}", agent: '{{request.headers["user-agent"]}}' } },
				webhook({ methods: ["GET", "POST"], accept: ["json"] }),
			);
			await save(world, document);
			const headers = {
				"user-agent": "scenario/1",
				"x-custom": "kept",
				authorization: "Bearer hidden",
				"proxy-authorization": "hidden",
				cookie: "session=hidden",
			};
			const answer = await call(world, "asked", { body: {}, query: { a: "1" }, headers });
			const { request, agent } = RunResult.parse(answer.body).data as { request: JsonObject; agent: string };
			assert.equal(agent, "scenario/1");
			const { method, query, headers: seen, content_type } = request;
			assert.deepEqual([method, query, content_type], ["POST", { a: "1" }, "application/json"]);
			assert.equal((seen as JsonObject)["x-custom"], "kept");
			assert.ok(!JSON.stringify(answer.body).includes("hidden"));
		},
	},
	{
		name: "an accepted run reads the request too, and a run without one reads nothing in it",
		cites: [],
		async run(world) {
			const settings = {
				component: "set",
				values: { method: "{{request.method}}", query: "{{request.query}}" },
			};
			await save(world, createWorkflow("later", settings));
			await save(world, createWorkflow("calls", { component: "workflow", name: "later" }));
			const accepted = await call(world, "later", { body: {}, headers: { prefer: "respond-async" } });
			assert.equal(accepted.status, 202);
			await waitForRecords(world, "later", 1);
			assert.deepEqual((await run(world, "calls")).data, { method: null, query: {} });
		},
	},
	{
		name: "a node called request keeps its name, with a warning",
		cites: [],
		async run(world) {
			const document = {
				name: "old",
				description: "made before",
				version: "1",
				triplets: ["input >> then >> request", "request >> then >> last"],
				config: {
					request: { component: "set", values: { id: 7 } },
					last: { component: "set", values: { id: "{{request.id}}" } },
				},
			};
			const { diagnostics } = await save(world, document);
			assert.deepEqual(
				diagnostics.map(({ code, severity }) => [code, severity]),
				[["reserved_name", "warning"]],
			);
			assert.deepEqual((await run(world, "old")).data, { id: 7 });
		},
	},
];

const answers: readonly Scenario[] = [
	{
		name: "answer respond: status, headers and body are what respond set",
		cites: [],
		async run(world) {
			await save(
				world,
				respond("json", {
					status: 201,
					body: { id: 7 },
					headers: { "X-Shop": "1", "X-Request-Id": "forged", Vary: "accept" },
				}),
			);
			const json = await call(world, "json");
			assert.deepEqual([json.status, json.body], [201, { id: 7 }]);
			assert.equal(json.headers.get("x-shop"), "1");
			assert.notEqual(json.headers.get("x-request-id"), "forged");
			assert.equal(json.headers.get("vary"), "accept");
			await save(world, respond("page", { type: "html", body: "<h1>{{input.name | html}}</h1>" }));
			const page = await call(world, "page", { body: { name: "<script>" } });
			assert.equal(page.body, "<h1>&lt;script&gt;</h1>");
			assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
			assert.equal(page.headers.get("content-security-policy"), "sandbox");
			assert.equal(page.headers.get("x-content-type-options"), "nosniff");
			await save(world, respond("go", { redirect: "https://example.com/a b" }));
			const go = await call(world, "go");
			assert.deepEqual([go.status, go.headers.get("location")], [303, "https://example.com/a%20b"]);
			await save(world, echo("data", webhook({ answer: "respond" })));
			assert.deepEqual((await call(world, "data", { body: { x: 1 } })).body, { got: { x: 1 } });
		},
	},
	{
		name: "without answer respond, respond gives data only",
		cites: [],
		async run(world) {
			await save(
				world,
				createWorkflow("quiet", { component: "respond", status: 404, body: "no" }, webhook({})),
			);
			const answer = await call(world, "quiet");
			assert.equal(answer.status, 200);
			assert.equal(RunResult.parse(answer.body).data, "no");
		},
	},
	{
		name: "a failed run is 500 with its result, whatever the answer",
		cites: [],
		async run(world) {
			const document = {
				...respond("fails", { status: 200, body: "fine" }),
				triplets: ["input >> then >> only", "only >> then >> broken"],
			};
			const config = { ...document.config, broken: { component: "fail", message: "no stock" } };
			await save(world, { ...document, config });
			const answer = await call(world, "fails");
			assert.equal(answer.status, 500);
			assert.equal(RunResult.parse(answer.body).error, "broken: no stock");
		},
	},
	{
		name: "headers that a proxy acts on, set cookies or break the response are refused",
		cites: [],
		async run(world) {
			const names = [
				"x-accel-redirect",
				"X-Accel-Buffering",
				"x-sendfile",
				"set-cookie",
				"content-security-policy",
			];
			for (const name of names) {
				const body = respond("bad", { headers: { [name]: "/etc/passwd" }, body: "x" });
				await world.executor.refuse(400, "POST", "/webhooks/named", { body });
			}
			await save(world, respond("split", { headers: { "x-note": "{{input.note}}" }, body: "x" }));
			const split = await call(world, "split", { body: { note: "a\r\nset-cookie: a=b" } });
			assert.deepEqual([split.status, split.headers.get("set-cookie")], [500, null]);
			await save(world, respond("go", { redirect: "{{input.to}}" }));
			for (const to of [
				"javascript:alert(1)",
				"//evil.example",
				"/\t/evil.example",
				"/.//evil.example",
				"data:text/html,x",
				"\\\\evil",
			]) {
				const { status, headers } = await call(world, "go", { body: { to } });
				assert.deepEqual([status, headers.get("location")], [500, null], to);
			}
			const inside = await call(world, "go", { body: { to: "/thanks?n=茶" } });
			assert.equal(inside.headers.get("location"), "/thanks?n=%E8%8C%B6");
		},
	},
	{
		name: "a page gets a looser sandbox only if it asks, and never this origin",
		cites: [],
		async run(world) {
			for (const [page, policy] of [
				["forms", "sandbox allow-forms"],
				["scripts", "sandbox allow-forms allow-scripts"],
			] as const) {
				await save(world, respond("page", { type: "html", body: "<p>", page }));
				assert.equal((await call(world, "page")).headers.get("content-security-policy"), policy);
			}
		},
	},
	{
		name: "in multi-tenant mode a page gets a looser sandbox only at the pages' origin",
		cites: [],
		environment: {
			MULTI_TENANT: "true",
			STORE_INTERNAL_TOKEN: "internal-token-of-the-tests",
			PAGES_ORIGIN: "https://pages.example",
		},
		async run(world) {
			const {
				name: _,
				version: __,
				...body
			} = respond("page", { type: "html", body: "<p>", page: "scripts" });
			const { token } = await world.anyone.expect(201, CreatedWebhook, "POST", "/webhooks", { body });
			const page = await world.anyone.call("POST", `/webhooks/${token}/trigger`);
			assert.deepEqual([page.status, page.body], [200, "<p>"]);
			assert.equal(page.headers.get("content-security-policy"), "sandbox");
		},
	},
	{
		name: "an idempotent call gets the first shaped answer again",
		cites: [],
		async run(world) {
			await save(world, {
				...respond("once", { status: 202, headers: { "x-id": "{{id}}" }, body: "made {{id}}" }),
				triplets: ["input >> then >> id", "id >> then >> only"],
				config: {
					id: { component: "crypto", operation: "uuid" },
					only: { component: "respond", status: 404, headers: { "x-id": "{{id}}" }, body: "made {{id}}" },
				},
			});
			const headers = { "idempotency-key": "k1" };
			const first = await call(world, "once", { body: {}, headers });
			const again = await call(world, "once", { body: {}, headers });
			assert.equal(first.status, 404);
			assert.equal(again.headers.get("idempotent-replayed"), "true");
			assert.deepEqual([again.status, again.body], [first.status, first.body]);
			for (const name of ["x-id", "content-type", "content-security-policy"])
				assert.equal(again.headers.get(name), first.headers.get(name), name);
			await save(world, echo("read", webhook({ methods: ["GET"] })));
			assert.equal((await call(world, "read", { query: { a: "1" }, headers }, "GET")).status, 200);
			assert.equal((await call(world, "read", { query: { a: "2" }, headers }, "GET")).status, 422);
		},
	},
];

const ORIGIN = "https://shop.example";

const cors: readonly Scenario[] = [
	{
		name: "cors: a page of a listed origin may call and read the answer, also a refusal",
		cites: [],
		async run(world) {
			await save(world, echo("open", webhook({ accept: ["json"], cors: [ORIGIN] })));
			const preflight = await call(
				world,
				"open",
				{ headers: { origin: ORIGIN, "access-control-request-method": "POST" } },
				"OPTIONS",
			);
			assert.equal(preflight.status, 204);
			assert.equal(preflight.headers.get("access-control-allow-origin"), ORIGIN);
			assert.equal(preflight.headers.get("access-control-allow-methods"), "POST");
			assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /content-type/);
			const answer = await call(world, "open", { body: { x: 1 }, headers: { origin: ORIGIN } });
			assert.equal(answer.status, 200);
			assert.equal(answer.headers.get("access-control-allow-origin"), ORIGIN);
			assert.match(answer.headers.get("vary") ?? "", /origin/);
			const refused = await call(world, "open", { raw: "{", headers: { origin: ORIGIN } });
			assert.deepEqual([refused.status, refused.headers.get("access-control-allow-origin")], [400, ORIGIN]);
		},
	},
	{
		name: "cors: pages of other origins are refused, and callers without one are not",
		cites: [],
		async run(world) {
			await save(world, echo("open", webhook({ cors: [ORIGIN] })));
			for (const origin of ["https://evil.example", "null", `${ORIGIN}.evil.example`]) {
				const { status, headers } = await call(world, "open", { body: {}, headers: { origin } });
				assert.deepEqual([status, headers.get("access-control-allow-origin")], [403, null], origin);
			}
			assert.equal((await call(world, "open", { body: {} })).status, 200);
			await save(world, echo("all", webhook({ cors: ["*"] })));
			const any = await call(world, "all", { body: {}, headers: { origin: "https://any.example" } });
			assert.deepEqual([any.status, any.headers.get("access-control-allow-origin")], [200, "*"]);
		},
	},
	{
		name: "without cors no answer lets a page read it",
		cites: [],
		async run(world) {
			await save(world, echo("shut", webhook({ accept: ["json"] })));
			const headers = { origin: ORIGIN };
			const preflight = await call(world, "shut", { headers }, "OPTIONS");
			assert.ok(preflight.status === 405 || preflight.status === 403, String(preflight.status));
			const { headers: answered } = await call(world, "shut", { body: {}, headers });
			assert.equal(answered.get("access-control-allow-origin"), null);
		},
	},
];

export const frontDoor: readonly Scenario[] = [...bodies, ...requests, ...answers, ...cors];
