import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { SIGNATURE_SCHEMES } from "@tripline/contract/calling/words";
import { CreatedWebhook } from "@tripline/contract/executor";
import type { SignatureScheme } from "@tripline/contract/webhook-trigger";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import { describeSignature } from "../webhook-senders.ts";
import { type Answer, type Client, createClient, JSON_TYPE, tenant } from "./client.ts";
import { loopback } from "./loopback.ts";

const SECRET = "canary-secret-5d1f0a77c2e94b";
const OWNER = "canary-tenant-91ab";
const BODY = '{"total":1.50}';

interface Running {
	readonly service: Started;
	readonly client: Client;
	readonly answers: string[];
	readonly folder: string;
	send(method: string, path: string, body?: object | string, headers?: readonly string[]): Promise<Answer>;
	webhook(body: object): Promise<string>;
}

async function startService(
	context: TestContext,
	environment: Readonly<Record<string, string>> = {},
): Promise<Running> {
	const cwd = temporaryFolder(context);
	const service = await start(context, { LOG_LEVEL: "debug", ...environment }, cwd);
	const client = createClient(() => service.publicUrl);
	context.after(() => client.close());
	const answers: string[] = [];
	const send: Running["send"] = async (method, path, body, headers = []) => {
		const text = typeof body === "object" ? JSON.stringify(body) : body;
		const answer = await client.call(method, path, {
			headers: [...tenant(OWNER), ...JSON_TYPE, ...headers],
			...(text !== undefined && { body: text }),
		});
		answers.push(JSON.stringify([answer.status, answer.headers, answer.text]));
		return answer;
	};
	const webhook = async (body: object) => {
		const made = await send("POST", "/webhooks", body);
		assert.equal(made.status, 201, made.text);
		return CreatedWebhook.parse(made.body).token;
	};
	return { service, client, answers, folder: join(cwd, "data"), send, webhook };
}

const hmac = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");

const echo = (fields: object = {}) => ({
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: { component: "set", values: { ok: true } } },
	...fields,
});
const buildSigned = (scheme: SignatureScheme) =>
	echo({ options: { signature: { ...describeSignature(scheme), credential: "signer" } } });
const credential = (secret: unknown) => ({ auth_recipe: "signing_secret", fields: { secret } });

/** Sends the secret in the headers that carry credentials, to workflows that store and answer with all they can read. */
async function sendSecretHeaders({ send, webhook }: Running): Promise<void> {
	const keeps = {
		triplets: ["input >> ON_SUCCESS >> keep", "keep >> ON_SUCCESS >> answer"],
		config: {
			keep: { component: "kb_upsert", page_name: "call", content: "{{request | json}}" },
			answer: { component: "respond", headers: { "x-seen": "{{request.method}}" }, body: "{{request}}" },
		},
		trigger: { type: "webhook", methods: ["GET", "POST"], accept: ["json"], answer: "respond" },
	};
	const fails = {
		triplets: ["input >> ON_SUCCESS >> only"],
		config: { only: { component: "fail", message: "{{request | json}}" } },
		trigger: keeps.trigger,
	};
	const secrets = ["authorization", "Proxy-Authorization", "COOKIE"].flatMap((name) => [
		name,
		`Bearer ${SECRET}`,
	]);
	for (const [document, status] of [
		[keeps, 200],
		[fails, 500],
	] as const) {
		const path = `/webhooks/${await webhook(document)}/trigger`;
		for (const [method, more, expected] of [
			["POST", [], status],
			["GET", [], status],
			["POST", ["prefer", "respond-async"], 202],
			["POST", ["idempotency-key", `once-${status}`], status],
		] as const) {
			const body = method === "POST" ? BODY : undefined;
			const answer = await send(method, path, body, [...secrets, ...more]);
			assert.equal(answer.status, expected, answer.text);
		}
	}
}

