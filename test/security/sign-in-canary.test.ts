import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { PRIVATE_TYPES } from "@tripline/contract/entry-types";
import { node, type Platform, platforms, type Target } from "../conformance/platforms.ts";
import { startOidc } from "../oidc.ts";
import { createBrowser } from "./browser.ts";
import { type Answer, createClient, JSON_TYPE, tenant } from "./client.ts";
import { ask, bearer } from "./mcp-client.ts";
import { sha256 } from "./mcp-login.ts";
import { readFiles } from "./read-files.ts";
import { buildPath, readRoutes } from "./routes.ts";
import { findSecret } from "./secret-spellings.ts";

const OWNER = "alice";
const TOKEN = "static-token-of-the-tests-90b1f3d2";
const AUTH = "auth.example.com";
const API = "api.example.com";
const MINUTE_MS = 60_000;
/** Answers that never end are given up. */
const MAX_WAIT_MS = 2_000;

type Oidc = Awaited<ReturnType<typeof startOidc>>;
type Secrets = Map<string, string>;

/**
 * A token endpoint in front of the real one, which remembers all that goes through it and can echo it in errors, and an
 * API that echoes its tokens.
 */
function openService(target: Target, oidc: Oidc, secrets: Secrets) {
	const service = { echoes: 0, isRevoked: false };
	const remember = (values: Iterable<readonly [string, unknown]>) => {
		for (const [name, value] of values)
			if (typeof value === "string" && /code|token$|secret/.test(name))
				secrets.set(`${name} ${secrets.size}`, value);
	};
	target.outside.serve(AUTH, async ({ body, headers: { authorization = "" } }) => {
		const form = new URLSearchParams(body);
		remember(form);
		const echoed = form.get("refresh_token") ?? form.get("code_verifier") ?? "";
		if (service.echoes > 0) {
			const error_description = `${body} ${authorization}`;
			return { status: service.echoes, json: { error: echoed, error_description, error_uri: echoed } };
		}
		const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
		const answer = await fetch(`${oidc.issuer}/token`, { method: "POST", headers, body });
		const json = (await answer.json()) as object;
		remember(Object.entries(json));
		service.isRevoked = false;
		return { status: answer.status, json: { ...json, team: { name: echoed } } };
	});
	let polls = 0;
	target.outside.serve(API, ({ url, headers: { authorization: echo = "" } }) => {
		if (service.isRevoked) return { status: 401, json: { error: echo } };
		const { pathname, searchParams } = new URL(url);
		if (pathname === "/fails") return { status: 418, json: { error: echo } };
		const rows = Array.from({ length: ++polls }, (_, id) => ({ id, echo }));
		const next = searchParams.has("page") ? null : `/rows?page=2&of=${encodeURIComponent(echo)}`;
		return { json: { rows, next }, headers: { "x-echo": echo } };
	});
	return service;
}

const call = (path: string, more: object = {}) => ({
	triplets: ["input >> then >> call", "call >> then >> copy"],
	config: {
		call: {
			component: "http_request",
			url: `https://${API}${path}`,
			credential: "mine",
			attempts: 1,
			...more,
		},
		copy: { component: "set", values: { seen: "{{call}}" } },
	},
});

const WORKFLOWS: Readonly<Record<string, object>> = {
	reads: call("/rows"),
	fails: call("/fails"),
	pages: call("/rows", { paginate: { by: "link", url: "next", items: "rows" } }),
	polls: {
		triplets: ["input >> then >> keep"],
		config: { keep: { component: "state_set", name: "polled", value: "{{input}}" } },
		trigger: {
			type: "schedule",
			cron: "* * * * *",
			poll: {
				operation: "http_request",
				credential: "mine",
				params: { url: `https://${API}/rows`, paginate: { by: "link", url: "next", items: "rows" } },
				key: "id",
			},
		},
	},
};

