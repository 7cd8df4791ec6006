import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";

const ROUNDS = 8;
const WRITERS = 12;
const HEADERS = { "x-service-api-key": "o", "content-type": "application/yaml" };
const JSON_HEADERS = { ...HEADERS, "content-type": "application/json" };

const write = (name: string, text: string) => `# ${text}
name: ${name}
description: d
version: "1"
triplets: [input >> then >> only]
config: { only: { component: template, text: "${text}" } }
`;

/** Changes one workflow in every way, over and over, until the service is gone. Counts what was answered with 200. */
async function changeUntilKilled(service: Started, first: string, count: (action: string) => void) {
	let name = first;
	const call = async (
		action: string,
		method: string,
		path: string,
		body?: string,
		headers = JSON_HEADERS,
	) => {
		const response = await fetch(service.publicUrl + path, { method, headers, ...(body && { body }) });
		const answer = (await response.json()) as Record<string, unknown>;
		if (response.ok) count(action);
		return answer;
	};
	try {
		for (let turn = 0; ; turn++) {
			const text = `${first} ${turn} ${Math.random()}`;
			await call("save", "POST", "/workflows", write(name, text), HEADERS);
			await call("draft", "PUT", `/workflows/${name}/draft`, write(name, `${text} draft`), HEADERS);
			await call("publish", "POST", `/workflows/${name}/draft/publish`);
			await call("rollback", "POST", `/workflows/${name}/rollback`, JSON.stringify({ version: 1 }));
			const to = `${first}-${turn}-${randomInt(1e9)}`;
			if ((await call("rename", "POST", `/workflows/${name}/rename`, JSON.stringify({ to }))).name === to)
				name = to;
			await call("delete", "DELETE", `/webhooks/named/${name}`);
			const { workflows } = await call("list", "GET", "/deleted-workflows?limit=200");
			const deleted = (workflows as { id: string; name: string }[]).find((each) => each.name === name);
			if (deleted !== undefined) await call("restore", "POST", `/deleted-workflows/${deleted.id}/restore`);
		}
	} catch {
		// The service was killed.
	}
}

test("kill -9 during any change leaves every workflow in agreement with its versions", async (context) => {
	const cwd = temporaryFolder(context);
	const counts: Record<string, number> = {};
	for (let round = 0; round < ROUNDS; round++) {
		const service = await start(context, { LOG_LEVEL: "silent" }, cwd);
		let done = 0;
		const last = 3 * WRITERS + randomInt(80);
		const count = (action: string) => {
			counts[action] = (counts[action] ?? 0) + 1;
			if (++done === last) setTimeout(() => service.child.kill("SIGKILL"), randomInt(5));
		};
		await Promise.all(
			Array.from({ length: WRITERS }, (_, nth) => changeUntilKilled(service, `wf${round}-${nth}`, count)),
		);
		await service.exited();
		assertAgreement(cwd);
	}
	for (const action of ["save", "publish", "rollback", "delete", "restore", "rename"])
		assert.ok((counts[action] ?? 0) > 0, `no ${action} was acknowledged: ${JSON.stringify(counts)}`);
	context.diagnostic(`${ROUNDS} kills, acknowledged: ${JSON.stringify(counts)}`);
});

function assertAgreement(cwd: string): void {
	const database = new DatabaseSync(join(cwd, "data/store.db"));
	try {
		const read = (text: string) => database.prepare(text).all();
		const newest = "(select max(number) from workflow_versions where workflow_id = w.id)";
		// The newest version is the text, under the same name.
		assert.deepEqual(
			read(`select w.id, w.page_name from entries w left join workflow_versions v
				on v.workflow_id = w.id and v.number = w.version
				where w.entry_type = 'workflow' and (v.number is null or v.number <> ${newest} or v.name <> w.page_name
					or v.content <> w.content or v.metadata_json <> w.metadata_json)`),
			[],
		);
		// Versions have no gap.
		assert.deepEqual(
			read("select workflow_id from workflow_versions group by 1 having count(*) <> max(number)"),
			[],
		);
		// A workflow is there or deleted, not both; and nothing is left of neither.
		const there = "select id from entries where entry_type = 'workflow'";
		assert.deepEqual(read(`select id from deleted_workflows where id in (${there})`), []);
		for (const table of ["workflow_versions", "workflow_drafts", "former_names"])
			assert.deepEqual(
				read(`select workflow_id from ${table}
					where workflow_id not in (${there} union select id from deleted_workflows)`),
				[],
			);
		// A deleted one can be restored: its version is there.
		assert.deepEqual(read(`select id from deleted_workflows w where version is not ${newest}`), []);
		// A published draft is gone: every draft has a text of its own.
		assert.deepEqual(
			read(`select w.id from workflow_drafts join workflow_versions v using (workflow_id)
				join entries w on w.id = workflow_id where v.metadata_json ->> '$.yaml.text' = source`),
			[],
		);
		// The key of a workflow is that of its name.
		assert.deepEqual(
			read(`select id from entries where entry_type = 'workflow'
				and upsert_key is not owner_id || char(10) || 'workflow' || char(10) || page_name`),
			[],
		);
		assert.equal(database.prepare("pragma integrity_check").get()?.integrity_check, "ok");
	} finally {
		database.close();
	}
}