/** The same where the header is the secret that the trigger asks for, so that the calls run. */
async function sendValidSecrets({ send, webhook }: Running): Promise<void> {
	const fields = { host: "example.com", username: "ab", password: SECRET };
	assert.equal((await send("PUT", "/credentials/login", { auth_recipe: "basic_auth", fields })).status, 201);
	const basic = Buffer.from(`ab:${SECRET}`).toString("base64");
	const signature = (scheme: string) => ({ signature: { scheme, credential: "signer" } });
	const auth = (scheme: string, more: object = {}) => ({ auth: { scheme, credential: "signer", ...more } });
	for (const [keys, header] of [
		[signature("gitlab"), ["X-Gitlab-Token", SECRET]],
		[signature("telegram"), ["x-telegram-bot-api-secret-token", SECRET]],
		[auth("bearer"), ["authorization", `Bearer ${SECRET}`]],
		[auth("basic", { credential: "login" }), ["authorization", `Basic ${basic}`]],
		[auth("header"), ["x-api-key", SECRET]],
		[auth("header", { header: "X-Partner" }), ["x-partner", SECRET]],
	] as const) {
		const path = `/webhooks/${await webhook({
			triplets: ["input >> ON_SUCCESS >> keep", "keep >> ON_SUCCESS >> answer"],
			config: {
				keep: { component: "kb_upsert", page_name: "call", content: "{{request | json}}" },
				answer: { component: "respond", body: "{{request}}" },
			},
			trigger: { type: "webhook", accept: ["json"], answer: "respond", ...keys },
		})}/trigger`;
		for (const [more, status] of [
			[[], 200],
			[["prefer", "respond-async"], 202],
			[["idempotency-key", "valid"], 200],
		] as const) {
			const answer = await send("POST", path, BODY, [...header, ...more]);
			assert.equal(answer.status, status, answer.text);
		}
		assert.equal((await send("POST", path, BODY, [header[0], `${SECRET}x`])).status, 401);
	}
}

/** Uses a credential in every route, correctly and incorrectly. */
async function useSecret({ send, webhook }: Running): Promise<void> {
	assert.equal((await send("PUT", "/credentials/signer", credential(SECRET))).status, 201);
	assert.equal((await send("PUT", "/credentials/signer", credential(SECRET))).status, 200);
	for (const [body, status] of [
		[{ auth_recipe: SECRET.toUpperCase(), fields: { secret: SECRET } }, 422],
		[{ ...credential(SECRET), extra: SECRET }, 422],
		[credential([SECRET]), 422],
		[{ auth_recipe: "signing_secret", fields: SECRET }, 422],
		[{ auth_recipe: "signing_secret", fields: { [`${SECRET}!`]: SECRET } }, 422],
		[{ auth_recipe: { [SECRET]: SECRET }, fields: { secret: `${SECRET}\u0000` } }, 400],
		[`{"auth_recipe":"signing_secret","fields":{"secret":"${SECRET}"`, 400],
		[credential(SECRET.repeat(40_000)), 413],
	] as const) {
		const refused = await send("PUT", "/credentials/signer", body);
		assert.equal(refused.status, status, refused.text);
	}
	await send("GET", "/credentials");
	await send("GET", "/credentials/signer");
	for (const scheme of SIGNATURE_SCHEMES) {
		const path = `/webhooks/${await webhook(buildSigned(scheme))}/trigger`;
		for (const name of [
			"x-hub-signature-256",
			"webhook-signature",
			"stripe-signature",
			"x-slack-signature",
			"x-signature-256",
			"x-shopify-hmac-sha256",
			"x-twilio-signature",
			"x-signature-ed25519",
			"linear-signature",
			"x-zm-signature",
			"x-square-hmacsha256-signature",
			"typeform-signature",
			"x-acme-signature",
			"authorization",
			"idempotency-key",
		]) {
			const headers = [name, SECRET, "webhook-id", SECRET, "webhook-timestamp", SECRET];
			assert.equal((await send("POST", path, `{"secret":"${SECRET}"}`, headers)).status, 401);
		}
	}
	// These senders send the secret itself.
	for (const [scheme, header] of [
		["gitlab", "x-gitlab-token"],
		["telegram", "x-telegram-bot-api-secret-token"],
	] as const) {
		const path = `/webhooks/${await webhook(buildSigned(scheme))}/trigger`;
		assert.equal((await send("POST", path, BODY, [header, SECRET])).status, 200);
		assert.equal((await send("POST", path, BODY, [header, `${SECRET}x`])).status, 401);
	}
	const path = `/webhooks/${await webhook(buildSigned("github"))}/trigger`;
	const right = ["x-hub-signature-256", `sha256=${hmac(BODY)}`];
	assert.equal((await send("POST", path, BODY, right)).status, 200);
	const once = [...right, "idempotency-key", "once"];
	for (let nth = 0; nth < 2; nth++) assert.equal((await send("POST", path, BODY, once)).status, 200);
	assert.equal((await send("POST", path, BODY, [...right, "prefer", "respond-async"])).status, 202);
	// A trigger's input is stored only with keep, and then sealed.
	const failing = await webhook({
		triplets: ["input >> ON_SUCCESS >> only"],
		config: { only: { component: "fail", message: "no" } },
	});
	assert.equal((await send("POST", `/webhooks/${failing}/trigger`, { a: SECRET, [SECRET]: 1 })).status, 500);
	await send("POST", `/webhooks/${failing}/trigger`, { a: SECRET }, ["idempotency-key", SECRET]);
	for (const expression of ["{{credential.signer.secret}}", "{{credential.signer}}"]) {
		const settings = { component: "set", values: { out: expression } };
		await send("POST", "/webhooks", { triplets: ["input >> ON_SUCCESS >> a"], config: { a: settings } });
	}
}

