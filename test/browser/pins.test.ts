import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { runWorkflow, saveWorkflow, waitForRecords } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

/** Stores an entry for each order, so that the effect of a run can be seen. */
const NOTE = `name: note orders
description: Stores a note of an order
version: "1"
triplets:
  - input >> then >> note
  - note >> then >> label
  - input >> then >> again
  - again >> repeat turn >> count
  - input >> then >> big
config:
  note: { component: kb_upsert, page_name: "order {{input.n}}", content: "{{input.n}} cups" }
  label: { component: set, values: { noted: "{{note}}" } }
  again: { component: repeat, until: count.n >= 1 }
  count: { component: compute, values: { n: turn + 1 } }
  big: { component: set, values: { text: "{{input.big}}" } }
result: "{{label.noted}}"
options: { keep: all }
`;
const PATH = "/workflows/note%20orders";
const BIG = "x".repeat(70_000);

describe("pinned outputs", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	let run: string;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, NOTE);
		run = await runWorkflow(world, "note orders", { n: 1, big: BIG });
		await waitForRecords(world, run);
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, dialog, field, link, statusText, waitForFocus } = locators(() => page);
	const pins = () => page.getByRole("region", { name: "Pinned outputs" });
	const node = (name: RegExp) => page.getByRole("button", { name }).first();
	const countNotes = async () =>
		((await world.api("GET", "/gui/entries")) as { entries: unknown[] }).entries.length;
	const runTest = async (n: number) => {
		await field("Input (JSON)").fill(JSON.stringify({ n, big: "" }));
		await button("Test run").click();
		await page.getByText(/^Succeeded in/).waitFor();
	};

	test("are pinned from the data of a run", async () => {
		await open(`${PATH}?run=${run}`);
		await node(/^Succeeded note/).click();
		await link("Show what it received and gave").click();
		await button("Pin as test data").click();
		await dialog().getByText("Pinned: test runs of “note orders” take this output.").waitFor();
		await waitForFocus(button("Unpin"));
		await assertAccessible(page, { within: "dialog" });
		await dialog().getByRole("link", { name: "Open the workflow" }).click();
		await pins().getByText("note", { exact: true }).waitFor();
		await node(/^Pinned note/).waitFor();
	});

	test("are taken by a test run, which does not run their nodes", async () => {
		assert.equal(await countNotes(), 1);
		await runTest(2);
		assert.equal(await countNotes(), 1);
		await node(/^Succeeded Pinned note/).click();
		await page.getByText("It did not run: its output was pinned.").waitFor();
		await page.getByText("Its output is pinned: test runs do not run it.").waitFor();
	});

	test("are not taken by a run of the published version", async () => {
		await button("Run the published version").click();
		await page.getByText(/^Succeeded in/).waitFor();
		assert.equal(await countNotes(), 2);
	});

	test("are shown and changed as JSON, which is checked", async () => {
		await pins().getByRole("button", { name: "Show the pinned output of note" }).click();
		await dialog().getByRole("heading", { name: "Pinned output of note" }).waitFor();
		const output = dialog().getByRole("textbox", { name: "Output (JSON)" });
		assert.equal(typeof JSON.parse(await output.inputValue()), "object");
		await output.fill('{ "mine": }');
		await dialog().getByText("Line 1, column 11: expected a value.").waitFor();
		assert.ok(await dialog().getByRole("button", { name: "Save", exact: true }).isDisabled());
		await output.fill('{ "mine": "{{credential.shop}}" }');
		await dialog().getByRole("button", { name: "Save", exact: true }).click();
		await dialog().waitFor({ state: "detached" });
		await pins().getByText('{"mine":"{{credential.shop}}"}').waitFor();
		await runTest(3);
		await page.locator(".run-outcome").getByText("{{credential.shop}}").waitFor();
		assert.equal(await countNotes(), 2);
	});

	test("stay in this browser, and are not in the workflow", async () => {
		await page.reload();
		await pins().getByText('{"mine":"{{credential.shop}}"}').waitFor();
		const shown = JSON.stringify(await world.api("GET", "/gui/workflows/note%20orders"));
		assert.ok(!shown.includes("credential.shop"));
		const other = await world.page();
		await other.goto(world.url + PATH);
		await other.getByRole("button", { name: "Run", exact: true }).waitFor();
		assert.equal(await other.getByRole("region", { name: "Pinned outputs" }).count(), 0);
	});

	test("say in the data of a run whether this or another output is pinned", async () => {
		await open(`/executions/${run}?node=note`);
		await dialog().getByText("Another output of this node is pinned").waitFor();
		await button("Replace the pinned data").click();
		await button("Unpin").click();
		await button("Pin as test data").click();
		await button("Unpin").waitFor();
	});

	test("cannot be what is cut, or what follows from repeated nodes; in a loop they count for every element", async () => {
		await open(`/executions/${run}?node=big`);
		await dialog().getByText("It cannot be pinned, because only its beginning is kept.").waitFor();
		assert.equal(await button("Pin as test data").count(), 0);
		await open(`/executions/${run}?node=again`);
		await dialog().getByText("Pin those nodes.").waitFor();
		assert.equal(await button("Pin as test data").count(), 0);
		await open(`/executions/${run}?node=count`);
		await button("Pin as test data").click();
		await dialog().getByText("Test runs take it for every element of the loop.").waitFor();
	});

	test("of a node that the draft no longer has are ignored, and say so", async () => {
		const renamed = NOTE.replaceAll("note >>", "memo >>")
			.replaceAll(">> note", ">> memo")
			.replace("  note:", "  memo:")
			.replace("{{note}}", "{{memo}}");
		await world.api("PUT", "/gui/workflows/note%20orders/draft", renamed);
		await open(PATH);
		await pins().getByText("Ignored: the workflow has no node or tool of this name.").waitFor();
		const before = await countNotes();
		await runTest(4);
		assert.equal(await countNotes(), before + 1);
		await world.api("DELETE", "/gui/workflows/note%20orders/draft");
	});

	test("follow a workflow that is renamed", async () => {
		await open(PATH);
		await button("Rename").click();
		await dialog().getByRole("textbox", { name: "New name" }).fill("note all");
		await dialog().getByRole("button", { name: "Rename", exact: true }).click();
		await page.waitForURL(/note%20all/);
		await pins().getByText("note", { exact: true }).waitFor();
	});

	test("fit every screen, and are accessible in both themes and languages", async () => {
		for (const width of [360, 768, 1280]) await assertFits(page, width);
		for (const colorScheme of ["light", "dark"] as const) {
			await page.emulateMedia({ colorScheme });
			await assertAccessible(page);
			await pins().getByRole("button", { name: "Show the pinned output of note" }).click();
			await assertAccessible(page, { within: "dialog" });
			for (const width of [360, 768, 1280]) await assertFits(page, width);
			await page.keyboard.press("Escape");
		}
		await page.evaluate("localStorage.setItem('tripline.language', '\"zh-Hant\"')");
		await page.reload();
		await page.getByRole("region", { name: "釘選的輸出" }).waitFor();
		for (const width of [360, 768, 1280]) await assertFits(page, width);
		await page.evaluate("localStorage.removeItem('tripline.language')");
		await page.reload();
	});

	test("are unpinned, which can be undone", async () => {
		await pins().getByRole("button", { name: "Unpin note" }).click();
		await pins().getByText("note", { exact: true }).waitFor({ state: "detached" });
		await button("Undo").click();
		await pins().getByText("note", { exact: true }).waitFor();
		await pins().getByRole("button", { name: "Unpin count" }).click();
		await pins().getByRole("button", { name: "Unpin note" }).click();
		await pins().waitFor({ state: "detached" });
		await button("Run").waitFor();
		await statusText("Unpinned note").waitFor();
	});

	test("are deleted at logout", async () => {
		await open(`/executions/${run}?node=note`);
		await button("Pin as test data").click();
		await page.keyboard.press("Escape");
		const listKeys = () => page.evaluate("Object.keys(localStorage).filter((key) => key.includes('pins'))");
		assert.equal(((await listKeys()) as string[]).length, 1);
		await button("Log out").click();
		await page
			.getByRole("heading", { name: /Log in/ })
			.first()
			.waitFor();
		assert.deepEqual(await listKeys(), []);
	});
});
