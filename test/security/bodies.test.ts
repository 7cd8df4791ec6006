import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { ChatLink } from "@tripline/contract/chat";
import { CreatedWebhook, Validation } from "@tripline/contract/executor";
import { findUnstorable, nestsTooDeep } from "@tripline/contract/json";
import { RunResult } from "@tripline/contract/workflows";
import { node, platforms, type Target } from "../conformance/platforms.ts";
import {
	type CallOptions,
	type Client,
	createClient,
	forEachItem,
	JSON_TYPE,
	tenant,
	YAML_TYPE,
} from "./client.ts";
import { API_RECIPE, AUTH_RECIPE, CODE_MANIFEST, pinManifest } from "./extensions.ts";
import { jsonTexts } from "./json-texts.ts";
import { naughtyStrings } from "./naughty-strings.ts";
import { buildPollutedTexts, listPlaces, POLLUTION } from "./pollution.ts";
import { assertDocumented, buildPath, type DescribedRoute, isFailedRun, readPlainRoutes } from "./routes.ts";

const OWNER = "bodies";
const MAX_BYTES = 1_048_576;
const ADMIN = "admin-token-of-the-tests";
const PUBLISHER: readonly string[] = ["x-publisher-token", "token-of-the-publisher-of-the-tests"];

const ECHO = {
	name: "echo",
	description: "gives back its input",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> echo"],
	config: { echo: { component: "set", values: "{{input}}" } },
	options: { query: true },
};

