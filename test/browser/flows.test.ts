import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { factsIngested, GREETING, noted, OUT_OF_STOCK, ran, recorded, STEPS, STOCK, saved } from "./seed.ts";
import { browserWorld } from "./world.ts";

/** On the graph; its name stands after the word for its state. */
const node = (page: Page, name: string) => page.locator(".graph-node", { hasText: name });
const panel = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const runButton = (page: Page) =>
	page.getByRole("tabpanel").getByRole("button", { name: "Run", exact: true });

async function typedAtTheEnd(page: Page, text: string): Promise<void> {
	await page.getByRole("textbox", { name: "Text of the workflow" }).click();
	await page.keyboard.press("Control+End");
	await page.keyboard.type(text);
}

describe("somebody's first workflow", { skip: NO_BROWSER }, () => {
	const world = browserWorld();

	test("from the empty overview to a green run", async () => {
		const page = await world.page();
		await page.goto(world.url);
		await page.getByRole("link", { name: "Create a first workflow" }).click();
		await page.getByRole("heading", { name: "New workflow" }).waitFor();
		await page.getByText("No problems").waitFor();
		await page.getByLabel("Input (JSON)").fill('{"name": "Ada"}');
		await page.getByRole("button", { name: "Save and run" }).click();
		await page.getByText(/^Succeeded in /).waitFor();
		await page.getByText("Hello Ada!").waitFor();
		assert.equal(new URL(page.url()).pathname, "/console/workflows/greet");
	});
});

