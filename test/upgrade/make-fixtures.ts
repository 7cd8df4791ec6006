import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { doublingManifest } from "../../services/registry/test/manifests.ts";
import { type Facts, SETTINGS } from "./facts.ts";
import { checkOut, fixtureUrl, RELEASES, type Release, startRelease } from "./release.ts";

/**
 * Writes the data folders of releases to `fixtures`: node test/upgrade/make-fixtures.ts [1.3.0 ...]. A fixture is made
 * once, by the release itself; later versions must be able to read it as it is.
 */
const wanted = process.argv.slice(2);
for (const release of Object.keys(RELEASES) as Release[])
	if (wanted.length === 0 || wanted.includes(release)) await makeFixture(release);

async function makeFixture(release: Release): Promise<void> {
	const work = mkdtempSync(join(tmpdir(), "tripline-fixture-"));
	const outside = createServer((request, response) => {
		// Never answered, so that the run is interrupted by the kill.
		if (request.url === "/hangs") return;
		response.setHeader("content-type", "application/json").end("{}");
	}).listen(0, "127.0.0.1");
	await once(outside, "listening");
	const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
	try {
		const sources = join(work, "sources");
		const data = join(work, "data");
		checkOut(release, sources);
		const service = await startRelease(sources, data, { ...SETTINGS, ALLOW_PRIVATE_HOSTS: host });
		assert.notEqual(service.publicUrl, "", service.stderr());
		const call = caller(service);
		await fillStore(call);
		const facts: Facts = {
			release,
			outside: host,
			...(release === "1.3.0" ? {} : { executor: await fillExecutor(call, host) }),
			written_at: Date.now(),
		};
		// Without a chance to tidy up, as in a power cut.
		await service.stop("SIGKILL");
		writeFileSync(join(data, "facts.json"), JSON.stringify(facts, null, "\t"));
		// SQLite makes its index of the log again.
		execFileSync("tar", ["--exclude=*-shm", "-czf", fileURLToPath(fixtureUrl(release)), "-C", data, "."]);
	} finally {
		outside.closeAllConnections();
		outside.close();
		rmSync(work, { recursive: true, force: true });
	}
}

type Call = ReturnType<typeof caller>;

function caller({ publicUrl, storeUrl }: { publicUrl: string; storeUrl: string }) {
	return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
		const isStore = /^\/(?:entries|records|templates|triplets|execution-log|embed)\b/.test(path);
		const response = await fetch((isStore ? storeUrl : publicUrl) + path, {
			method,
			redirect: "manual",
			headers: { "x-service-api-key": "default", ...headers },
			...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		assert.ok(response.status < 400, `${method} ${path}: ${response.status} ${text}`);
		if (response.status === 302) return { location: response.headers.get("location") ?? "" };
		return JSON.parse(text) as Record<string, string>;
	};
}

async function fillStore(call: Call): Promise<void> {
	const owner_id = "default";
	for (const [page_name, content] of [
		["tea", "Green tea: 75 °C, two minutes."],
		["茶", "綠茶用七十五度的水,泡兩分鐘。"],
		["чай", "Зелёный чай заваривают две минуты."],
	])
		await call("PUT", "/entries", {
			...{ owner_id, entry_type: "note", page_name, content, metadata_json: '{"embed":true}' },
		});
	await call("POST", "/templates", {
		owner_id,
		name: "book",
		slots: [
			{ name: "title", type: "string", required: true },
			{ name: "pages", type: "integer" },
		],
	});
	await call("POST", "/records", {
		owner_id,
		template: "book",
		values: { title: "Middlemarch", pages: 880 },
	});
	for (const [hash, object] of [
		["v1", "Acme"],
		["v2", "Globex"],
	])
		await call("POST", "/triplets/ingest/batch", {
			owner_id,
			source: { uri: "doc:1", hash },
			candidates: [
				{ subject: "Ada", predicate: "works at", object, gloss: { subject: "a person", object: "a firm" } },
			],
		});
	await call("POST", "/execution-log", {
		...{ owner_id, workflow: "report", verdict: "failed", duration_ms: 412, error: "fetch: timed out" },
	});
	await until(async () => Number((await call("GET", "/embed/status")).pending) === 0);
}

function document(name: string, config: object, more: object = {}) {
	const triplets = ["input >> then >> only"];
	return {
		name,
		description: `what ${name} does`,
		version: "1",
		triplets,
		config: { only: config },
		...more,
	};
}

async function fillExecutor(call: Call, host: string): Promise<NonNullable<Facts["executor"]>> {
	const save = (workflow: object) => call("POST", "/webhooks/named", workflow);
	const greeting = { component: "template", text: "hello {{input.name}}" };
	await save(document("greet", greeting));
	await save(document("report", greeting, { trigger: { type: "schedule", cron: "*/5 * * * *" } }));
	await save(document("listens", greeting, { trigger: { type: "event", event: "order.*" } }));
	await save(
		document("calls", { component: "http_request", url: `http://${host}/secret`, credential: "partner" }),
	);
	await save(document("waits", { component: "http_request", url: `http://${host}/hangs` }));
	await call("PUT", "/credentials/partner", {
		auth_recipe: "bearer_token",
		fields: { host, token: "a secret that only the vault knows" },
	});
	const { token } = await call("POST", "/webhooks", {
		triplets: ["input >> then >> only"],
		config: { only: { component: "set", values: "{{input}}" } },
	});
	await call("POST", "/webhooks/named/greet/trigger", { name: "Ada" });
	await call("POST", "/webhooks/named/calls/trigger", {});
	const submitted = await call(
		"POST",
		"/registry/submissions",
		{ manifest: doublingManifest({ id: "doubler" }) },
		{ "x-publisher-token": "publisher-token-of-the-tests-0123" },
	);
	const admin = { authorization: `Bearer ${SETTINGS.REGISTRY_ADMIN_TOKEN}` };
	await call("POST", `/registry/submissions/${submitted.id}/review`, { decision: "approve" }, admin);
	await call("PUT", "/components/doubler", { version: "1.0.0", sha256: submitted.sha256 });
	await save(document("doubles", { component: "doubler", n: 21 }));
	const login = await logIn(call);
	const { execution_id } = await call(
		"POST",
		"/webhooks/named/waits/trigger",
		{ order: 7 },
		{ prefer: "respond-async" },
	);
	// Execution records are written a moment after the response.
	await sleep(500);
	return { token: token ?? "", accepted_run: execution_id ?? "", ...login };
}

async function logIn(call: Call): Promise<{ client_id: string; bearer: string }> {
	const redirect_uri = "http://127.0.0.1:1/callback";
	const { client_id = "" } = await call("POST", "/register", {
		client_name: "Finder",
		redirect_uris: [redirect_uri],
	});
	const code_verifier = randomBytes(32).toString("base64url");
	const form = (path: string, fields: Record<string, string>) =>
		call("POST", path, new URLSearchParams(fields).toString(), {
			"content-type": "application/x-www-form-urlencoded",
		});
	const { location = "" } = await form("/authorize", {
		...{ response_type: "code", client_id, redirect_uri, code_challenge_method: "S256" },
		code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
		owner_secret: SETTINGS.MCP_OWNER_SECRET,
	});
	const code = new URL(location).searchParams.get("code") ?? "";
	const { access_token = "" } = await form("/token", {
		...{ grant_type: "authorization_code", code, code_verifier, client_id, redirect_uri },
	});
	return { client_id, bearer: access_token };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
	while (!(await isDone())) await sleep(50);
}
