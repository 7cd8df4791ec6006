import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renderChatAssets } from "../chat-page.ts";

test("the chat's page is made of its present sources, and is small", async () => {
	const assets = new URL("../../services/executor/src/chat/assets.ts", import.meta.url);
	const made = await renderChatAssets();
	assert.equal(readFileSync(assets, "utf8"), made, "run npm run chat-page");
	assert.ok(made.length < 24 * 1024, `${made.length} bytes`);
});
