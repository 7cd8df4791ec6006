import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startWorld } from "./world.ts";

const { cli, service } = await startWorld();
const HEADERS = { "x-service-api-key": "default", "content-type": "application/json" };

async function send(method: string, path: string, body: object): Promise<void> {
	const answer = await fetch(service.publicUrl + path, {
		method,
		headers: HEADERS,
		body: JSON.stringify(body),
	});
	assert.ok(answer.ok, await answer.text());
}

const save = (name: string, trigger?: object) =>
	send("POST", "/workflows", {
		...{ name, description: "", version: "1", trigger },
		...{ triplets: ["input >> then >> note"], config: { note: { component: "set", values: {} } } },
	});

test("triggers shows what starts workflows, and why that does not work", async () => {
	assert.equal((await cli(["triggers"])).out, "no workflows yet\n");
	const fields = { host: "127.0.0.1:1", user: "ada", password: "hush-hush-hush", tls: "off" };
	await send("PUT", "/credentials/box", { auth_recipe: "imap", fields });
	await save("plain");
	await save("daily", { type: "schedule", cron: "0 9 * * *", timezone: "Asia/Taipei" });
	await save("orders", { type: "event", event: "order.*" });
	const poll = { operation: "http_request", params: { url: "https://example.com" }, key: "id" };
	await save("polled", { type: "schedule", cron: "@yearly", poll });
	await save("tickets", { type: "event", email: { credential: "box" } });
	let shown = await cli(["triggers", "tickets"]);
	for (let looks = 0; !shown.out.includes("failed") && looks < 100; looks++) {
		await wait(50);
		shown = await cli(["triggers", "tickets"]);
	}
	assert.match(
		shown.out,
		/tickets +mail box INBOX +failed: .*ALLOW_PRIVATE_HOSTS.*; again at \d{4}-\d\d-\d\d/,
	);
	assert.equal((await cli(["disable", "daily", "--yes"])).code, 0);
	const { out } = await cli(["triggers"]);
	assert.match(out, /plain +webhook/);
	assert.match(out, /daily +schedule 0 9 \* \* \* Asia\/Taipei +disabled/);
	assert.match(out, /orders +event order\.\*/);
	assert.match(out, /polled +poll @yearly UTC +\d{4}-01-01.* not polled yet/);
	const { json } = await cli(["triggers", "tickets", "--json"]);
	const { workflows } = json as { readonly workflows: readonly { mailbox: { read_by: string } }[] };
	assert.equal(workflows[0]?.mailbox.read_by, "this_process");
	const unknown = await cli(["triggers", "ticket"]);
	assert.equal(unknown.code, 1);
	assert.match(unknown.err, /tickets/);
});
