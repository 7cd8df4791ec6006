import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { startService } from "../apps/node/src/service.ts";
import { parseSettings } from "../apps/node/src/settings.ts";
import { doublingManifest } from "../services/registry/test/manifests.ts";
import { eventually } from "./conformance/scenarios/executor/eventually.ts";

const OWNER = "default";
export const OWNER_SECRET = "the owner's long secret";
const ADMIN_TOKEN = "admin-token-of-the-registry";
const SECRET = "a secret that nobody sees";
const HOUR_MS = 60 * 60_000;
const WAIT = "2 hours";

type Variables = Readonly<Record<string, string>>;

/** A server that workflows call, with the bodies that it got by path. */
export async function startOutside() {
	const seen: { readonly path: string; readonly body: string; readonly authorization: string | undefined }[] =
		[];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request.setEncoding("utf8")) body += chunk;
		const { authorization } = request.headers;
		seen.push({ path: request.url ?? "", body, authorization });
		response.setHeader("content-type", "application/json").end("{}");
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		host,
		seen,
		list: (path: string) => seen.filter((each) => each.path === path),
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** The service in this process, and calls to it. Its clock can be set forward. */
export async function openDeployment(
	context: TestContext,
	variables: Variables,
	outside: Pick<Outside, "host">,
) {
	let offset = 0;
	const settings = parseSettings({
		PORT: "0",
		STORE_PORT: "0",
		MCP_OWNER_SECRET: OWNER_SECRET,
		REGISTRY_ADMIN_TOKEN: ADMIN_TOKEN,
		REGISTRY_STATS_SECONDS: "1",
		ALLOW_PRIVATE_HOSTS: outside.host,
		...variables,
	});
	const log: string[] = [];
	const service = await startService({
		settings,
		clock: { now: () => Date.now() + offset },
		log: (level, message, fields) => {
			if (level === "error" || level === "warn") log.push(`${level} ${message} ${JSON.stringify(fields)}`);
		},
		version: "test",
	});
	const isStore = (path: string) => STORE_PATHS.test(path);
	let closed: Promise<void> | undefined;
	const close = () => {
		closed ??= service.close();
		return closed;
	};
	context.after(close);
	return {
		...service,
		close,
		/** Warnings and errors. */
		log,
		/** Some paths are the store's. Requires a success, and returns the parsed body. */
		async call(method: string, path: string, body?: unknown, headers: Variables = {}): Promise<unknown> {
			const isText = typeof body === "string";
			const response = await fetch((isStore(path) ? service.storeUrl : service.publicUrl) + path, {
				method,
				redirect: "manual",
				headers: {
					"x-service-api-key": OWNER,
					...(body === undefined || isText ? {} : { "content-type": "application/json" }),
					...headers,
				},
				...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
			});
			const text = await response.text();
			assert.ok(response.status < 400, `${method} ${path}: ${response.status} ${text}`);
			if (response.status === 302) return response.headers.get("location");
			return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
		},
		async skip(hours: number): Promise<void> {
			offset += hours * HOUR_MS;
			await service.tick();
		},
	};
}

export type Deployment = Awaited<ReturnType<typeof openDeployment>>;

const STORE_PATHS =
	/^\/(?:entries|records|templates|triplets|graph|search|state|execution-log|usage|embed|schedules)\b/;

const workflow = (name: string, config: object, more: object = {}) => ({
	name,
	description: `what ${name} does`,
	version: "1",
	triplets: ["input >> then >> only"],
	config: { only: config },
	...more,
});

/** What cannot be read from the service. */
export type Filled = Awaited<ReturnType<typeof fill>>;

/** A long name has another form in an index of PostgreSQL. */
const LONG_NAME = "很長的名字 ".repeat(80).trim();
const NOTES: Readonly<Record<string, string>> = {
	tea: "Green tea: 75 °C, two minutes. Äpfel und Öl.",
	茶: "綠茶用七十五度的水,泡兩分鐘。",
	お茶: "緑茶は75度のお湯で二分間。",
	чай: "Зелёный чай заваривают две минуты.",
	apple: "\uf8ff is a private character 🍵",
};

