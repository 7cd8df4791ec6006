import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { NO_BROWSER } from "./chromium.ts";
import { rememberConversation } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

describe("what agents remember", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	before(async () => {
		for (let nth = 1; nth <= 24; nth++)
			await rememberConversation(world, { key: `visitor ${nth}`, turns: 1, facts: [] });
		await rememberConversation(world, {
			...{ key: "../a b?c=<b>ä</b>", turns: 22, summary: "They talk about orders." },
			facts: Array.from({ length: 21 }, (_, nth) => ["Ada", "has ordered", `tea ${nth}`] as const),
		});
	});

	test("conversations are listed by pages, and one is read with its calls, summary and facts", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/memory`);
		const rows = page.locator("tbody tr");
		await rows.nth(19).waitFor();
		assert.equal(await rows.count(), 20);
		const [first] = await rows.first().getByRole("cell").allInnerTexts();
		assert.equal(first, "answer customers");
		await page.getByRole("button", { name: "Load more" }).press("Enter");
		await rows.nth(24).waitFor();
		await page.waitForFunction("document.activeElement?.closest('tbody tr:nth-child(21)') !== null");

		await page.getByRole("link", { name: "../a b?c=<b>ä</b>" }).press("Enter");
		await page.getByRole("heading", { name: "../a b?c=<b>ä</b>", level: 1 }).waitFor();
		const turns = page.getByRole("list", { name: "Turns" }).locator(":scope > li");
		await page.getByText("Order 22 is on its way.").waitFor();
		assert.equal(await turns.count(), 20);
		await page.getByText("They talk about orders.").waitFor();
		await page.getByText("Result").first().click();
		await page.locator("pre", { hasText: "Order 22 was sent on Monday." }).waitFor();
		await page.getByText("conversation:answer customers/../a b?c=<b>ä</b>").waitFor();
		await page.getByRole("link", { name: "tea 20", exact: true }).waitFor();
		const [moreTurns, moreFacts] = await page.getByRole("button", { name: "Load more" }).all();
		await moreFacts?.click();
		await page.getByRole("link", { name: "tea 0", exact: true }).waitFor();
		await moreTurns?.click();
		await page.getByText("Order 1 is on its way.").waitFor();
		assert.equal(await turns.count(), 22);
		await assertAccessible(page);
		await page.reload();
		await page.getByText("Order 22 is on its way.").waitFor();
	});

	test("a conversation is deleted after a question, and its facts stay", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/memory`);
		await page.getByRole("button", { name: "Delete the conversation visitor 24" }).press("Enter");
		const question = page.getByRole("dialog", { name: "Delete the conversation visitor 24?" });
		await question.waitFor();
		await page.keyboard.press("Escape");
		await question.waitFor({ state: "hidden" });
		await page.getByRole("link", { name: "visitor 24" }).waitFor();
		await page.getByRole("button", { name: "Delete the conversation visitor 24" }).click();
		await question.getByRole("button", { name: "Delete" }).click();
		await page.getByText("The conversation is deleted").waitFor();
		await page.getByRole("link", { name: "visitor 24" }).waitFor({ state: "detached" });

		await page.getByRole("link", { name: "../a b?c=<b>ä</b>" }).click();
		await page.getByRole("button", { name: "Delete" }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
		await page.getByRole("heading", { name: "Memory", level: 1 }).waitFor();
		await page.getByRole("link", { name: "../a b?c=<b>ä</b>" }).waitFor({ state: "detached" });
		await page.goBack();
		await page.getByText("Conversation not found").waitFor();
		const query = new URLSearchParams({
			workflow: "answer customers",
			key: "../a b?c=<b>ä</b>",
			limit: "100",
		});
		const { facts } = (await world.api("GET", `/gui/conversations/facts?${query}`)) as { facts: object[] };
		assert.equal(facts.length, 21);
	});
});
