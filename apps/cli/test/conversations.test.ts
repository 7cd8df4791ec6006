import assert from "node:assert/strict";
import { test } from "node:test";
import { uuidv7 } from "@tripline/contract/ids";
import { startWorld } from "./world.ts";

const { cli, service } = await startWorld();

async function callStore(path: string, body: object): Promise<void> {
	const response = await fetch(`${service.storeUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
	assert.ok(response.ok, `${response.status} ${await response.text()}`);
}

test("conversations are listed, shown and deleted", async () => {
	assert.equal((await cli(["conversations", "list"])).out, "no conversations\n");
	const name = { workflow: "support", key: "c/7" };
	for (const text of ["I am Ada.", "Who am I?"])
		await callStore("/conversations/turns", {
			...{ owner_id: "default", ...name, id: uuidv7(Date.now()), execution_id: "run" },
			messages_json: JSON.stringify([
				{ role: "user", content: text },
				{ role: "assistant", content: `You said: ${text}` },
			]),
		});
	await callStore("/triplets/ingest", {
		...{ owner_id: "default", subject: "Ada", predicate: "likes", object: "tea" },
		source: { uri: `conversation:support/${name.key}`, hash: "conversation" },
	});
	const { out } = await cli(["conversations", "list"], { width: 200 });
	assert.match(out, /^STARTED +LAST TURN +TURNS +TOKENS +WORKFLOW +KEY\n/);
	assert.match(out, / 2 +\d+ +support +c\/7/);
	const shown = await cli(["conversations", "show", name.workflow, name.key]);
	assert.match(
		shown.out,
		/user: I am Ada\.\n {2}assistant: You said: I am Ada\.\n[^\n]+\n {2}user: Who am I\?/,
	);
	assert.match(shown.out, /^fact: Ada likes tea$/m);
	const last = await cli(["conversations", "show", name.workflow, name.key, "--limit", "1", "--json"]);
	assert.equal((last.json as { turns: unknown[] }).turns.length, 1);
	const refused = await cli(["conversations", "delete", name.workflow, name.key]);
	assert.equal(refused.code, 2);
	const tried = await cli(["conversations", "delete", name.workflow, name.key, "--dry-run"]);
	assert.match(tried.out, /would be deleted/);
	const deleted = await cli(["conversations", "delete", name.workflow, name.key, "--yes"]);
	assert.match(
		deleted.out,
		/is deleted \(turns: 2\); facts that stay: 1, with the source conversation:support\/c\/7/,
	);
	for (const command of ["show", "delete"]) {
		const gone = await cli(["conversations", command, name.workflow, name.key]);
		assert.equal(gone.code, 1);
		assert.match(gone.err, /there is no such conversation/);
	}
});