/** Writes what a deployment can have through its public surface. */
export async function fill(deployment: Deployment, outside: Outside) {
	const { call } = deployment;
	const save = (document: object) => call("POST", "/webhooks/named", document);
	const url = `http://${outside.host}`;

	await save(workflow("greet", { component: "template", text: "hello" }));
	await save(
		workflow("greet", { component: "template", text: "hello {{input.name}}" }, { options: { keep: "all" } }),
	);
	await call("PUT", "/workflows/greet/draft", "# 還在寫\nname: greet", {
		"content-type": "application/yaml",
	});
	await save(
		workflow(
			"nightly",
			{ component: "template", text: "x" },
			{ trigger: { type: "schedule", cron: "30 4 * * *" } },
		),
	);
	await save(
		workflow(
			"listens",
			{ component: "template", text: "x" },
			{ trigger: { type: "event", event: "order.*" } },
		),
	);
	await save(workflow("old name", { component: "fail", message: "no" }));
	await call("POST", "/workflows/old%20name/rename", { to: "new name" });
	await save(workflow("gone", { component: "template", text: "x" }));
	await call("DELETE", "/webhooks/named/gone");
	await save(workflow("calls", { component: "http_request", url: `${url}/secret`, credential: "partner" }));
	await call("PUT", "/credentials/partner", {
		auth_recipe: "bearer_token",
		fields: { host: outside.host, token: SECRET },
	});
	const { token } = (await call("POST", "/webhooks", {
		triplets: ["input >> then >> only"],
		config: { only: { component: "set", values: "{{input}}" } },
	})) as { token: string };

	await call("POST", "/webhooks/named/greet/trigger", { name: "Ada" });
	await fetch(`${deployment.publicUrl}/webhooks/named/new%20name/trigger`, {
		method: "POST",
		headers: { "x-service-api-key": OWNER },
	});
	await call("POST", `/webhooks/${token}/trigger`, { by: "token" });

	const runs = {
		parked: await startWaiting(
			workflow(
				"pauses",
				{},
				{
					triplets: ["input >> then >> before", "before >> then >> pause", "pause >> then >> after"],
					config: {
						before: { component: "http_request", url: `${url}/before` },
						pause: { component: "wait", for: WAIT },
						after: { component: "http_request", url: `${url}/after` },
					},
				},
			),
		),
		event: await startWaiting(
			workflow(
				"shop",
				{},
				{
					triplets: ["input >> then >> payment", "payment >> then >> ship"],
					config: {
						payment: { component: "wait_for", event: "payment.received", where: "item.data.order == 7" },
						ship: { component: "http_request", method: "POST", url: `${url}/ship`, json: "{{payment}}" },
					},
				},
			),
		),
		question: await startWaiting(
			workflow(
				"approval",
				{},
				{
					triplets: ["input >> then >> ask", "ask >> while waiting >> send", "ask >> then >> done"],
					config: {
						ask: { component: "ask", question: "Pay?", to: "Ada", expires: "3 days" },
						send: { component: "http_request", method: "POST", url: `${url}/mail`, json: "{{ask}}" },
						done: { component: "http_request", method: "POST", url: `${url}/done`, json: "{{ask}}" },
					},
				},
			),
		),
	};
	const mail = await eventually(
		async () => JSON.parse(outside.list("/mail")[0]?.body ?? "") as { url: string },
	);

	for (const [page_name, content] of Object.entries(NOTES))
		await call("PUT", "/entries", {
			owner_id: OWNER,
			entry_type: "note",
			page_name,
			content,
			metadata_json: '{"embed":true}',
		});
	await call("POST", "/templates", {
		owner_id: OWNER,
		name: "task",
		slots: [
			{ name: "title", type: "string" },
			{ name: "count", type: "number" },
		],
	});
	await call("POST", "/records", {
		owner_id: OWNER,
		template: "task",
		values: { title: "write", count: 1.5 },
	});
	for (const [hash, object] of [
		["v1", "Acme"],
		["v2", "Globex"],
	])
		await call("POST", "/triplets/ingest/batch", {
			owner_id: OWNER,
			source: { uri: "doc:1", hash },
			candidates: [
				{ subject: "Ada", predicate: "works at", object, gloss: { subject: "a person", object: "a firm" } },
				{ subject: LONG_NAME, predicate: "knows", object: "Ada", gloss: { subject: "a long one" } },
			],
		});
	await call("PUT", "/state", { owner_id: OWNER, name: "cursor", value_json: '{"at":1}' });
	await call("POST", "/state/increment", { owner_id: OWNER, name: "count", by: 0.1 });
	const { id: file } = (await call("POST", "/files?name=a.txt", "the bytes", {
		"content-type": "text/plain",
	})) as { id: string };

	const submitted = (await call(
		"POST",
		"/registry/submissions",
		{ manifest: doublingManifest({ id: "doubler" }) },
		PUBLISHER,
	)) as { id: string; sha256: string };
	await call("POST", `/registry/submissions/${submitted.id}/review`, { decision: "approve" }, ADMIN);
	await call(
		"POST",
		"/registry/submissions",
		{ manifest: doublingManifest({ id: "waiting-one" }) },
		PUBLISHER,
	);
	await call("PUT", "/components/doubler", { version: "1.0.0", sha256: submitted.sha256 });
	const bearer = await login();
	await eventually(async () => {
		const { pending } = (await call("GET", "/embed/status")) as { pending: number };
		assert.equal(pending, 0);
	});
	return { token, runs, mail, file, bearer };

	/** Starts a run and returns once it waits. */
	async function startWaiting(document: { readonly name: string }): Promise<string> {
		await save(document);
		const accepted = await call(
			"POST",
			`/webhooks/named/${document.name}/trigger`,
			{},
			{ prefer: "respond-async" },
		);
		const { execution_id: id } = accepted as { execution_id: string };
		await eventually(async () => {
			const { unfinished } = (await call("GET", `/executions/${id}`)) as {
				unfinished: { status: string } | null;
			};
			assert.equal(unfinished?.status, "waiting");
		});
		return id;
	}

	async function login(): Promise<string> {
		const redirect_uri = "http://127.0.0.1:1/callback";
		const { client_id } = (await call("POST", "/register", {
			client_name: "Finder",
			redirect_uris: [redirect_uri],
		})) as { client_id: string };
		const verifier = randomBytes(32).toString("base64url");
		const form = (fields: Variables) => new URLSearchParams(fields).toString();
		const isForm = { "content-type": "application/x-www-form-urlencoded" };
		const location = await call(
			"POST",
			"/authorize",
			form({
				response_type: "code",
				client_id,
				redirect_uri,
				code_challenge: createHash("sha256").update(verifier).digest("base64url"),
				code_challenge_method: "S256",
				owner_secret: OWNER_SECRET,
			}),
			isForm,
		);
		const code = new URL(String(location)).searchParams.get("code") ?? "";
		const answer = await call(
			"POST",
			"/token",
			form({ grant_type: "authorization_code", code, code_verifier: verifier, client_id, redirect_uri }),
			isForm,
		);
		return (answer as { access_token: string }).access_token;
	}
}

