import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { discardDrafts, GREETING, REPORTS, saveWorkflow } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

interface Shown {
	readonly text: string;
	readonly draft: { readonly text: string; readonly base: number } | null;
	readonly workflow: { readonly version_number: number; readonly enabled: boolean };
}

describe("versions, drafts and trash", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
		for (const text of REPORTS) await saveWorkflow(world, text);
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, heading, link, field, alert, statusText, dialog, editor, waitForFocus } = locators(
		() => page,
	);
	const tab = (name: string) => page.getByRole("tab", { name, exact: true });
	const place = () => decodeURIComponent(page.url().slice(world.url.length));
	const toggle = (name: string) => page.getByRole("switch", { name: `Triggers of ${name}`, exact: true });
	const drafted = () => page.getByText(/^Draft saved \d/);
	const removed = (text: string) => page.getByRole("deletion").getByText(text);
	const added = (text: string) => page.getByRole("insertion").getByText(text);
	const read = async (name: string) =>
		(await world.api("GET", `/gui/workflows/${encodeURIComponent(name)}`)) as Shown;

	async function edit(name: string, typed: string): Promise<void> {
		await open(`/workflows/${name}`);
		await page.getByText("No problems").waitFor();
		await editor().click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type(typed);
	}

	/** Makes the calls of the page fail until the returned function is called. */
	async function breakCalls(url: string): Promise<() => Promise<void>> {
		await page.route(url, (route) => route.fulfill({ status: 503, json: { error: "the store is away" } }));
		return () => page.unroute(url);
	}

	describe("versions", () => {
		const version = (number: number) =>
			page
				.getByRole("list", { name: "Versions, newest first" })
				.getByRole("button", { name: new RegExp(`^Version ${number}\\b`) });

		async function openVersions(): Promise<void> {
			await open("/workflows/order report");
			await tab("Versions").click();
		}

		test("lists who made them and when, and shows what the current one changed", async () => {
			await openVersions();
			await version(3).getByText("Current").waitFor();
			assert.match(await version(3).innerText(), /ago\s+default · Console/);
			assert.equal(await version(3).getAttribute("aria-pressed"), "true");
			await removed("text: Total {{sum}}").waitFor();
			await added("text: Total {{sum}} NTD").waitFor();
			assert.equal(await page.getByRole("columnheader", { name: "Version 2" }).count(), 1);
			assert.equal(await button("Restore version 3").count(), 0);
		});

		test("compares any two versions", async () => {
			await openVersions();
			await version(2).click();
			await added("of the day").waitFor();
			assert.equal(await page.getByRole("insertion").count(), 1);
			await page.getByRole("combobox", { name: "Compared with" }).selectOption("Version 3");
			await removed("text: Total {{sum}} NTD").waitFor();
			await version(1).click();
			await added("name: order report").waitFor();
			assert.equal(await page.getByRole("deletion").count(), 0);
		});

		test("marks changed nodes on the graph in words, and shows one that is chosen", async () => {
			await openVersions();
			const node = (name: string, mark: string) =>
				page.getByRole("button", { name: new RegExp(`^${name} template ${mark}$`) });
			await node("alarm", "Added").waitFor();
			await node("copy", "Removed").waitFor();
			await node("note", "Changed").waitFor();
			await button("Changed note").click();
			await page.getByRole("region", { name: "note", exact: true }).getByText("Total {{sum}} NTD").waitFor();
			await tab("Run").click();
			await node("copy", "Removed").waitFor({ state: "detached" });
			await page.getByRole("button", { name: /^note template$/ }).waitFor();
		});

		test("restores a version by keyboard, and undoes it", async () => {
			await openVersions();
			await version(1).press("Enter");
			await button("Restore version 1").press("Enter");
			await statusText("Restored version 1 as version 4").waitFor();
			await waitForFocus(page.getByRole("combobox", { name: "Compared with" }));
			await version(4).getByText("Current").waitFor();
			assert.equal((await read("order report")).text, REPORTS[0]);
			await button("Undo").press("Enter");
			await statusText("Back to the text of version 3").waitFor();
			await version(5).getByText("Current").waitFor();
			await editor().getByText("of the day").waitFor();
			assert.equal((await read("order report")).text, REPORTS[2]);
		});

		test("does not restore over a version that is not shown yet", async () => {
			await openVersions();
			await version(2).click();
			await saveWorkflow(world, REPORTS[2]?.replace("NTD", "USD") ?? "");
			await button("Restore version 2").click();
			await alert().filter({ hasText: "the workflow has changed: its current version is 6" }).waitFor();
			assert.match((await read("order report")).text, /USD/);
		});

		test("shows the lines below each other on a phone", async () => {
			await openVersions();
			await page.setViewportSize({ width: 360, height: 780 });
			await removed("NTD").waitFor();
			assert.equal(await page.getByRole("columnheader", { name: "Version 5 → Version 6" }).count(), 1);
			await assertAccessible(page, { within: "main" });
			await page.setViewportSize({ width: 1280, height: 860 });
		});
	});

	describe("drafts", () => {
		beforeEach(async () => {
			await open("/settings");
			await saveWorkflow(world, GREETING);
			await discardDrafts(world, "greet");
		});

		test("stores what is typed, and shows it again later", async () => {
			await edit("greet", "# a draft");
			await drafted().waitFor();
			const { text, draft } = await read("greet");
			assert.deepEqual([text, draft?.text], [GREETING, `${GREETING}# a draft`]);
			await page.reload();
			await editor().getByText("# a draft").waitFor();
			await drafted().waitFor();
		});

		test("stores what was typed last when another page is opened at once", async () => {
			await edit("greet", "# in a hurry");
			await link("Settings").click();
			await heading("Settings").waitFor();
			await page.goBack();
			await editor().getByText("# in a hurry").waitFor();
			await drafted().waitFor();
			assert.equal((await read("greet")).draft?.text, `${GREETING}# in a hurry`);
		});

		test("publishes with one click and shows the new version", async () => {
			await edit("greet", "# published");
			const { version_number } = (await read("greet")).workflow;
			await button("Publish").click();
			await statusText(`Published as version ${version_number + 1}`).waitFor();
			await drafted().waitFor({ state: "detached" });
			const { text, draft } = await read("greet");
			assert.deepEqual([text, draft], [`${GREETING}# published`, null]);
		});

		test("publishes what is in the editor if the draft was discarded elsewhere", async () => {
			await edit("greet", "# mine alone");
			await drafted().waitFor();
			await world.api("DELETE", "/gui/workflows/greet/draft");
			await button("Publish").click();
			await statusText(/^Published as version/).waitFor();
			assert.equal((await read("greet")).text, `${GREETING}# mine alone`);
		});

		test("creates a workflow again that was deleted elsewhere", async () => {
			await edit("greet", "# once more");
			await drafted().waitFor();
			await world.api("DELETE", "/gui/workflows/greet");
			await button("Publish").click();
			await statusText("Saved “greet”").waitFor();
			assert.deepEqual(
				[(await read("greet")).text, (await read("greet")).workflow.version_number],
				[`${GREETING}# once more`, 1],
			);
		});

		test("saves under another name and leaves the workflow without a draft", async () => {
			await edit("greet", "# copied");
			await page.keyboard.press("Control+Home");
			await page.keyboard.press("End");
			await page.keyboard.type(" twice");
			await drafted().waitFor();
			await page.keyboard.press("Control+s");
			await button("Save as “greet twice”").click();
			await heading("greet twice").waitFor();
			await drafted().waitFor({ state: "detached" });
			const { text, draft } = await read("greet");
			assert.deepEqual([text, draft], [GREETING, null]);
			assert.match((await read("greet twice")).text, /^name: greet twice\n.*# copied$/s);
		});

		test("shows why a draft cannot be published, and keeps it", async () => {
			await edit("greet", "wrong: key");
			await page.getByText("1 error", { exact: true }).waitFor();
			await button("Publish").click();
			await alert().filter({ hasText: /wrong/ }).waitFor();
			assert.equal((await read("greet")).draft?.text, `${GREETING}wrong: key`);
			assert.equal((await read("greet")).text, GREETING);
		});

		test("discards a draft, and undo brings it back", async () => {
			await edit("greet", "# for now");
			await drafted().waitFor();
			await button("Discard").click();
			await drafted().waitFor({ state: "detached" });
			assert.equal(await editor().getByText("# for now").count(), 0);
			await statusText("Draft discarded").waitFor();
			assert.equal((await read("greet")).draft, null);
			await button("Undo").click();
			await editor().getByText("# for now").waitFor();
			await drafted().waitFor();
			assert.equal((await read("greet")).draft?.text, `${GREETING}# for now`);
		});

		test("brings a discarded draft back from another page", async () => {
			await edit("greet", "# elsewhere");
			await drafted().waitFor();
			await button("Discard").click();
			await statusText("Draft discarded").waitFor();
			await link("Settings").click();
			await heading("Settings").waitFor();
			await button("Undo").click();
			await page.goBack();
			await editor().getByText("# elsewhere").waitFor();
			assert.equal((await read("greet")).draft?.text, `${GREETING}# elsewhere`);
		});

		test("keeps a draft over a restored version, and says that there is a newer one", async () => {
			for (const word of ["Hello", "Hi"])
				await saveWorkflow(world, GREETING.replace("name: greet", "name: layered").replace("Hello", word));
			await edit("layered", "# stays");
			await drafted().waitFor();
			await tab("Versions").click();
			await page.getByRole("button", { name: /^Version 1\b/ }).click();
			await button("Restore version 1").click();
			await page.getByRole("alert").filter({ hasText: "A newer version" }).waitFor();
			await editor().getByText("# stays").waitFor();
		});

		test("discards the draft when its text is undone", async () => {
			await edit("greet", "#");
			await drafted().waitFor();
			const discarded = page.waitForResponse((response) => response.request().method() === "DELETE");
			await page.keyboard.press("Backspace");
			await drafted().waitFor({ state: "detached" });
			await discarded;
			assert.equal((await read("greet")).draft, null);
		});

		test("shows a failure, loses nothing and stores the draft later", async () => {
			await open("/workflows/greet");
			const repair = await breakCalls("**/gui/workflows/greet/draft*");
			await edit("greet", "# unlucky");
			await alert()
				.filter({ hasText: "The draft could not be saved. Your text stays on this page." })
				.waitFor();
			await page.getByText("Draft not saved", { exact: true }).waitFor();
			await assertAccessible(page, { within: "main" });
			page.once("dialog", (asked) => asked.dismiss());
			await link("Settings").click();
			await editor().getByText("# unlucky").waitFor();
			await repair();
			await button("Try again").click();
			await drafted().waitFor();
			assert.equal(await alert().count(), 0);
			assert.equal((await read("greet")).draft?.text, `${GREETING}# unlucky`);
		});

		test("runs the draft as a test, and the published version on request", async () => {
			await edit("greet", "");
			await page.keyboard.press("Control+a");
			await page.keyboard.insertText(GREETING.replace("Hello", "Draft for"));
			await page.getByText("No problems").waitFor();
			await field("Input (JSON)").fill('{"name": "Ada"}');
			await button("Test run").click();
			await page.getByText("Draft for Ada!").waitFor();
			await button("Run the published version").click();
			await page.getByText("Hello Ada!").waitFor();
			await tab("Runs").click();
			const runs = page.getByRole("list", { name: "Latest runs" }).getByRole("button");
			await runs.nth(1).waitFor();
			await runs.nth(1).click();
			await page.getByText("Test run", { exact: true }).waitFor();
		});

		test("compares the draft with the version that it changes", async () => {
			await edit("greet", "# compared");
			await drafted().waitFor();
			await tab("Versions").click();
			await page.getByRole("button", { name: /^Draft\b/ }).click();
			await added("# compared").waitFor();
			await page.getByText("No node has changed.").waitFor();
		});

		test("creates a new workflow by saving, without a draft", async () => {
			await open("/new-workflow");
			await editor().click();
			await page.keyboard.press("Control+a");
			await page.keyboard.insertText(GREETING.replace("name: greet", "name: brand new"));
			await page.getByText("Unsaved changes", { exact: true }).waitFor();
			await button("Save").click();
			await heading("brand new").waitFor();
			assert.equal((await read("brand new")).draft, null);
			await button("Publish").waitFor();
		});
	});

	describe("switch", () => {
		test("switches a workflow off in the list and on on its page", async () => {
			await saveWorkflow(world, GREETING);
			await open("/workflows");
			await toggle("greet").press("Space");
			await statusText("“greet” is off").waitFor();
			assert.equal(await toggle("greet").isChecked(), false);
			assert.equal((await read("greet")).workflow.enabled, false);
			await page.getByRole("link", { name: "greet", exact: true }).click();
			await page.getByText("This workflow is off.").waitFor();
			await toggle("greet").click();
			await page.getByText("This workflow is off.").waitFor({ state: "detached" });
			assert.equal((await read("greet")).workflow.enabled, true);
			assert.equal(await toggle("greet").isChecked(), true);
		});

		test("stays as it is if the service fails", async () => {
			await open("/workflows");
			const repair = await breakCalls("**/gui/workflows/greet/enabled");
			await toggle("greet").click();
			await statusText("“greet” could not be switched: the store is away").waitFor();
			assert.equal(await toggle("greet").isChecked(), true);
			await repair();
		});
	});

	describe("names", () => {
		test("renames a workflow together with its draft, and publishes the draft", async () => {
			await saveWorkflow(world, GREETING.replace("name: greet", "name: before"));
			await edit("before", "# goes along");
			await drafted().waitFor();
			await button("Rename").click();
			await waitForFocus(field("New name").or(dialog().getByRole("button", { name: "Close" })));
			await field("New name").fill("after: all");
			await page.keyboard.press("Enter");
			await heading("after: all").waitFor();
			assert.equal(place(), "/workflows/after: all");
			await editor().getByText('name: "after: all"').waitFor();
			await button("Publish").click();
			await statusText(/^Published as version 3$/).waitFor();
			assert.match((await read("after: all")).text, /^name: "after: all"\n.*# goes along$/s);
		});

		test("shows that a name is taken", async () => {
			await saveWorkflow(world, GREETING);
			await open("/workflows/order report");
			await button("Rename").click();
			await field("New name").fill("greet");
			await dialog().getByRole("button", { name: "Rename" }).click();
			await dialog().getByText('a workflow named "greet" exists').waitFor();
			await page.keyboard.press("Escape");
			await waitForFocus(button("Rename"));
		});
	});

	describe("trash", () => {
		const doomed = (name: string) => GREETING.replace("name: greet", `name: ${name}`);
		const row = (name: string) => page.getByRole("rowheader", { name, exact: true });

		async function deleteFromPage(name: string): Promise<void> {
			await saveWorkflow(world, doomed(name));
			await open(`/workflows/${name}`);
			await button("Delete").click();
			await dialog().getByText("You can restore it from the trash for 30 days.").waitFor();
			await dialog().getByRole("button", { name: "Delete" }).click();
			await statusText(`Deleted “${name}”. It can be restored for 30 days.`).waitFor();
		}

		test("undoes a deletion", async () => {
			await deleteFromPage("doomed");
			assert.equal(place(), "/workflows");
			await button("Undo").click();
			await heading("doomed").waitFor();
			assert.equal((await read("doomed")).text, doomed("doomed"));
		});

		test("restores a deleted workflow", async () => {
			for (const name of ["next one", "restored"]) await deleteFromPage(name);
			await link("Trash").click();
			await row("restored").waitFor();
			await button("Restore restored").press("Enter");
			await statusText("Restored “restored”").waitFor();
			await waitForFocus(button("Restore next one"));
			assert.equal(await row("restored").count(), 0);
			assert.equal((await read("restored")).text, doomed("restored"));
		});

		test("does not restore over another workflow with its name", async () => {
			await deleteFromPage("taken");
			await saveWorkflow(world, doomed("taken"));
			await open("/trash");
			await button("Restore taken").click();
			await alert().filter({ hasText: "rename or delete it first" }).waitFor();
			await row("taken").waitFor();
		});

		test("deletes a workflow permanently after a question", async () => {
			await deleteFromPage("gone");
			await open("/trash");
			await button("Delete gone permanently").click();
			await dialog().getByText("This cannot be undone.").waitFor();
			await dialog().getByRole("button", { name: "Delete permanently" }).click();
			await statusText("Deleted “gone” permanently").waitFor();
			assert.equal(await row("gone").count(), 0);
			await page.reload();
			await row("taken").waitFor();
			assert.equal(await row("gone").count(), 0);
		});
	});
});
