import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startWorld } from "./world.ts";

const { cli, service } = await startWorld();

const DOCUMENT = `name: approve
description: Asks
version: "1"
triplets:
  - input >> then >> ask
  - ask >> then >> done
config:
  ask: { component: ask, question: "Pay **{{input.amount}}**?", to: Ada }
  done: { component: template, text: "{{ask.approved}}" }
`;

interface Asked {
	readonly execution_id: string;
	readonly id: string;
}

async function askOnce(amount: number): Promise<Asked> {
	const pushed = await cli(["push", "one.yaml"], { files: { "one.yaml": DOCUMENT } });
	assert.equal(pushed.code, 0, pushed.err);
	const response = await fetch(`${service.publicUrl}/webhooks/named/default/approve/trigger`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ amount }),
	});
	assert.equal(response.status, 202);
	for (;;) {
		const { json } = await cli(["questions", "--json"]);
		const [question] = (json as { questions: Asked[] }).questions;
		if (question !== undefined) return question;
		await sleep(20);
	}
}

test("questions lists what runs ask, and answer lets the run go on", async () => {
	assert.equal((await cli(["questions"])).out, "no open questions\n");
	const { execution_id, id } = await askOnce(5);
	const { out } = await cli(["questions"], { width: 250 });
	assert.match(out, /^ASKED +UNTIL +WORKFLOW +TO +EXECUTION +QUESTION ID +QUESTION\n/);
	assert.match(out, new RegExp(`approve +Ada +${execution_id} +${id} +Pay \\*\\*5\\*\\*\\?`));
	const wrong = await cli(["answer", execution_id, id, "--field", "approved=maybe"]);
	assert.equal(wrong.code, 1);
	assert.match(wrong.err, /approved must be true or false/);
	const answered = await cli(["answer", execution_id, id, "--field", "approved=true"]);
	assert.equal(answered.out, "answered\n", answered.err);
	const watched = await cli(["executions", "watch", execution_id], {
		wait: (ms) => sleep(Math.min(ms, 100)),
	});
	assert.equal(watched.code, 0, watched.err);
	assert.match(watched.out, /answered by default \(cli\)/);
	const again = await cli(["answer", execution_id, id, "--field", "approved=true"]);
	assert.equal(again.code, 1);
	assert.match(again.err, /there is no such open question/);
});

test("answer takes the whole answer as JSON, and says which fields there are", async () => {
	const { execution_id, id } = await askOnce(6);
	const bare = await cli(["answer", execution_id, id]);
	assert.equal(bare.code, 2);
	assert.match(bare.err, /the answer has the fields approved, comment/);
	for (const flags of [
		["--json-answer", "[]"],
		["--json-answer", "{"],
		["--field", "approved"],
		["--field", "approved=true", "--json-answer", "{}"],
	])
		assert.equal((await cli(["answer", execution_id, id, ...flags])).code, 2, flags.join(" "));
	const { json } = await cli(["answer", execution_id, id, "--json-answer", '{"approved":false}', "--json"]);
	assert.deepEqual(json, { execution_id, id, status: "answered" });
	assert.equal((await cli(["questions"])).out, "no open questions\n");
});