const PUBLISHER = { "x-publisher-token": "publisher-token-of-the-tests-0123" };
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

/** What the API says of a filled deployment, by request. */
export async function readAll(
	{ call, publicUrl }: Deployment,
	{ runs, bearer }: { readonly runs: Variables; readonly bearer: string },
) {
	const answers: Record<string, unknown> = {};
	const own = `owner_id=${OWNER}`;
	const long = encodeURIComponent(LONG_NAME);
	for (const path of [
		...["/webhooks", "/webhooks/named", "/webhooks/named/greet", "/portal/data/workflows"],
		...[
			"/workflows/greet/versions",
			"/workflows/greet/versions/1",
			"/workflows/greet/draft",
			"/deleted-workflows",
		],
		...["/executions", "/executions/unfinished", "/executions/ended", "/executions/settings", "/questions"],
		...["/files", "/components", "/components/doubler", "/recipes", "/auth-recipes", "/credentials"],
		...Object.values(runs).map((id) => `/executions/${id}`),
		...[
			`/entries?${own}&limit=100`,
			`/records?${own}&template=task`,
			`/templates?${own}`,
			`/state?${own}&name=cursor`,
		],
		...[
			`/graph/neighbors/ada?${own}`,
			`/graph/neighbors/${long}?${own}`,
			`/graph/traverse?${own}&name=${long}`,
		],
		...[`/graph/search?${own}&q=works`, `/graph/source/${long}?${own}`],
		...[`/graph/why?${own}&subject=Ada&predicate=works%20at&object=Acme`, `/execution-log?${own}&limit=100`],
		...["/embed/status", `/schedules/upcoming?${own}`],
		...["/registry/components?limit=100", "/registry/components/doubler", "/registry/stats"],
	])
		answers[path] = await call("GET", path);
	answers.submissions = await call("GET", "/registry/submissions", undefined, ADMIN);
	answers.tokens = await call("GET", "/gui/tokens", undefined, { authorization: `Bearer ${bearer}` });
	const [run] = ((await call("GET", "/workflows/greet/executions")) as { executions: { id: string }[] })
		.executions;
	answers.kept = await call("GET", `/executions/${run?.id}/data`);
	for (const q of [
		"tea",
		"綠茶",
		"緑茶 お湯",
		"чай",
		"äpfel",
		"Ada works",
		"private character",
		"名字",
		"firm",
	])
		answers[`search ${q}`] = await call("POST", "/search", { owner_id: OWNER, q });
	return JSON.parse(JSON.stringify(answers).replaceAll(publicUrl, "http://service")) as Record<
		string,
		unknown
	>;
}

