import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import {
	GREETING,
	ORDER,
	PRICES,
	REFUSAL,
	REFUSED,
	runWorkflow,
	saveWorkflow,
	waitForRecords,
} from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const LINES = 450;

describe("data of a run", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	let run: string;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, PRICES);
		await saveWorkflow(world, GREETING.replace("trigger:", "options: { keep: none }\ntrigger:"));
		const earlier = await runWorkflow(world, "price orders", { ...ORDER, customer: "Grace Hopper" });
		run = await runWorkflow(world, "price orders", ORDER);
		await waitForRecords(world, earlier, run);
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, dialog, statusText, searchField, waitForFocus } = locators(() => page);
	const tree = (name: string) => dialog().getByRole("tree", { name, exact: true });
	const item = (name: string | RegExp) => tree("Gave").getByRole("treeitem", { name });
	const readClipboard = () => page.evaluate("navigator.clipboard.readText()");
	const getNode = () => new URL(page.url()).searchParams.get("node");

	test("opens at a node of the run, which the address keeps", async () => {
		await open(`/executions/${run}`);
		await button("Show the data of big label").click();
		await item("customer name: “Ada Lovelace”").waitFor();
		assert.equal(getNode(), "big label");
		await page.keyboard.press("Escape");
		await dialog().waitFor({ state: "detached" });
		assert.equal(getNode(), null);
		await waitForFocus(button("Show the data of big label"));
		await open(`/executions/${run}?node=big+label`);
		await item("customer name: “Ada Lovelace”").waitFor();
	});

	test("opens from the graph of the run", async () => {
		await open(`/workflows/price%20orders?run=${run}`);
		await page
			.getByRole("button", { name: /^Succeeded big label/ })
			.first()
			.click();
		await page.getByRole("link", { name: "Show what it received and gave" }).click();
		await item("customer name: “Ada Lovelace”").waitFor();
	});

	test("lists the nodes itself if the trace is no longer available", async () => {
		await page.route(`**/gui/executions/${run}`, async (route) => {
			const response = await route.fetch();
			await route.fulfill({ response, json: { ...((await response.json()) as object), nodes: null } });
		});
		await open(`/executions/${run}`);
		await button("Show the data of lines").waitFor();
		await button("Show the data of price").click();
		await dialog().getByRole("combobox", { name: "Run of the node" }).waitFor();
		await page.unroute(`**/gui/executions/${run}`);
	});

	test("has a path for each value that a template can read", async () => {
		await open(`/executions/${run}?node=big+label`);
		await item("customer name: “Ada Lovelace”").click();
		await dialog().getByText('{{nodes["big label"].order["customer name"]}}').waitFor();
		await button("Copy path").click();
		await button("Copied").waitFor();
		assert.equal(await readClipboard(), '{{nodes["big label"].order["customer name"]}}');
		await open(`/executions/${run}`);
		await button("Show input").click();
		await dialog().getByRole("treeitem", { name: "price: 3" }).click();
		await dialog().getByText("{{input.lines[2].price}}").waitFor();
	});

	test("is read with the keyboard", async () => {
		await open(`/executions/${run}?node=big+label`);
		await tree("Gave").focus();
		await page.keyboard.press("ArrowDown");
		const selected = () => tree("Gave").locator("[aria-selected=true]");
		assert.match(await selected().innerText(), /^order/);
		await page.keyboard.press("ArrowLeft");
		assert.equal(await selected().getAttribute("aria-expanded"), "false");
		await page.keyboard.press("Enter");
		assert.equal(await selected().getAttribute("aria-expanded"), "true");
		await page.keyboard.press("ArrowRight");
		await dialog().getByText('{{nodes["big label"].order["customer name"]}}').waitFor();
		await page.keyboard.press("Tab");
		await waitForFocus(button("Copy path"));
	});

	test("is searched in both views", async () => {
		await open(`/executions/${run}?node=big+label`);
		await item("customer name: “Ada Lovelace”").waitFor();
		await searchField("Search keys and values").fill("CUP");
		await item("customer name: “Ada Lovelace”").waitFor({ state: "detached" });
		await item("name: “cup”").waitFor();
		await button("Raw").click();
		assert.deepEqual(await dialog().locator("mark").allInnerTexts(), ["cup", "cup"]);
		await button("Tree").click();
		await searchField("Search keys and values").fill("no such thing");
		await dialog().getByText("Nothing found").first().waitFor();
	});

	test("has the elements of a loop, failed ones first", async () => {
		await open(`/executions/${run}?node=price`);
		const chooser = dialog().getByRole("combobox", { name: "Run of the node" });
		await chooser.waitFor();
		assert.deepEqual(await chooser.getByRole("option").allInnerTexts(), [
			"Failed · place 1",
			"Succeeded · place 0",
			"Succeeded · place 2",
		]);
		await dialog().getByText("It gave nothing.").waitFor();
		await chooser.selectOption({ label: "Succeeded · place 2" });
		await item("amount: 12").waitFor();
	});

	test("loads the elements of a long loop in pages", async () => {
		const lines = Array.from({ length: LINES }, (_, index) => ({
			name: `line ${index}`,
			count: 1,
			price: index === LINES - 1 ? "unknown" : 1,
		}));
		const long = await runWorkflow(world, "price orders", { ...ORDER, lines });
		await waitForRecords(world, long);
		await open(`/executions/${long}?node=price`);
		const options = dialog().getByRole("combobox", { name: "Run of the node" }).getByRole("option");
		await dialog().getByText("first 200, failed ones first").waitFor();
		assert.equal(await options.first().innerText(), `Failed · place ${LINES - 1}`);
		await button("Load more").click();
		await dialog().getByText("first 400, failed ones first").waitFor();
		await button("Load more").click();
		await dialog().getByText(`${LINES} in all, failed ones first`).waitFor();
		assert.equal(await options.count(), LINES);
	});

	test("says what was cut, with its size", async () => {
		const large = await runWorkflow(world, "price orders", { ...ORDER, note: "n".repeat(100_000) });
		await waitForRecords(world, large);
		await open(`/executions/${large}?node=big+label`);
		await dialog()
			.getByText(/^Too large: the first 65\.5 kB of 100\.\d kB are kept\.$/)
			.waitFor();
		await page.keyboard.press("Escape");
		await page.getByText("Some values or nodes are missing because of their size.").waitFor();
	});

	test("is compared with an earlier run, what differs first", async () => {
		await open(`/executions/${run}`);
		await button("Compare runs").click();
		const steps = dialog().getByRole("list").first().locator("> li");
		await steps.first().waitFor();
		assert.match((await steps.allInnerTexts()).join("\n"), /^Input of the run[\s\S]*big label/);
		await steps.first().getByText("Grace Hopper").waitFor();
		await steps.nth(1).locator("summary").click();
		await steps.nth(1).getByText('order["customer name"]', { exact: true }).waitFor();
		await dialog().getByText("4 steps are the same").waitFor();
	});

	test("that is not kept can be kept from now on, and that can be undone", async () => {
		const plain = await runWorkflow(world, "greet", { name: "Ada" });
		await waitForRecords(world, plain);
		await open(`/executions/${plain}`);
		await button("Show the data of hello").click();
		await dialog().getByText("Nothing is kept of this run").waitFor();
		await page.keyboard.press("Escape");
		const readKeep = async () => (await world.api("GET", "/gui/executions/settings")) as { keep: string };
		await button("Keep data of all runs").click();
		await statusText("The data of later runs is kept").waitFor();
		assert.deepEqual(await readKeep(), { keep: "all" });
		await page.getByText("its workflow sets options.keep itself").waitFor();
		await button("Undo").click();
		await button("Keep data of all runs").waitFor();
		assert.deepEqual(await readKeep(), { keep: "memory" });
		await page.getByRole("link", { name: "Open the workflow" }).waitFor();
	});

	test("leads to the run of a called workflow that failed, and back", async () => {
		await saveWorkflow(world, REFUSAL);
		await saveWorkflow(world, REFUSED);
		const caller = await runWorkflow(world, "ask the shop", {});
		await waitForRecords(world, caller);
		await open(`/executions/${caller}?node=ask`);
		await dialog().getByRole("link", { name: "Show the run of the workflow that it called" }).click();
		await page.getByRole("heading", { name: "the shop" }).waitFor();
		await page.getByText("refuse: closed").first().waitFor();
		await page.getByRole("link", { name: caller }).click();
		await page.getByRole("heading", { name: "ask the shop" }).waitFor();
	});

	test("fits every screen and is accessible in both themes and languages", async () => {
		await open(`/executions/${run}?node=big+label`);
		await tree("Gave").waitFor();
		for (const width of [360, 768, 1280]) await assertFits(page, width);
		for (const colorScheme of ["light", "dark"] as const) {
			await page.emulateMedia({ colorScheme });
			await assertAccessible(page, { within: "dialog" });
		}
		const chinese = await world.page({ language: "zh-TW", width: 360 });
		await chinese.goto(`${world.url}/executions/${run}?node=price`);
		await chinese.getByRole("combobox", { name: "節點的執行" }).waitFor();
		for (const width of [360, 768, 1280]) await assertFits(chinese, width);
	});

	test("is deleted after a question", async () => {
		await open(`/executions/${run}`);
		await button("Delete this data").click();
		await dialog().getByRole("button", { name: "Cancel" }).click();
		await button("Delete this data").click();
		await dialog().getByRole("button", { name: "Delete", exact: true }).click();
		await statusText("Data deleted").waitFor();
		await page.getByText("Nothing is kept of this run").waitFor();
		await page.getByRole("heading", { name: "price orders" }).waitFor();
	});
});
