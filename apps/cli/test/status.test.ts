import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceStatus } from "@tripline/contract/status";
import { startWithoutService, startWorld } from "./world.ts";

const disk = { free_bytes: 20 * 2 ** 30, total_bytes: 40 * 2 ** 30 };
const { cli, service } = await startWorld({}, { readDisk: async () => disk });

test("status shows the service, its runs and triggers, and what needs attention", async () => {
	const headers = { "x-service-api-key": "default", "content-type": "application/json" };
	const send = async (method: string, path: string, body: object) => {
		const answer = await fetch(service.publicUrl + path, { method, headers, body: JSON.stringify(body) });
		await answer.text();
	};
	const save = (name: string, config: object, trigger?: object) =>
		send("POST", "/workflows", {
			...{ name, description: "", version: "1", triplets: ["input >> then >> only"], trigger },
			config: { only: config },
		});
	await save("fails", { component: "fail", message: "no" });
	await save("daily", { component: "set", values: {} }, { type: "schedule", cron: "0 9 * * *" });
	const fields = { host: "127.0.0.1:1", user: "ada", password: "hush-hush-hush", tls: "off" };
	await send("PUT", "/credentials/box", { auth_recipe: "imap", fields });
	await save("tickets", { component: "set", values: {} }, { type: "event", email: { credential: "box" } });
	await send("POST", "/webhooks/named/fails/trigger", {});
	let shown = await cli(["status"]);
	// The mailbox is tried, and the record of the run written, in the background.
	const isWhole = () => shown.out.includes("1 failing") && /[1-9] failed$/m.test(shown.out);
	for (let looks = 0; !isWhole() && looks < 200; looks++) {
		await new Promise((resolve) => setTimeout(resolve, 25));
		shown = await cli(["status"]);
	}
	assert.equal(shown.code, 0);
	assert.match(shown.out, /^service +http:\/\/127\.0\.0\.1:\d+, version 0\.0\.0-test$/m);
	assert.match(shown.out, /^up +\d+ min, since \d{4}-/m);
	assert.match(shown.out, /^platform +Node \d+/m);
	assert.match(shown.out, /^database +SQLite, \d+\.\d MiB$/m);
	assert.match(shown.out, /^disk +20\.0 GiB of 40\.0 GiB free$/m);
	assert.match(shown.out, /^runs +0 running, 0 waiting, 0 parked$/m);
	assert.match(shown.out, /^last 24 hours +0 succeeded, [1-9] failed$/m);
	assert.match(shown.out, /^schedules +1, next at \d{4}-/m);
	assert.match(shown.out, /^mailboxes +1, 1 failing$/m);
	assert.match(shown.out, /^warning {2}The mailbox of tickets fails: .*ALLOW_PRIVATE_HOSTS/m);
	assert.ok(!shown.out.includes("hush"));

	disk.free_bytes = 10 * 2 ** 20;
	const full = await cli(["status", "--json"]);
	assert.equal(full.code, 1);
	const { attention } = ServiceStatus.parse(full.json);
	assert.match(attention[0]?.message ?? "", /^The disk is nearly full, 10 MiB are free: delete/);
});

test("status of a service that does not answer says how to start it", async () => {
	const { code, err } = await startWithoutService().cli(["status"]);
	assert.equal(code, 1);
	assert.match(err, /does not answer.*\n.*tripline serve/);
});