async function startWorld(t: TestContext, platform: Platform) {
	const folder = mkdtempSync(join(tmpdir(), "tripline-sign-in-"));
	const oidc = await startOidc();
	const target = await platform.start({});
	const place = platform === node ? { DATA_DIR: folder } : { BASE_URL: target.publicUrl };
	await target.restart({ ...place, MCP_STATIC_TOKEN: TOKEN, MCP_OWNER_NAMESPACE: OWNER });
	const client = createClient(() => target.publicUrl);
	t.after(async () => {
		client.close();
		await target.close();
		oidc.close();
		rmSync(folder, { recursive: true, force: true });
	});
	oidc.register(`${target.publicUrl}/oauth/callback/oidc`);
	const secrets: Secrets = new Map([["client secret", oidc.credential.fields.client_secret]]);
	const answers: string[] = [];

	async function send(method: string, path: string, body?: object): Promise<Answer> {
		const from = path.startsWith("/gui/") ? bearer(TOKEN) : tenant(OWNER);
		const sent = body === undefined ? {} : { body: JSON.stringify(body) };
		const answer = await client.call(method, path, { headers: [...from, ...JSON_TYPE], ...sent });
		answers.push(JSON.stringify([answer.status, answer.headers, answer.text]));
		return answer;
	}

	async function useTool(name: string, args: object): Promise<unknown> {
		const { result, text } = await ask(client, TOKEN, "tools/call", { name, arguments: args });
		if (name !== "create_sign_in_link") answers.push(text);
		return result?.structuredContent;
	}

	const service = openService(target, oidc, secrets);
	return { oidc, target, folder, client, secrets, answers, service, send, useTool };
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** Signs in with a real browser's steps, and once more in a way that fails. */
async function signIn({ oidc, client, secrets, service, send, useTool }: World): Promise<void> {
	const { recipe } = oidc;
	const inject = { ...recipe.inject, token_url: `https://${AUTH}/token` };
	assert.equal((await send("PUT", "/auth-recipes/oidc", { ...recipe, hosts: [API], inject })).status, 201);
	assert.equal((await send("PUT", "/credentials/mine", oidc.credential)).status, 201);
	const createLink = async () => {
		const { url } = (await useTool("create_sign_in_link", { credential: "mine" })) as { url: string };
		secrets.set(`ticket ${secrets.size}`, url.split("/").at(-1) ?? "");
		return url;
	};
	const browser = createBrowser();
	await browser.open(await createLink());
	await browser.submit({});
	await browser.submit({ prompt: "login", login: "ada", password: "any" });
	const page = await browser.submit({ prompt: "consent" });
	assert.match(page, /<h1>Signed in<\/h1>/);
	for (const address of browser.visited) {
		const state = new URL(address).searchParams.get("state");
		if (state !== null) secrets.set("state", state);
	}
	await createLink();
	const started = await client.call("POST", new URL(await createLink()).pathname);
	const state = new URL(String(started.headers.location)).searchParams.get("state") ?? "";
	const cookie = String(started.headers["set-cookie"]).split(";")[0] ?? "";
	secrets.set("another state", state).set("cookie", cookie.split("=")[1] ?? "");
	service.echoes = 400;
	const query = new URLSearchParams({ code: "canary-code-which-was-guessed", state, iss: oidc.issuer });
	const path = `/oauth/callback/oidc?${query}`;
	for (const status of [502, 400]) {
		const failed = await client.call("GET", path, { headers: ["cookie", cookie] });
		assert.equal(failed.status, status);
		assert.ok(![...secrets.values()].some((each) => findSecret(Buffer.from(failed.text), each) !== null));
	}
	service.echoes = 0;
}

/** Runs that use the token, renew it, and fail to do so, in every way that leaves data. */
async function useAccount({ target, service, send, useTool }: World): Promise<readonly string[]> {
	for (const [name, document] of Object.entries(WORKFLOWS)) {
		const body = { name, description: "", version: "1", options: { keep: "all" }, ...document };
		const saved = await send("POST", "/workflows", body);
		assert.equal(saved.status, 201, saved.text);
	}
	const ids: string[] = [];
	const run = async (name: string, isDone: boolean) => {
		const ran = await send("POST", `/webhooks/named/${name}/trigger`, {});
		assert.equal(ran.status === 200, isDone, ran.text);
		ids.push((ran.body as { execution_id: string }).execution_id);
	};
	await run("reads", true);
	await run("pages", true);
	await run("fails", false);
	service.isRevoked = true;
	await run("reads", true);
	for (const status of [500, 429, 403]) {
		service.isRevoked = true;
		service.echoes = status;
		await run("reads", false);
		service.echoes = 0;
	}
	await run("reads", true);
	await useTool("run_workflow", { name: "reads", trace: true });
	await useTool("run_workflow", { name: "fails", trace: true });
	const start = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
	for (let minute = 1; minute <= 3; minute++) {
		await target.setNow(start + minute * MINUTE_MS);
		await target.tick();
		for (let nth = 0; ; nth++) {
			const { body } = await send("GET", "/workflows/polls/poll");
			if ((body as { remembered: number }).remembered >= minute) break;
			assert.ok(nth < 200, "nothing was polled");
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
	await target.setNow(null);
	const { body } = await send("GET", "/executions?limit=100");
	const { executions } = body as { executions: { execution_id?: string; id?: string }[] };
	return [...ids, ...executions.map(({ execution_id, id }) => execution_id ?? id ?? "")];
}

/** Every GET of every API with every name, and the tools that read. */
async function readEverything({ client, send, useTool }: World, ids: readonly string[]): Promise<void> {
	const routes = (await readRoutes(client)).filter(({ method }) => method === "GET");
	const names = [...Object.keys(WORKFLOWS), "mine", "oidc", "polled", ...new Set(ids)];
	for (const route of routes) {
		const isNamed = route.parameters.length > 0;
		for (const name of isNamed ? names : [""]) {
			const values = { ...Object.fromEntries(route.parameters.map((each) => [each, name])), number: "1" };
			const late = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS).unref());
			await Promise.race([send("GET", buildPath(route, { namespace: OWNER, ...values })), late]);
		}
	}
	for (const name of Object.keys(WORKFLOWS)) await useTool("get_workflow", { name });
	for (const execution_id of new Set(ids)) await useTool("get_execution", { execution_id });
	await useTool("list_recent_executions", {});
	await useTool("search_knowledge", { query: "polled token" });
}

async function readEntries({ storeUrl }: Target): Promise<string> {
	const texts: string[] = [];
	for (const owner of [OWNER, "_system"]) {
		for (const type of ["", "execution_log", "workflow", ...PRIVATE_TYPES]) {
			const query = new URLSearchParams({
				owner_id: owner,
				limit: "1000",
				...(type && { entry_type: type }),
			});
			texts.push(await (await fetch(`${storeUrl}/entries?${query}`)).text());
		}
	}
	return texts.join("\n");
}

for (const platform of platforms) {
	describe(`the secrets of a sign-in on ${platform.name}`, () => {
		test("are in no file, log line, entry, kept data or answer, however runs and renewals end", async (t) => {
			const world = await startWorld(t, platform);
			const { target, folder, secrets, answers } = world;
			await target.lines();
			await signIn(world);
			const ids = await useAccount(world);
			await readEverything(world, ids);
			const during = readFiles(folder);
			const places: (readonly [string, Buffer])[] = [
				["the log", Buffer.from(JSON.stringify(await target.lines()))],
				["an entry", Buffer.from(await readEntries(target))],
				["an answer", Buffer.from(answers.join("\n"))],
				...during,
			];
			await target.restart({});
			places.push(...readFiles(folder));
			const found = places.flatMap(([where, bytes]) =>
				[...secrets].flatMap(([name, secret]) => {
					const how = findSecret(bytes, secret);
					return how === null ? [] : [`${name} in ${where}, ${how}`];
				}),
			);
			const kinds = [...secrets.keys()].map((name) => name.replace(/ \d+$/, ""));
			t.diagnostic(
				`${secrets.size} secrets in ${places.length} places, ${answers.length} answers: found ${found.length}`,
			);
			assert.deepEqual(found, []);
			for (const kind of ["access_token", "refresh_token", "id_token", "code", "code_verifier", "ticket"])
				assert.ok(kinds.includes(kind), kind);
			// A ticket is stored as its hash: finding that proves that the search works.
			const hash = sha256(secrets.get("ticket 1") ?? "");
			assert.ok(places.some(([, bytes]) => bytes.includes(hash)));
			assert.ok(answers.some((answer) => answer.includes("[redacted]")));
			if (platform === node)
				for (const file of ["store.db", "executor.db"]) assert.ok(during.some(([name]) => name === file));
		});
	});
}