const TALK = { ...ECHO, name: "talk", trigger: { type: "webhook", chat: {} }, options: {} };
const COMPLETION = {
	model: "talk",
	messages: [
		{
			role: "user",
			content: [
				{ type: "text", text: "hi" },
				{ type: "image_url", image_url: { url: "https://example.com/a.png" } },
				{ type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,aGk=" } },
			],
		},
	],
	stream: false,
};
const SAID = { message: "hi" };

/** A document with every kind of content. */
const DOCUMENT = {
	name: "document",
	description: "of every kind",
	version: "1",
	trigger: { type: "event", event: "order.*", timezone: "UTC" },
	triplets: ["input >> ON_SUCCESS >> pick", "pick >> FOREACH item >> each", "pick >> ON_SUCCESS >> out"],
	config: {
		pick: { component: "foreach", items: [1, 2], concurrency: 2, retry: { max: 1, delay_ms: 0 } },
		each: { component: "set", values: { n: "{{item}}", deep: { list: [{ a: 1 }] } }, timeout_ms: 500 },
		out: { component: "merge", values: [{ a: 1 }, { b: "{{input | json}}" }] },
	},
	context: { shop: { name: "corner" } },
	options: {
		query: true,
		timeout_ms: 5_000,
		input_schema: { type: "object", properties: { text: { type: "string" } } },
	},
};
const { trigger: _, ...UNTRIGGERED } = DOCUMENT;
const SIGNED = {
	triplets: ["input >> ON_SUCCESS >> a"],
	config: { a: { component: "set", values: {} } },
	options: { expose: true, signature: { scheme: "github", credential: "signer" } },
};

const GRAPH = {
	graph: {
		id: "g",
		nodes: [
			{ id: "a", component: "set", params: { values: { x: [{ y: 1 }] } }, retry: { max: 0 } },
			{ id: "b", component: "template", params: { text: "{{a.x}}" } },
		],
		edges: [{ from: "a", to: "b", on: "ON_SUCCESS" }],
	},
	context: { a: { b: 1 } },
};

/** At an address that is never called. */
const MCP_SERVER = { url: "https://127.0.0.1/mcp", credential: "echo" };
const ACCEPT = { hash: "0".repeat(64) };

const CONTEXT = { a: { b: { c: [{ d: 1 }, [{ e: null }]] } }, page_name: "p", path: "q" };
const CLOUD_EVENT = {
	specversion: "1.0",
	id: "1",
	source: "/s",
	type: "order.paid",
	data: { a: { b: [{ c: 1 }] } },
};
const CREDENTIAL = { auth_recipe: "signing_secret", fields: { secret: "s3cret" } };
const INSTALL = { version: "1.0.0", sha256: "0".repeat(64) };
const MCP_SIGN_IN = { url: "http://10.0.0.1/mcp", client_id: "id", client_secret: "secret", scope: "a b" };
const SUBMISSION = { manifest: CODE_MANIFEST, sha256: (await pinManifest(CODE_MANIFEST)).sha256 };
const REVIEW = { decision: "reject", reason: "no" };

for (const platform of platforms) {
	describe(`hostile bodies on ${platform.name}`, () => {
		let target: Target;
		let client: Client;
		let routes: readonly DescribedRoute[];
		let token: string;
		/** Of a link to a chat. */
		let chatToken: string;
		// Long tests run on one platform, because both run the same code here.
		const testOnNode = (name: string, run: () => Promise<void>) => {
			if (platform === node) test(name, run);
		};

		before(async () => {
			target = await platform.start({ REGISTRY_ADMIN_TOKEN: ADMIN });
			client = createClient(() => target.publicUrl);
			routes = await readPlainRoutes(client);
			await post("/workflows", ECHO);
			await post("/workflows", TALK);
			const link = ChatLink.parse((await post("/workflows/talk/chat-links", {})).body);
			chatToken = new URL(link.url).hash.slice(1);
			// Of a workflow of its own, because the draft of the first one is overwritten with texts that do not compile.
			await post("/workflows", { ...ECHO, name: "drafted" });
			assert.equal((await post("/workflows/drafted/draft", { ...ECHO, name: "drafted" }, "PUT")).status, 200);
			// The bodies that are damaged below are valid as they are.
			for (const [path, body, method = "POST"] of [
				["/workflows", DOCUMENT],
				["/webhooks", UNTRIGGERED],
				["/webhooks", SIGNED],
				["/webhooks", GRAPH],
				["/webhooks/named", { name: "polluted", description: "", ...GRAPH }],
				["/credentials/echo", CREDENTIAL, "PUT"],
				["/auth-recipes/shop", AUTH_RECIPE, "PUT"],
				["/recipes/shop", API_RECIPE, "PUT"],
				["/registry/submissions", SUBMISSION],
			] as const) {
				const made = await post(path, body, method);
				assert.equal(made.status, 201, made.text);
			}
			token = CreatedWebhook.parse((await post("/webhooks", ECHO)).body).token;
		});

		after(async () => {
			client.close();
			await target.close();
		});

		test("almost valid JSON gets a documented answer from every route with a body", async () => {
			const bodies = routes.filter(takesJson);
			assert.ok(bodies.length >= 15 && jsonTexts.length >= 150);
			const all = bodies.flatMap((route) => jsonTexts.map((text) => ({ route, text })));
			const cases = platform === node ? all : all.filter((_, index) => index % 4 === 0);
			await forEachItem(cases, async ({ route, text }) => {
				const answer = await send(route, { headers: JSON_TYPE, body: text.bytes });
				assertDocumented(route, answer, text.name);
				if (!isRun(route)) {
					const isTooLong = text.bytes.length > getMaxBytes(route);
					const isLeftOut = text.bytes.length === 0 && mayHaveNoBody(route);
					if (isTooLong || !(text.isJson || isLeftOut))
						assert.equal(answer.status, isTooLong ? 413 : 400, `${route.path} ${text.name}`);
					return;
				}
				const expected = parseContext(text.bytes, text.isJson);
				if (expected === null) return assert.equal(answer.status, 400, text.name);
				// A node cannot output a number that JSON cannot represent.
				if (expected === undefined) return assert.ok(answer.status === 400 || isFailedRun(answer), text.name);
				assert.equal(answer.status, 200, `${text.name}: ${answer.text.slice(0, 200)}`);
				const isResult = !route.path.endsWith("/query");
				assert.deepEqual(isResult ? RunResult.parse(answer.body).data : answer.body, expected, text.name);
			});
			await assertStillWorks();
		});

		testOnNode(
			"almost valid JSON gets a documented answer with respond-async and idempotency keys",
			async () => {
				const route = findRoute("POST /webhooks/{token}/trigger");
				const ways = [
					() => ["prefer", "respond-async"],
					(index: number) => ["idempotency-key", `text ${index}`],
					(index: number) => ["idempotency-key", `later ${index}`, "prefer", "respond-async"],
				];
				const cases = jsonTexts.flatMap((text, index) => ways.map((way) => ({ text, headers: way(index) })));
				await forEachItem(cases, async ({ text, headers }) => {
					for (let nth = 0; nth < 2; nth++) {
						const answer = await send(route, { headers: [...JSON_TYPE, ...headers], body: text.bytes });
						assertDocumented(route, answer, `${text.name} ${headers.join(" ")}`);
					}
				});
				await assertStillWorks();
			},
		);

		testOnNode("the content type only decides whether YAML is read", async () => {
			const types = [
				"",
				"text/plain",
				"application/x-www-form-urlencoded",
				"multipart/form-data; boundary=b",
				"multipart/form-data",
				"application/octet-stream",
				"application/xml",
				"text/html",
				"application/json; charset=utf-16",
				"application/json; charset=shift_jis",
				"APPLICATION/JSON",
				"application/cloudevents-batch+json",
				"application/msgpack",
				"application/x-yaml; charset=utf-8",
				"text/yaml",
				"application/yamlx",
				"x".repeat(8_000),
				"application/json, application/yaml",
				";;;",
				"__proto__",
			];
			const contents = [
				JSON.stringify(ECHO),
				"name: a\ntriplets: [input >> ON_SUCCESS >> b]\n",
				'--b\r\nContent-Disposition: form-data; name="a"; filename="/etc/passwd"\r\n\r\nx\r\n--b--\r\n',
				'{"files":{"f":{"filepath":"/etc/passwd","originalFilename":"x"}}}',
				"a=1&__proto__[polluted]=yes&constructor[prototype][polluted]=yes",
				"!!js/function 'function(){ return process }'",
				"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n",
				"<<: {__proto__: {polluted: yes}}\n",
				`${"[".repeat(2_000)}${"]".repeat(2_000)}`,
				`${"- ".repeat(2_000)}x`,
				"? {a: 1}\n: x\n",
				"%YAML 9.9\n---\na\n...\n---\nb\n",
			];
			const cases = routes
				.filter(({ takesBody }) => takesBody)
				.flatMap((route) => types.flatMap((type) => contents.map((body) => ({ route, type, body }))))
				.filter((_, index) => index % 3 !== 2);
			await forEachItem(cases, async ({ route, type, body }) => {
				const answer = await send(route, { headers: ["content-type", type], body });
				assertDocumented(route, answer, `${type.slice(0, 60)} ${body.slice(0, 60)}`);
				assert.doesNotMatch(answer.text, /root:x:0/);
			});
			await assertStillWorks();
		});

		testOnNode(
			"hostile strings in every place of every body, and their runs, get a documented answer",
			async () => {
				const places = listTextPlaces();
				// Each text in every 23rd place, with a different offset: all combinations would take minutes.
				const cases = naughtyStrings.flatMap((text, index) =>
					places.filter((_, at) => (at + index) % 23 === 0).map((place) => ({ text, ...place })),
				);
				await forEachItem(cases, async ({ text, name, route: wanted, body }) => {
					const route = findRoute(wanted);
					const answer = await send(route, { headers: JSON_TYPE, body: JSON.stringify(body(text)) });
					const about = `${name} = ${JSON.stringify(text).slice(0, 80)}`;
					assertDocumented(route, answer, about);
					if (wanted !== "POST /webhooks" || answer.status !== 201) return;
					const trigger = findRoute("POST /webhooks/{token}/trigger");
					const path = `/webhooks/${CreatedWebhook.parse(answer.body).token}/trigger`;
					const options = { headers: JSON_TYPE, body: JSON.stringify({ text, [text]: text }) };
					assertDocumented(trigger, await client.call("POST", path, options), about);
				});
				await assertStillWorks();
			},
		);

		testOnNode("hostile header values and path segments get a documented answer", async () => {
			const names = [
				"idempotency-key",
				"webhook-id",
				"prefer",
				"x-request-id",
				"content-encoding",
				"accept",
				"authorization",
				"if-match",
				"x-forwarded-host",
				"x-http-method-override",
				"ce-specversion",
				"ce-type",
				"ce-__proto__",
				"traceparent",
			];
			const cases = naughtyStrings.flatMap((text, index) => [
				...names.filter((_, at) => (at + index) % 3 === 0).map((name) => ({ text, name })),
				...routes
					.filter(({ parameters }, at) => parameters.length > 0 && (at + index) % 2 === 0)
					.map((route) => ({ text, route })),
			]);
			await forEachItem(cases, async (each) => {
				const about = JSON.stringify(each.text).slice(0, 60);
				if ("route" in each) {
					const segment = each.text.isWellFormed() ? encodeURIComponent(each.text) : "%ED%A0%80";
					if (segment.length > 16_000) return;
					const values = Object.fromEntries(each.route.parameters.map((name) => [name, segment]));
					const answer = await send(each.route, { headers: JSON_TYPE, body: "{}" }, values);
					return assertDocumented(each.route, answer, about);
				}
				const value = Buffer.from(each.text).toString("latin1");
				// Values that no HTTP client can send in a header.
				if (/[^\t\x20-\x7e\x80-\xff]/.test(value) || value.length > 16_000) return;
				for (const wanted of ["POST /webhooks/{token}/trigger", "POST /events"]) {
					const route = findRoute(wanted);
					const answer = await send(route, { headers: [...JSON_TYPE, each.name, value], body: "{}" });
					assertDocumented(route, answer, `${each.name}: ${about}`);
				}
			});
			await assertStillWorks();
		});

		test("__proto__, constructor and prototype at any depth of any body pollute nothing", async () => {
			const before = listBuiltIns();
			const bodies: readonly (readonly [string, object])[] = [
				["POST /webhooks", UNTRIGGERED],
				["POST /webhooks", SIGNED],
				["POST /webhooks", GRAPH],
				["POST /webhooks", GRAPH.graph],
				["POST /webhooks/named", { name: "polluted", ...GRAPH }],
				["POST /workflows", DOCUMENT],
				["POST /workflows/validate", DOCUMENT],
				["POST /events", CLOUD_EVENT],
				["POST /events", { type: "order.paid", data: CLOUD_EVENT.data }],
				["PUT /credentials/{name}", CREDENTIAL],
				["PUT /auth-recipes/{id}", AUTH_RECIPE],
				["PUT /recipes/{id}", API_RECIPE],
				["PUT /mcp-servers/{name}", MCP_SERVER],
				["POST /mcp-servers/{name}/accept", ACCEPT],
				["POST /mcp-servers/{name}/sign-in", MCP_SIGN_IN],
				["PUT /components/{id}", INSTALL],
				["POST /registry/submissions", SUBMISSION],
				["POST /registry/submissions/{id}/review", REVIEW],
				["POST /registry/components/{id}/installs", { version: "1.0.0" }],
				["POST /webhooks/{token}/trigger", CONTEXT],
				["POST /webhooks/named/{name}/trigger", CONTEXT],
				["POST /webhooks/named/{namespace}/{name}/trigger", CONTEXT],
				["POST /webhooks/named/{name}/query", CONTEXT],
				["POST /workflows/{name}/draft/run", CONTEXT],
				["POST /workflows/{name}/test", { input: CONTEXT, pinned: { only: CONTEXT } }],
				["PUT /workflows/{name}/draft", DOCUMENT],
				["POST /workflows/{name}/chat-links", { days: 1 }],
				["POST /chat/{namespace}/{name}/messages", SAID],
				["POST /v1/chat/completions", COMPLETION],
			];
			const all = bodies.flatMap(([wanted, body]) =>
				buildPollutedTexts(body).map((text) => ({ wanted, text })),
			);
			assert.ok(all.length > 500, String(all.length));
			const cases = all.filter((_, index) => index % (platform === node ? 2 : 7) === 0);
			await forEachItem(cases, async ({ wanted, text }) => {
				const route = findRoute(wanted);
				const answer = await send(route, { headers: JSON_TYPE, body: text });
				assertDocumented(route, answer, text);
				if (/\/(?:trigger|run)$/.test(route.path) && answer.status === 200) {
					assert.equal(JSON.stringify(RunResult.parse(answer.body).data), text);
				}
				if (wanted === "POST /webhooks" && answer.status === 201) {
					const { token: made } = CreatedWebhook.parse(answer.body);
					const run = await client.call("POST", `/webhooks/${made}/trigger`, { body: text });
					assertDocumented(findRoute("POST /webhooks/{token}/trigger"), run, text);
				}
				assert.equal(({} as Record<string, unknown>)[POLLUTION], undefined, text);
			});
			const query = "__proto__=1&__proto__[polluted]=yes&constructor.prototype.polluted=yes&a=1&a=2";
			for (const path of [`/q/${OWNER}/echo`, "/webhooks", "/workflows/echo/executions"]) {
				const answer = await client.call("GET", `${path}?${query}`, { headers: tenant(OWNER) });
				assert.ok(answer.status < 500, answer.text);
			}
			assert.deepEqual(listBuiltIns(), before);
			await assertStillWorks();
		});

		test("a body over the limit gets 413 from every route, and a body at the limit is read", async () => {
			for (const route of routes.filter(takesJson)) {
				const most = getMaxBytes(route);
				const padded = (length: number) => `{"a":"${"x".repeat(length - 8)}"}`;
				for (const body of [padded(most + 1), padded(3 * MAX_BYTES)]) {
					const answer = await send(route, { headers: JSON_TYPE, body });
					assert.equal(answer.status, 413, `${route.path}: ${answer.text.slice(0, 100)}`);
					assertDocumented(route, answer, "too large");
				}
				const answer = await send(route, { headers: JSON_TYPE, body: padded(most) });
				assertDocumented(route, answer, "at the limit");
				assert.notEqual(answer.status, 413, route.path);
			}
			await assertStillWorks();
		});

		test("YAML that nests too deep is refused with a clear message", async () => {
			for (const yaml of [
				"[".repeat(20_000),
				"- ".repeat(20_000),
				"{a: ".repeat(20_000),
				"? ".repeat(20_000),
			]) {
				const answer = await send(findRoute("POST /workflows/validate"), { headers: YAML_TYPE, body: yaml });
				assert.equal(answer.status, 200);
				const { valid, diagnostics } = Validation.parse(answer.body);
				assert.equal(valid, false);
				assert.match(diagnostics[0]?.message ?? "", /nests too deep/);
			}
			await assertStillWorks();
		});

		test("the description of every route that runs a workflow documents a failed run", () => {
			const runs = routes.filter(
				(route) => isRun(route) || /^\/q\/|^(?!\/credentials\/).*\/test$/.test(route.path),
			);
			assert.equal(runs.length, 7);
			const silent = runs.filter(({ statuses }) => !statuses.has(500) || !statuses.has(503));
			assert.deepEqual(
				silent.map(({ method, path }) => `${method} ${path}`),
				[],
			);
		});

		const post = (path: string, body: object, method = "POST") =>
			client.call(method, path, {
				headers: [...tenant(OWNER), ...PUBLISHER, ...JSON_TYPE],
				body: JSON.stringify(body),
			});

		function send(
			route: DescribedRoute,
			{ headers = [], body }: CallOptions,
			values: Readonly<Record<string, string>> = {},
		) {
			const isChat = route.path.startsWith("/chat/");
			const name = isChat ? "talk" : /\/(?:draft\/run|test)$/.test(route.path) ? "drafted" : "echo";
			const id = route.path.startsWith("/executions/") ? randomUUID() : "unknown";
			const question = {
				execution_id: randomUUID(),
				...(/^\/questions\//.test(route.path) && { id: "0".repeat(32) }),
			};
			const path = buildPath(route, { token, name, namespace: OWNER, id, ...question, ...values });
			const hasBody = body !== undefined && route.takesBody;
			// With the admin token, so that the body of a review is read.
			const admin = route.path.endsWith("/review") && !headers.includes("authorization");
			const from = [
				...tenant(OWNER),
				...PUBLISHER,
				...(admin ? ["authorization", `Bearer ${ADMIN}`] : []),
				...(isChat && !headers.includes("authorization") ? ["authorization", `Bearer ${chatToken}`] : []),
				...headers,
			];
			return client.call(route.method, path, { headers: from, ...(hasBody && { body }) });
		}

		function findRoute(wanted: string): DescribedRoute {
			const found = routes.find(({ method, path }) => `${method} ${path}` === wanted);
			assert.ok(found, `the service does not describe ${wanted}`);
			return found;
		}

		async function assertStillWorks(): Promise<void> {
			assert.equal((await client.call("GET", "/readyz")).status, 200);
			const { body } = await client.call("POST", `/webhooks/${token}/trigger`, { body: '{"a":1}' });
			assert.deepEqual(RunResult.parse(body).data, { a: 1 });
		}
	});
}

/** The registry has a smaller limit, because manifests are small. */
function getMaxBytes({ path }: DescribedRoute): number {
	if (path.startsWith("/registry/submissions")) return MAX_BYTES / 2;
	return path.startsWith("/registry/") ? MAX_BYTES / 16 : MAX_BYTES;
}

/**
 * An upload takes any bytes, up to the limit of a file. Descriptions wait in a queue with its own limits, which the
 * scenarios of imports test.
 */
const takesJson = ({ path, takesBody }: DescribedRoute): boolean =>
	takesBody && path !== "/files" && path !== "/recipes/from-openapi";

const mayHaveNoBody = ({ path }: DescribedRoute): boolean =>
	["/files/{id}/link", "/mcp-servers/{name}/sign-in", "/workflows/{name}/chat-links"].includes(path);

const isRun = ({ path }: DescribedRoute): boolean => /\/(?:trigger|query|draft\/run)$/.test(path);

/** The context that a run gets from a body. Null: refused. Undefined: the run may also fail. */
function parseContext(bytes: Uint8Array, isJson: boolean): unknown {
	if (!isJson) return {};
	const text = new TextDecoder().decode(bytes);
	const value: unknown = JSON.parse(text);
	if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
	if (nestsTooDeep(text)) return null;
	// Serialise once more, which turns -0 into 0.
	return findUnstorable(value) === "a number is too large" ? undefined : JSON.parse(JSON.stringify(value));
}

/** A body for every place that accepts a text. */
function listTextPlaces() {
	const places: { name: string; route: string; body: (text: string) => unknown }[] = [];
	const add = (route: string, template: object) => {
		for (const { path, replaced } of listPlaces(template)) {
			places.push({ name: `${route} ${path}`, route, body: replaced });
		}
	};
	add("POST /webhooks", UNTRIGGERED);
	add("POST /webhooks", SIGNED);
	add("POST /webhooks", GRAPH);
	add("POST /workflows/validate", DOCUMENT);
	add("POST /webhooks/named", { name: "naughty", description: "d", ...GRAPH.graph });
	add("POST /events", CLOUD_EVENT);
	add("POST /questions/{execution_id}/{id}/answer", { answer: { approved: true, comment: "c" } });
	add("PUT /credentials/{name}", CREDENTIAL);
	add("PUT /auth-recipes/{id}", AUTH_RECIPE);
	add("PUT /recipes/{id}", API_RECIPE);
	add("PUT /mcp-servers/{name}", MCP_SERVER);
	add("POST /mcp-servers/{name}/accept", ACCEPT);
	add("POST /mcp-servers/{name}/sign-in", MCP_SIGN_IN);
	add("PUT /components/{id}", INSTALL);
	add("POST /registry/submissions/{id}/review", REVIEW);
	add("POST /chat/{namespace}/{name}/messages", SAID);
	add("POST /v1/chat/completions", COMPLETION);
	add("POST /webhooks/named/{name}/query", { a: "b", page_name: "p", path: "q" });
	for (const component of ["if", "filter", "parse", "datetime", "sort", "crypto"]) {
		add("POST /webhooks", {
			nodes: [{ id: "n", component, params: PARAMS[component] ?? {} }],
			edges: [],
		});
	}
	return places;
}

const PARAMS: Readonly<Record<string, object>> = {
	if: { condition: "true" },
	filter: { items: ["{{input.text}}"], where: "item == input.text" },
	parse: { format: "json", text: "{}" },
	datetime: { operation: "now" },
	sort: { items: ["a"], by: "item" },
	crypto: { operation: "sha256", value: "x" },
};

/** Properties that prototype pollution would change. */
const listBuiltIns = (): readonly string[] =>
	[Object, Array, Function, String, Number, Map, Promise, Error].flatMap((kind) => [
		...Object.getOwnPropertyNames(kind.prototype),
		...Object.getOwnPropertyNames(kind),
	]);