/** Uses what was written: secrets, tokens, files, and the runs that wait. */
export async function useAll(deployment: Deployment, filled: Filled, outside: Outside): Promise<void> {
	const { call } = deployment;
	const { token, runs, mail, file, bearer } = filled;
	assert.deepEqual(
		((await call("POST", `/webhooks/${token}/trigger`, { by: "token" })) as { data: unknown }).data,
		{ by: "token" },
	);
	await call("POST", "/webhooks/named/calls/trigger", {});
	assert.equal(outside.list("/secret").at(-1)?.authorization, `Bearer ${SECRET}`);
	assert.equal(await call("GET", `/files/${file}/content`), "the bytes");
	const mcp = {
		accept: "application/json, text/event-stream",
		"mcp-protocol-version": "2025-11-25",
		authorization: `Bearer ${bearer}`,
	};
	await call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, mcp);

	await call("POST", "/events", { type: "payment.received", data: { order: 7 } });
	await call("POST", new URL(mail.url).pathname, "approved=true", {
		"content-type": "application/x-www-form-urlencoded",
	});
	await waitForSuccess(runs.event);
	await waitForSuccess(runs.question);
	await deployment.skip(3);
	await waitForSuccess(runs.parked);
	for (const path of ["/before", "/after", "/ship", "/mail", "/done"])
		assert.equal(outside.list(path).length, 1, path);

	async function waitForSuccess(id: string): Promise<void> {
		await eventually(async () => {
			const { record } = (await call("GET", `/executions/${id}`)) as { record: { verdict: string } | null };
			assert.equal(record?.verdict, "success");
		});
	}
}
