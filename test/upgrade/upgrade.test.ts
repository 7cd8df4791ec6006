import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { eventually } from "../conformance/scenarios/executor/eventually.ts";
import { type Facts, SETTINGS } from "./facts.ts";
import { fixtureUrl, type Release } from "./release.ts";

const MINUTE_MS = 60_000;

describe("the data of a release", () => {
	test("1.3.0: what the store knows is there and is found", async (context) => {
		const { call } = await upgrade(context, "1.3.0");
		await assertStore(call);
		assert.equal((await call("GET", "/readyz")).status, 200);
		await call("POST", "/webhooks/named", {
			...{ name: "new", description: "", version: "1", triplets: ["input >> then >> only"] },
			config: { only: { component: "kb_get", entry_type: "note", page_name: "tea" } },
		});
		const run = await call("POST", "/webhooks/named/new/trigger", {});
		assert.match(JSON.stringify(run.body), /75 °C/);
	});

	test("1.3.1: triggers, schedules, credentials, logins and accepted runs continue", async (context) => {
		const { call, sent, skip, facts } = await upgrade(context, "1.3.1");
		const { token, bearer, accepted_run } = facts.executor ?? assert.fail("the fixture has no executor");
		await assertStore(call);

		// The run that was interrupted starts again by itself.
		await eventually(async () => assert.ok(sent.some(({ path }) => path === "/hangs")));
		await eventually(async () => {
			const { status } = (await call("GET", `/executions/${accepted_run}`)).body as { status: string };
			assert.equal(status, "success");
		});

		const named = await call("GET", "/webhooks/named");
		const names = (named.body as { workflows: { name: string }[] }).workflows.map(({ name }) => name);
		assert.deepEqual(names.sort(), ["calls", "doubles", "greet", "listens", "report", "waits"]);
		const data = async (path: string, body: object) =>
			((await call("POST", path, body)).body as { data: unknown }).data;
		assert.equal(await data("/webhooks/named/greet/trigger", { name: "Bo" }), "hello Bo");
		assert.deepEqual(await data(`/webhooks/${token}/trigger`, { by: "token" }), { by: "token" });
		assert.equal(await data("/webhooks/named/doubles/trigger", {}), 42);

		await call("POST", "/webhooks/named/calls/trigger", {});
		assert.deepEqual(
			sent.filter(({ path }) => path === "/secret").map(({ authorization }) => authorization),
			["Bearer a secret that only the vault knows"],
		);

		const runs = async (workflow: string) =>
			((await call("GET", `/workflows/${workflow}/executions`)).body as { executions: { trigger: string }[] })
				.executions;
		assert.equal((await runs("greet")).length, 2);
		await call("POST", "/events", {
			...{ specversion: "1.0", type: "order.paid", source: "/shop", id: "1", data: {} },
		});
		await eventually(async () => assert.equal((await runs("listens")).length, 1));
		await skip(6);
		await eventually(async () => assert.equal((await runs("report"))[0]?.trigger, "schedule"));

		const versions = await call("GET", "/workflows/greet/versions");
		assert.equal((versions.body as { versions: unknown[] }).versions.length, 1);

		const mine = { authorization: `Bearer ${bearer}` };
		assert.equal((await call("GET", "/gui/tokens", undefined, mine)).status, 200);
		const overview = await call("GET", "/gui/overview", undefined, mine);
		assert.equal(overview.status, 200, JSON.stringify(overview.body));
	});
});

type Upgraded = Awaited<ReturnType<typeof upgrade>>;

async function assertStore(call: Upgraded["call"]): Promise<void> {
	const find = async (q: string) => {
		const { body } = await call("POST", "/search", { owner_id: "default", q });
		return (body as { suggestions: { page_name: string }[] }).suggestions.map(({ page_name }) => page_name);
	};
	assert.equal((await find("green tea"))[0], "tea");
	assert.equal((await find("綠茶"))[0], "茶");
	assert.equal((await find("зелёный"))[0], "чай");
	const records = (await call("GET", "/records?owner_id=default&template=book")).body;
	assert.match(JSON.stringify(records), /Middlemarch.*880/);
	const { body: neighbors } = await call("GET", "/graph/neighbors/ada?owner_id=default");
	assert.match(JSON.stringify(neighbors), /Globex/);
	assert.doesNotMatch(JSON.stringify(neighbors), /Acme/);
	const { body: log } = await call("GET", "/execution-log?owner_id=default&verdict=failed");
	assert.match(JSON.stringify(log), /fetch: timed out/);
}

/** The present service on a copy of the fixture, a minute after the release was killed. */
async function upgrade(context: TestContext, release: Release) {
	const folder = mkdtempSync(join(tmpdir(), "tripline-upgrade-"));
	context.after(() => rmSync(folder, { recursive: true, force: true }));
	execFileSync("tar", ["xzf", fileURLToPath(fixtureUrl(release)), "-C", folder]);
	const facts = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")) as Facts;
	let offset = facts.written_at + MINUTE_MS - Date.now();
	const sent: { path: string; authorization: string | undefined }[] = [];
	const problems: string[] = [];
	const service = await startService({
		settings: parseSettings({
			...{ PORT: "0", STORE_PORT: "0", DATA_DIR: folder, ALLOW_PRIVATE_HOSTS: facts.outside },
			...SETTINGS,
		}),
		clock: { now: () => Date.now() + offset },
		log: (level, message, fields) => {
			if (level === "error") problems.push(`${message} ${JSON.stringify(fields)}`);
		},
		version: "test",
		reachOutside: () => ({
			async send({ url, headers }) {
				assert.equal(url.host, facts.outside);
				sent.push({ path: url.pathname, authorization: headers.authorization });
				return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from("{}") };
			},
			close: async () => {},
		}),
	});
	context.after(async () => {
		await service.close();
		assert.deepEqual(problems, []);
	});
	return {
		facts,
		sent,
		async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
			const isStore = /^\/(?:records|execution-log|search|graph)\b/.test(path);
			const response = await fetch((isStore ? service.storeUrl : service.publicUrl) + path, {
				method,
				headers: { "x-service-api-key": "default", "content-type": "application/json", ...headers },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
			const text = await response.text();
			assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
			return { status: response.status, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : text };
		},
		async skip(minutes: number): Promise<void> {
			offset += minutes * MINUTE_MS;
			await service.tick();
		},
	};
}
