import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "./world.ts";

const { cli, service } = await startWorld();

const save = (name: string, trigger?: object) =>
	fetch(`${service.publicUrl}/workflows`, {
		method: "POST",
		headers: { "x-service-api-key": "default", "content-type": "application/json" },
		body: JSON.stringify({
			...{ name, description: "", version: "1", trigger },
			...{ triplets: ["input >> then >> say"], config: { say: { component: "template", text: "Hello" } } },
		}),
	});

test("chat-link makes a link that opens the chat for as long as it is to work", async () => {
	await save("helper", { type: "webhook", chat: {} });
	const { json } = await cli(["chat-link", "helper", "--days", "2", "--json"]);
	const { url, expires_at } = json as { url: string; expires_at: string };
	const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
	assert.ok(hours > 47 && hours < 48.1, expires_at);
	const { origin, pathname, hash } = new URL(url);
	const settings = await fetch(`${origin}${pathname}/settings`, {
		headers: { authorization: `Bearer ${hash.slice(1)}` },
	});
	assert.equal(settings.status, 200);
	assert.match((await cli(["chat-link", "helper"])).out, /^http\S+\/chat\/default\/helper#\S+\n$/);
});

test("chat-link says what is wrong", async () => {
	await save("plain");
	const noChat = await cli(["chat-link", "plain"]);
	assert.equal(noChat.code, 1);
	assert.match(noChat.err, /"plain" has no chat/);
	assert.match((await cli(["chat-link", "helpre"])).err, /helper/);
	const wrong = await cli(["chat-link", "helper", "--days", "400"]);
	assert.equal(wrong.code, 2);
	assert.match(wrong.err, /--days must be 1 to 365/);
});
