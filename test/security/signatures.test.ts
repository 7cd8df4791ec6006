import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Platform, platforms, type Target } from "../conformance/platforms.ts";
import { type Client, createClient, JSON_TYPE, tenant } from "./client.ts";
import { buildPath, type DescribedRoute, readRoutes } from "./routes.ts";

const OWNER = "signed";
const WORKFLOW = {
	name: "signed",
	description: "",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: { component: "kb_upsert", page_name: "ran", content: "without a signature" } },
	options: { signature: { scheme: "github", credential: "signer" } },
};

let target: Target;
let client: Client;
let token: string;

before(async () => {
	target = await (platforms[0] as Platform).start({});
	client = createClient(() => target.publicUrl);
	const fields = { secret: "s3cret-of-the-sender" };
	await send("PUT", "/credentials/signer", { auth_recipe: "signing_secret", fields });
	assert.equal((await send("POST", "/workflows", WORKFLOW)).status, 201);
	token = ((await send("POST", "/webhooks", WORKFLOW)).body as { token: string }).token;
});

after(async () => {
	client.close();
	await target.close();
});

test("a workflow that requires a signature runs for no unsigned call, by any route", async () => {
	const routes = (await readRoutes(client)).filter(isRun);
	assert.equal(routes.length, 5);
	const ran: string[] = [];
	for (const route of routes) {
		const path = buildPath(route, { token, name: "signed", namespace: OWNER });
		for (const more of [[], ["prefer", "respond-async"], ["idempotency-key", "k"]]) {
			const answer = await client.call(route.method, path, { headers: [...tenant(OWNER), ...more] });
			// A workflow open to queries cannot require a signature, so this one is not found there.
			if (answer.status !== (route.path.startsWith("/q/") ? 404 : 401))
				ran.push(`${route.method} ${route.path} ${more.join(": ")}: ${answer.status}`);
		}
	}
	const notes = await (await fetch(`${target.storeUrl}/entries?owner_id=${OWNER}&entry_type=note`)).text();
	assert.deepEqual(ran, []);
	assert.ok(!notes.includes("without a signature"));
});

const GUARDED: readonly object[] = [
	{ signature: { scheme: "github", credential: "signer" } },
	{ signature: { scheme: "gitlab", credential: "signer" }, methods: ["GET", "POST", "DELETE"] },
	{ auth: { scheme: "bearer", credential: "signer" }, methods: ["GET", "POST", "PUT"], cors: ["*"] },
	{ auth: { scheme: "header", credential: "signer" }, answer: "respond", accept: ["json", "form", "text"] },
	{ auth: { scheme: "basic", credential: "login" }, form: {} },
	{ auth: { scheme: "bearer", credential: "missing" } },
	{ auth: { scheme: "bearer", credential: "signer" }, handshake: "microsoft" },
];

const ATTEMPTS: readonly (readonly string[])[] = [
	[],
	["authorization", "Bearer "],
	["authorization", "Bearer undefined"],
	["authorization", "Bearer s3cret-of-the-sender,s3cret-of-the-sender"],
	["authorization", "Basic Og=="],
	["authorization", "Basic dW5kZWZpbmVkOnVuZGVmaW5lZA=="],
	["authorization", "s3cret-of-the-sender"],
	["x-api-key", ""],
	["x-gitlab-token", "s3cret-of-the-sende"],
	["x-http-method-override", "POST", "prefer", "respond-async"],
	["content-type", "application/x-www-form-urlencoded"],
];

test("a workflow that asks for a credential or a signature runs for nobody without it", async () => {
	const login = { host: "example.com", username: "ada", password: "s3cret-of-ada" };
	await send("PUT", "/credentials/login", { auth_recipe: "basic_auth", fields: login });
	const ran: string[] = [];
	for (const [index, keys] of GUARDED.entries()) {
		const name = `guarded-${index}`;
		const workflow = {
			...WORKFLOW,
			name,
			trigger: { type: "webhook", ...keys },
			options: { input_schema: { type: "object", properties: { a: { type: "string" } } } },
		};
		const saved = await send("POST", "/workflows", workflow);
		assert.equal(saved.status, 201, saved.text);
		const { token: own } = (await send("POST", "/webhooks", workflow)).body as { token: string };
		const paths = [
			`/webhooks/${own}/trigger`,
			`/webhooks/${own}/trigger?validationToken=a&trace=false`,
			`/webhooks/named/${OWNER}/${name}/trigger`,
			`/webhooks/named/${name}/trigger`,
			`/webhooks/named/${name}/query`,
			`/q/${OWNER}/${name}`,
			`/f/${OWNER}/${name}`,
		];
		for (const path of paths) {
			for (const method of ["POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
				for (const headers of ATTEMPTS) {
					const body = method === "POST" || method === "PUT" ? { body: "a=1" } : {};
					const { status } = await client.call(method, path, { headers, ...body });
					const isAnswered = status < 300 && method !== "OPTIONS";
					if (isAnswered)
						ran.push(`${JSON.stringify(keys)} ${method} ${path} ${headers.join(": ")}: ${status}`);
				}
			}
		}
	}
	const notes = await (await fetch(`${target.storeUrl}/entries?owner_id=${OWNER}&entry_type=note`)).text();
	assert.deepEqual(ran, []);
	assert.ok(!notes.includes("without a signature"));
});

const isRun = ({ path }: DescribedRoute): boolean => /\/(?:trigger|query)$|^\/q\//.test(path);

const send = (method: string, path: string, body: object) =>
	client.call(method, path, { headers: [...tenant(OWNER), ...JSON_TYPE], body: JSON.stringify(body) });