describe("work with workflows", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	before(async () => {
		for (const text of [GREETING, STOCK, STEPS]) await saved(world, text);
		await ran(world, "greet", { name: "Ada" });
		await ran(world, "check stock", { count: 0 });
		await recorded(world, 2);
	});

	test("a failure on the overview leads to the node that failed and its error", async () => {
		const page = await world.page();
		await page.goto(world.url);
		await page
			.getByRole("link", { name: /check stock/ })
			.first()
			.click();
		await page.getByText(OUT_OF_STOCK).first().waitFor();
		await page.getByRole("link", { name: "Show on the graph" }).click();
		await page
			.getByRole("region", { name: /refuse/ })
			.or(page.getByRole("heading", { name: "refuse" }))
			.first()
			.waitFor();
		await page.getByText(OUT_OF_STOCK).first().waitFor();
	});

	test("a mistake is told as it is typed, mended and saved", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/workflows/greet`);
		await page.getByText("No problems").waitFor();
		await typedAtTheEnd(page, "speed: fast");
		await page.getByText("1 error").waitFor();
		await page.getByRole("button", { name: /Error:.*speed/ }).waitFor();
		await page.getByText("The text has errors: this is the graph from before.").waitFor();
		for (const _ of "speed: fast") await page.keyboard.press("Backspace");
		await page.keyboard.type("# kept as written");
		await page.getByText("No problems").waitFor();
		await page.keyboard.press("Control+s");
		await page.getByText("Saved “greet”").waitFor();
		const { text } = (await world.api("GET", "/gui/workflows/greet")) as { text: string };
		assert.equal(text, `${GREETING}# kept as written`);
	});

	test("nodes are seen while they run", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/workflows/steps`);
		await runButton(page).click();
		await node(page, "second").filter({ hasText: "Running" }).waitFor();
		await node(page, "first").filter({ hasText: "Succeeded" }).waitFor();
		await page.getByText(/^Succeeded in /).waitFor();
	});

	test("a run of before is shown on the graph", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/workflows/check%20stock`);
		await panel(page, "History").click();
		await page
			.getByRole("tabpanel")
			.getByRole("button", { name: /Failed/ })
			.first()
			.click();
		await node(page, "refuse").filter({ hasText: "Failed" }).waitFor();
		await node(page, "fine").filter({ hasText: "Skipped" }).waitFor();
	});

	test("executions are found by verdict and text, and run again with the last input", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/executions`);
		await page.getByLabel("Verdict").selectOption({ label: "Failed" });
		await page.getByLabel("Text in name, error or target").fill("out of stock");
		const found = page.getByRole("region", { name: "Executions, newest first" }).getByRole("link");
		await found.first().waitFor();
		await page.waitForURL(/q=out\+of\+stock/);
		await found.first().click();
		await page.getByLabel("Input (JSON)").fill('{"count": 3}');
		await page.getByRole("button", { name: "Run", exact: true }).click();
		await page.getByText("In stock").waitFor();
		await page.reload();
		await page.getByText(/^Last typed here/).click();
		await page.getByRole("button", { name: /"count":\s*3/ }).click();
		assert.match(await page.getByLabel("Input (JSON)").inputValue(), /"count":\s*3/);
	});

	test("a component goes into a workflow", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/components/wait`);
		await page.getByRole("button", { name: "Insert into a workflow" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Workflow").selectOption("greet");
		await dialog.getByRole("button", { name: "Insert into a workflow" }).click();
		await page.getByText("hello >> then >> wait").waitFor();
		await page.getByText("Unsaved changes").first().waitFor();
	});

	test("a component of the market is installed after what it may reach was shown", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/components?in=market`);
		await page.getByLabel("Find a component").fill("batch");
		await page.getByRole("link", { name: /Batches of a list/ }).click();
		await page.getByRole("button", { name: "Install" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByText("nothing outside").waitFor();
		await dialog.getByRole("button", { name: "Install" }).click();
		await page.getByRole("link", { name: /batch_list/ }).waitFor();
	});

	test("a workflow is opened by keyboard alone", async () => {
		const page = await world.page();
		await page.goto(world.url);
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox").fill("check st");
		await page
			.getByRole("option", { name: /check stock/ })
			.first()
			.waitFor();
		await page.keyboard.press("Enter");
		await page.waitForURL(/\/workflows\/check%20stock/);
	});
});

describe("work with knowledge and access", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	before(async () => {
		await noted(world, "Returns policy", "Customers may return goods within 30 days.");
		await factsIngested(world);
		await world.issuedToken("An assistant");
	});

	test("knowledge is found as one types, and changed", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/knowledge`);
		await page.getByLabel("Search knowledge").fill("retur");
		await page.getByRole("link", { name: /Returns policy/ }).click();
		await page.getByRole("button", { name: "Edit" }).click();
		await page.getByLabel("Content").fill("Customers may return goods within 60 days.");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Saved").first().waitFor();
		await page.getByText("within 60 days").first().waitFor();
	});

	test("the graph is walked from a node, to what a fact's source is", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/graph`);
		await page.getByLabel("Find a node").fill("clock");
		await page
			.getByRole("option", { name: /clock kit/ })
			.first()
			.click();
		await page.getByRole("button", { name: "Taipei workshop" }).first().click();
		await page.getByRole("link", { name: "https://example.com/handbook" }).first().waitFor();
	});

	test("a credential goes in, and its value stays nowhere", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/credentials?new=github_token`);
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Name").fill("code");
		await dialog.getByLabel("Token", { exact: true }).fill("ghp_value_of_the_browser_test");
		await dialog.getByRole("button", { name: "Save" }).click();
		await page.getByText("code is saved").waitFor();
		const kept = await page.evaluate(
			"document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, { ...sessionStorage }])",
		);
		assert.doesNotMatch(kept as string, /ghp_value/);
		const { credentials } = (await world.api("GET", "/gui/credentials")) as {
			credentials: { name: string }[];
		};
		assert.deepEqual(
			credentials.map(({ name }) => name),
			["code"],
		);
	});

	test("the connection is verified, and an assistant's token revoked", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/connect`);
		await page.getByRole("button", { name: "Verify" }).click();
		await page.getByText("All checks are fine").waitFor();
		await page.getByRole("button", { name: "Revoke the token of An assistant" }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
		await page.getByText("No tokens yet").waitFor();
	});

	test("language and theme are kept", async () => {
		const page = await world.page();
		await page.goto(`${world.url}/settings`);
		await page.getByText("繁體中文").click();
		await page.getByRole("heading", { name: "設定" }).waitFor();
		await page.getByText("深色").click();
		await page.reload();
		await page.getByRole("heading", { name: "設定" }).waitFor();
		assert.deepEqual(
			await page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]"),
			["zh-Hant", "dark"],
		);
	});
});