/** A service to sign in to, whose codes and tokens contain the secret, and an API that echoes them. */
async function openSignInService() {
	let issued = 0;
	const verifiers: string[] = [];
	const opened = await loopback(({ path, headers, body }, response) => {
		response.setHeader("content-type", "application/json");
		if (path !== "/token") {
			const isCurrent = headers.authorization === `Bearer ${SECRET}-access-${issued}`;
			response.statusCode = isCurrent && path !== "/expired" ? 200 : 401;
			response.end(JSON.stringify({ echo: headers.authorization }));
			return;
		}
		const form = new URLSearchParams(body);
		if (form.has("code_verifier")) verifiers.push(form.get("code_verifier") ?? "");
		issued++;
		const tokens = {
			access_token: `${SECRET}-access-${issued}`,
			refresh_token: `${SECRET}-refresh-${issued}`,
		};
		response.end(JSON.stringify({ ...tokens, expires_in: 600, account: "ada" }));
	});
	return { ...opened, verifiers };
}

/** Signs in, uses and renews the tokens. Returns what only the browser and the service may know. */
async function signIn(
	{ send, webhook, client }: Running,
	{ host, url, verifiers }: Awaited<ReturnType<typeof openSignInService>>,
): Promise<readonly string[]> {
	const recipe = {
		title: "Own",
		type: "oauth2_authorization_code",
		fields: [
			{ name: "client_id", secret: false, help: "" },
			{ name: "client_secret", secret: true, help: "" },
		],
		hosts: [host],
		inject: {
			authorize_url: `${url}/authorize`,
			token_url: `${url}/token`,
			client_secret: "{client_secret}",
			account: "account",
		},
	};
	assert.equal((await send("PUT", "/auth-recipes/own", recipe)).status, 201);
	const fields = { client_id: "id-1", client_secret: SECRET };
	assert.equal((await send("PUT", "/credentials/mine", { auth_recipe: "own", fields })).status, 201);
	const link = await send("POST", "/credentials/mine/sign-in");
	const start = new URL((link.body as { url: string }).url).pathname;
	const started = await client.call("POST", start, { headers: [] });
	const state = new URL(String(started.headers.location)).searchParams.get("state") ?? "";
	const cookie = String(started.headers["set-cookie"]).split(";")[0] ?? "";
	const back = `/oauth/callback/own?state=${state}`;
	assert.equal((await send("GET", `${back}&code=${SECRET}-code`)).status, 400);
	assert.equal((await send("GET", `${back}&code=${SECRET}-code`, undefined, ["cookie", cookie])).status, 200);
	assert.equal((await send("GET", `${back}&code=${SECRET}-code`, undefined, ["cookie", cookie])).status, 400);
	for (const path of ["/me", "/expired", "/me"]) {
		const call = { component: "http_request", url: `${url}${path}`, credential: "mine", expect: [200, 401] };
		const token = await webhook({
			triplets: ["input >> ON_SUCCESS >> call"],
			config: { call },
			options: { keep: "all" },
		});
		const ran = await send("POST", `/webhooks/${token}/trigger`, {});
		assert.match(ran.text, /\[redacted\]/);
		const { execution_id } = ran.body as { execution_id: string };
		await send("GET", `/executions/${execution_id}/data`);
	}
	await send("GET", "/credentials");
	return [start.split("/").at(-1) ?? "", state, cookie.split("=")[1] ?? "", ...verifiers];
}

