import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PREVIOUS } from "../../apps/node/src/downgraded.ts";
import { fill, OWNER_SECRET, openDeployment, startOutside, useAll } from "../filled-deployment.ts";
import { checkOut, hasHistory, startRelease } from "./release.ts";

const PROGRAM = fileURLToPath(new URL("../../apps/node/src/downgrade.ts", import.meta.url));

describe("the release before this one", {
	skip: !hasHistory(PREVIOUS.version) && "the history is not here",
}, () => {
	let sources = "";
	before(() => {
		sources = mkdtempSync(join(tmpdir(), "tripline-previous-"));
		checkOut(PREVIOUS.version, sources);
	});
	after(() => rmSync(sources, { recursive: true, force: true }));

	test("refuses newer data until tripline downgrade, then uses it, and runs continue after an upgrade", async (context) => {
		const outside = await startOutside();
		context.after(outside.close);
		const data = temporaryFolder(context);
		const first = await openDeployment(context, { DATA_DIR: data }, outside);
		const filled = await fill(first, outside);
		const PORT = new URL(first.publicUrl).port;
		assert.match(downgrade(data).stderr, /is used by another process/);
		await first.close();

		const variables = { PORT, MCP_OWNER_SECRET: OWNER_SECRET, ALLOW_PRIVATE_HOSTS: outside.host };
		const refused = await startRelease(sources, data, variables);
		assert.match(refused.stderr(), /schema version \d+, this version of the service knows up to 6/);
		assert.match(downgrade(data, "1.2.9").stderr, /--to must be 1\.3\.1/);
		const done = downgrade(data);
		assert.equal(done.status, 0, done.stderr);
		assert.match(done.stdout, /3 unfinished runs were put aside/);

		assert.deepEqual(listAcceptedRuns(data), [], "the release deletes accepted runs after a day");

		const calls = outside.seen.length;
		const previous = await startRelease(sources, data, variables);
		context.after(() => previous.stop("SIGKILL"));
		assert.equal(previous.stderr(), "");
		const post = async (path: string, body: object) => {
			const response = await fetch(previous.publicUrl + path, {
				method: "POST",
				headers: { "x-service-api-key": "default" },
				body: JSON.stringify(body),
			});
			assert.ok(response.ok, await response.clone().text());
			return (await response.json()) as { data: unknown };
		};
		assert.deepEqual((await post(`/webhooks/${filled.token}/trigger`, { by: "token" })).data, {
			by: "token",
		});
		await post("/webhooks/named/calls/trigger", {});
		assert.match(outside.list("/secret").at(-1)?.authorization ?? "", /^Bearer a secret/);
		const found = await fetch(`${previous.storeUrl}/search`, {
			...{ method: "POST", body: JSON.stringify({ owner_id: "default", q: "green tea" }) },
		});
		assert.match(await found.text(), /75 °C/);
		const tokens = await fetch(`${previous.publicUrl}/gui/tokens`, {
			headers: { authorization: `Bearer ${filled.bearer}` },
		});
		assert.equal(tokens.status, 200);
		const saved = { name: "made before", description: "", version: "1", triplets: ["input >> then >> only"] };
		await post("/webhooks/named", { ...saved, config: { only: { component: "template", text: "before" } } });
		await previous.stop();
		assert.deepEqual(
			outside.seen.slice(calls).map(({ path }) => path),
			["/secret"],
			"the release must not touch runs that it does not know",
		);

		const again = await openDeployment(context, { DATA_DIR: data, PORT }, outside);
		await useAll(again, filled, outside);
		const run = (await again.call("POST", "/webhooks/named/made%20before/trigger", {})) as { data: unknown };
		assert.equal(run.data, "before");
		const { versions } = (await again.call("GET", "/workflows/made%20before/versions")) as {
			versions: object[];
		};
		assert.equal(versions.length, 1);
		assert.deepEqual(again.log, []);
	});
});

function listAcceptedRuns(data: string): object[] {
	using store = new DatabaseSync(join(data, "store.db"), { readOnly: true });
	return store.prepare("select page_name from entries where entry_type = 'accepted_run'").all();
}

const downgrade = (data: string, to: string = PREVIOUS.version) =>
	spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", PROGRAM, "--to", to], {
		encoding: "utf8",
		env: { PATH: process.env.PATH, DATA_DIR: data },
		cwd: data,
	});

function temporaryFolder(context: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-downgrade-"));
	context.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