const listSpellings = (secret: string): Readonly<Record<string, Buffer>> => ({
	"as it is": Buffer.from(secret),
	"in base64": Buffer.from(Buffer.from(secret).toString("base64").slice(0, 30)),
	"in hex": Buffer.from(Buffer.from(secret).toString("hex")),
	"in UTF-16": Buffer.from(secret, "utf16le"),
	backwards: Buffer.from([...secret].reverse().join("")),
});

function assertNowhere(text: string | Buffer, where: string): void {
	const bytes = Buffer.from(text);
	for (const [how, secret] of Object.entries(listSpellings(SECRET))) {
		const at = bytes.indexOf(secret);
		const around = bytes.subarray(Math.max(0, at - 200), at + 100).toString("latin1");
		assert.equal(at, -1, `the secret is ${how} in ${where}: ${around.replaceAll(/[^\x20-\x7e]+/g, ".")}`);
	}
}

const listFiles = (folder: string): string[] =>
	globSync("**", { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile());

describe("a credential's value", () => {
	test("is in no answer, log line, database or write-ahead file, during the run and afterwards", async (context) => {
		const service = await openSignInService();
		context.after(() => service.close());
		const world = await startService(context, { ALLOW_PRIVATE_HOSTS: service.host });
		const passing = await signIn(world, service);
		assert.equal(new Set(passing.filter((each) => each.length === 43)).size, 4);
		await useSecret(world);
		await sendSecretHeaders(world);
		await sendValidSecrets(world);
		await waitUntilSettled(world);
		for (const answer of world.answers) assertNowhere(answer, "an answer");
		const during = listFiles(world.folder);
		assert.ok(during.includes("store.db") && during.includes("store.db-wal"), during.join(" "));
		const found = during.some((file) => readFileSync(join(world.folder, file)).includes(OWNER));
		assert.ok(found, "the search finds nothing at all");
		for (const file of during) assertNowhere(readFileSync(join(world.folder, file)), file);
		const listed = await fetch(`${world.service.storeUrl}/entries?owner_id=${OWNER}&limit=1000`);
		assertNowhere(await listed.text(), "an entry");
		world.service.child.kill("SIGTERM");
		assert.equal((await world.service.exited()).code, 0);
		assertNowhere(world.service.stderr(), "the log");
		for (const each of passing) {
			assert.ok(!world.service.stderr().includes(each), "a part of the sign-in is in the log");
			for (const file of listFiles(world.folder))
				assert.ok(
					!readFileSync(join(world.folder, file)).includes(each),
					`a part of the sign-in is in ${file}`,
				);
		}
		assert.ok(world.service.stderr().split("\n").length > 50);
		for (const file of listFiles(world.folder)) assertNowhere(readFileSync(join(world.folder, file)), file);
	});
});

describe("the data of a run", () => {
	test("is sealed in every file, whether it is a secret or not", async (context) => {
		const { folder, send, webhook } = await startService(context);
		const failing = await webhook({
			triplets: ["input >> ON_SUCCESS >> copy", "copy >> ON_SUCCESS >> only"],
			config: {
				copy: { component: "set", values: { copied: "{{input.a}}", header: '{{request.headers["x-own"]}}' } },
				only: { component: "fail", message: "no" },
			},
			options: { keep: "failed" },
		});
		const path = `/webhooks/${failing}/trigger`;
		const failed = await send("POST", path, { a: "plain" }, ["x-own", SECRET]);
		const { execution_id } = failed.body as { execution_id: string };
		const body = { a: SECRET, [SECRET]: [SECRET] };
		const again = await send("POST", path, body, ["x-own", SECRET]);
		assert.equal(again.status, 500);
		const answers = await Promise.all(
			[execution_id, (again.body as { execution_id: string }).execution_id].map((id) =>
				send("GET", `/executions/${id}/data`),
			),
		);
		for (const { status, text } of answers) {
			assert.equal(status, 200, text);
			assert.ok(text.includes('"kept":"stored"') && text.includes(SECRET), text);
		}
		const files = listFiles(folder);
		assert.ok(files.includes("executor.db"), files.join(" "));
		const found = files.some(
			(file) => file.startsWith("executor.db") && readFileSync(join(folder, file)).includes(execution_id),
		);
		assert.ok(found, "nothing is stored");
		for (const file of files) assertNowhere(readFileSync(join(folder, file)), file);
	});
});

describe("a log line", () => {
	test("never contains a token, a tenant header, a header value or a body, however the request ends", async (context) => {
		const { service, client, send, webhook } = await startService(context);
		const marker = "marker-of-a-body-7731";
		const token = await webhook(echo({ name: marker, description: marker }));
		await send("POST", "/workflows", { name: marker, description: marker, version: "1", ...echo() });
		const paths = [
			`/webhooks/${token}/trigger`,
			`/webhooks/${token}/trigger?${marker}=${marker}`,
			`/webhooks/${token}`,
			`/webhooks/${token}x/trigger`,
			`/webhooks/${token}/unknown`,
			`/webhooks/named/${marker}/trigger`,
			`/webhooks/named/${OWNER}/${marker}/trigger`,
			`/webhooks/named/${marker}/query`,
			`/q/${OWNER}/${marker}`,
			`/executions/${marker}`,
			`/credentials/${marker}`,
			`/recipes/${marker}`,
			`/auth-recipes/${marker}`,
			`/components/${marker}`,
			`/registry/components/${marker}/1.0.0`,
			`/registry/components/${marker}/installs`,
			`/registry/submissions/${marker}/review`,
			`/unknown/${token}/${marker}`,
			`/webhooks/%ff${marker}/trigger`,
		];
		for (const path of paths) {
			for (const method of ["POST", "GET", "PUT", "OPTIONS"]) {
				await send(method, path, { marker }, ["cookie", marker, "authorization", `Bearer ${marker}`]);
				await send(method, path, `{"${marker}`, ["x-forwarded-for", marker, "user-agent", marker]);
				await send(method, path, undefined, ["idempotency-key", marker, "prefer", "respond-async"]);
				await send(method, path, undefined, ["origin", `https://${marker}.example`]);
			}
		}
		await client.call("GET", "/webhooks", { headers: tenant(`${OWNER} odd`) });
		assert.equal((await send("DELETE", `/webhooks/${token}`)).status, 200);
		service.child.kill("SIGTERM");
		assert.equal((await service.exited()).code, 0);
		const log = service.stderr();
		assert.ok(log.split("\n").length > 150);
		for (const secret of [token, OWNER, marker]) {
			const line = log.split("\n").find((each) => each.includes(secret));
			assert.equal(line, undefined);
		}
	});
});

/** Waits until every accepted run has ended. */
async function waitUntilSettled({ service }: Running): Promise<void> {
	const until = Date.now() + 10_000;
	for (;;) {
		const listed = await fetch(
			`${service.storeUrl}/entries?owner_id=${OWNER}&entry_type=accepted_run&limit=1000`,
		);
		if (!(await listed.text()).includes('\\"status\\":\\"accepted\\"')) return;
		assert.ok(Date.now() < until, "accepted runs did not end");
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
