import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { cuttable } from "./cuttable.ts";
import { locators } from "./locators.ts";
import { discardDrafts, GREETING, STEPS, STOCK, saveWorkflow } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const LONG = GREETING.replace(/^description: .*$/m, `description: ${"as long as it gets ".repeat(12)}end`);
const PLACES = {
	o: "",
	w: "/workflows",
	e: "/executions",
	k: "/knowledge",
	g: "/graph",
	c: "/components",
	r: "/credentials",
	a: "/connect",
	s: "/settings",
};

describe("workflow editor", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, heading, dialog, editor, statusText, waitForFocus } = locators(() => page);
	const place = () => decodeURIComponent(page.url().slice(world.url.length));
	const pressKey = (name: string) => page.keyboard.press(name);
	const input = () => page.getByRole("textbox", { name: "Input (JSON)", exact: true });
	const divider = () => page.getByRole("separator", { name: "Width of the text pane" });
	const drafted = () => page.getByText(/^Draft saved /);
	const theirs = () =>
		page.getByRole("alert").filter({ hasText: "A newer version of this workflow was published" });
	/** The lines shown in the editor. */
	const lines = (): Promise<string[]> => editor().locator(".cm-line").allTextContents();

	async function edit(workflow: string): Promise<void> {
		await open(`/workflows/${workflow}`);
		await page.getByText("No problems").waitFor();
		await editor().click();
	}

	async function tabTo(wanted: Locator): Promise<void> {
		for (let presses = 0; presses < 30; presses++) {
			await pressKey("Tab");
			if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
		}
		assert.fail("Tab never reaches the element");
	}

	async function countExecutions(workflow: string): Promise<number> {
		const path = `/gui/executions?workflow=${encodeURIComponent(workflow)}`;
		return ((await world.api("GET", path)) as { executions: unknown[] }).executions.length;
	}

	async function readWorkflowText(workflow: string): Promise<string> {
		return ((await world.api("GET", `/gui/workflows/${workflow}`)) as { text: string }).text;
	}

	/** Simulates returning to the window, which reloads immediately. */
	const simulateReturn = () => page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);

	test("creates and runs a first workflow by keyboard only", async () => {
		await open("");
		await page.getByRole("link", { name: "Create a first workflow" }).waitFor();
		await pressKey("Tab");
		await waitForFocus(page.getByRole("link", { name: "Skip to content" }));
		await pressKey("Enter");
		await tabTo(page.getByRole("link", { name: "Create a first workflow" }));
		await pressKey("Enter");
		await page.getByText("No problems").waitFor();
		await tabTo(editor());
		await pressKey("Control+Home");
		await pressKey("End");
		const checked = page.waitForResponse(/\/gui\/validate/);
		await page.keyboard.type(" again");
		await checked;
		await pressKey("Escape");
		await tabTo(button("Save and run"));
		await pressKey("Enter");
		await page.getByText(/^Succeeded in /).waitFor();
		assert.equal(place(), "/workflows/greet again");
		await waitForFocus(button("Run again"));
	});

	describe("with existing workflows", () => {
		beforeEach(async () => {
			// What the page of the test before has not stored yet is not stored later.
			await open("/settings");
			for (const text of [GREETING, STOCK, STEPS]) await saveWorkflow(world, text);
			await discardDrafts(world, "greet", "check stock", "steps");
		});

		describe("text", () => {
			test("undoes typing over a word or lines in one step", async () => {
				await edit("greet");
				const whole = await lines();
				for (const select of [
					["Control+a"],
					["Control+Home", "Control+Shift+ArrowRight"],
					["Control+Home", "ArrowDown", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown"],
				]) {
					for (const each of select) await pressKey(each);
					await page.keyboard.type("xyz");
					assert.match((await lines()).join("\n"), /xyz/);
					await pressKey("Control+z");
					assert.deepEqual(await lines(), whole);
				}
			});

			test("undoes deleting, breaking, cutting or pasting over lines in one step", async () => {
				await edit("greet");
				const whole = await lines();
				for (const replaces of ["Backspace", "Delete", "Enter", "Control+x", "Control+v"]) {
					await pressKey("Control+a");
					await pressKey(replaces);
					if (replaces !== "Control+v") assert.equal((await lines()).join("").trim(), "");
					await pressKey("Control+z");
					assert.deepEqual(await lines(), whole);
				}
			});

			test("encloses a selection in quotation marks", async () => {
				await edit("greet");
				await pressKey("Control+Home");
				await pressKey("Control+Shift+ArrowRight");
				await page.keyboard.type('"');
				assert.equal((await lines())[0], '"name": greet');
			});

			test("composes with an input method over selected lines", async () => {
				await edit("greet");
				const whole = await lines();
				const debug = await page.context().newCDPSession(page);
				await pressKey("Control+a");
				for (const text of ["ㄏ", "ㄏㄠ"])
					await debug.send("Input.imeSetComposition", { text, selectionStart: 2, selectionEnd: 2 });
				await debug.send("Input.insertText", { text: "好" });
				await debug.detach();
				await editor().getByText("好", { exact: true }).waitFor();
				assert.deepEqual(await lines(), ["好"]);
				await pressKey("Control+z");
				assert.deepEqual(await lines(), whole);
			});

			test("treats shortcut keys as letters in the text", async () => {
				await edit("greet");
				await pressKey("Control+End");
				await page.keyboard.type("# go? gw");
				assert.equal((await lines()).at(-1), "# go? gw");
				assert.equal(place(), "/workflows/greet");
				assert.equal(await dialog().count(), 0);
			});

			test("keeps the cursor position at the first save", async () => {
				await open("/new-workflow");
				await page.getByText("No problems").waitFor();
				await editor().click();
				await pressKey("Control+Home");
				await pressKey("End");
				await page.keyboard.type(" anew");
				await pressKey("Control+s");
				await heading("greet anew").waitFor();
				assert.equal(place(), "/workflows/greet anew");
				await page.keyboard.type("er");
				assert.equal((await lines())[0], "name: greet anewer");
				await waitForFocus(editor());
			});

			test("moves through and clicks a wrapped line row by row", async () => {
				await saveWorkflow(world, LONG);
				await edit("greet");
				await pressKey("Control+Home");
				for (const each of ["ArrowDown", "ArrowDown"]) await pressKey(each);
				await page.keyboard.type("<second>");
				const wrapped = editor().locator(".cm-line").nth(1);
				assert.match(await wrapped.innerText(), /^description: .+ <second>.+end$/);
				await pressKey("Control+z");
				const { x, y, height } = (await wrapped.boundingBox()) ?? assert.fail();
				await page.mouse.click(x + 60, y + height - 8);
				await pressKey("End");
				await page.keyboard.type("<last>");
				assert.match(await wrapped.innerText(), /end<last>$/);
			});

			test("shows completions next to the last row of a wrapped line", async () => {
				await saveWorkflow(world, LONG);
				await edit("greet");
				const wrapped = editor().locator(".cm-line").nth(1);
				const { x, y, height } = (await wrapped.boundingBox()) ?? assert.fail();
				await page.mouse.click(x + 60, y + height - 8);
				await pressKey("End");
				await page.keyboard.type(" {{inp");
				const offered =
					(await page.getByRole("listbox", { name: "Completions" }).boundingBox()) ?? assert.fail();
				const row = (await wrapped.boundingBox()) ?? assert.fail();
				assert.ok(Math.abs(offered.y - (row.y + row.height)) < 12, `${offered.y} is not below ${row.y}`);
			});

			test("offers built-in components before recipes", async () => {
				await edit("greet");
				await pressKey("Control+a");
				await page.keyboard.insertText(GREETING.replace(/component: template\n.*\n/, "component: "));
				await page.keyboard.type("te");
				const offered = page.getByRole("option");
				await offered.filter({ hasText: "telegram" }).first().waitFor();
				assert.match((await offered.first().textContent()) ?? "", /^template/);
			});

			test("keeps the current line in view when diagnostics appear", async () => {
				await edit("greet");
				await pressKey("Control+End");
				await page.keyboard.insertText("# more\n".repeat(30));
				await page.getByText("No problems").waitFor();
				await page.keyboard.insertText("mistake: here\nanother: there\nthird: thing");
				await page.getByText(/^3 errors/).waitFor();
				const box = (of: Locator) => of.boundingBox();
				const text = editor().locator("xpath=..");
				await page.waitForFunction(`document.querySelector(".diagnostics").clientHeight > 80`);
				const isInView = async () => {
					const last = (await box(editor().locator(".cm-line").last())) ?? assert.fail();
					const shown = (await box(text)) ?? assert.fail();
					return last.y + last.height <= shown.y + shown.height;
				};
				// The text scrolls in a frame after the one in which the diagnostics appear.
				for (let looks = 0; !(await isInView()) && looks < 20; looks++) await page.waitForTimeout(50);
				assert.ok(await isInView(), "the last line is below the visible area");
			});
		});

		describe("keyboard shortcuts", () => {
			test("opens each page with g and a second key", async () => {
				await open("/settings");
				await heading("Settings").waitFor();
				for (const [second, path] of Object.entries(PLACES)) {
					await pressKey("g");
					await pressKey(second);
					await page.waitForURL(world.url + path);
				}
			});

			test("shows the shortcuts with a question mark until Escape", async () => {
				await open("/settings");
				await heading("Settings").waitFor();
				await pressKey("?");
				await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
				await pressKey("g");
				await pressKey("w");
				await pressKey("Escape");
				await dialog().waitFor({ state: "detached" });
				assert.equal(place(), "/settings");
			});

			test("opens the shortcuts from the palette", async () => {
				await open("/settings");
				await heading("Settings").waitFor();
				await pressKey("Control+k");
				await waitForFocus(page.getByRole("combobox", { name: "Search or run a command" }));
				await page.keyboard.type("shortcuts");
				await page.getByRole("option", { name: "Keyboard shortcuts", selected: true }).waitFor();
				await pressKey("Enter");
				await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
				assert.equal(await dialog().count(), 1);
			});

			test("closes the palette on back navigation", async () => {
				await open("/workflows");
				await page.getByRole("link", { name: "greet", exact: true }).click();
				await page.getByText("No problems").waitFor();
				await pressKey("Control+k");
				await dialog().waitFor();
				await page.goBack();
				await heading("Workflows").waitFor();
				await dialog().waitFor({ state: "detached" });
			});

			test("returns the focus to the editor when the palette closes", async () => {
				await edit("greet");
				await pressKey("Control+k");
				await dialog().waitFor();
				await pressKey("Escape");
				await dialog().waitFor({ state: "detached" });
				await waitForFocus(editor());
			});

			async function openRun(workflow: string): Promise<void> {
				await pressKey("Control+k");
				await waitForFocus(page.getByRole("combobox", { name: "Search or run a command" }));
				await page.keyboard.type(`run ${workflow}`);
				await page.getByRole("option", { name: `Run ${workflow}`, selected: true }).waitFor();
				await pressKey("Enter");
				await heading(workflow).waitFor();
			}

			test("focuses the input when a workflow is run from the palette", async () => {
				const count = await countExecutions("greet");
				await open("/settings");
				await heading("Settings").waitFor();
				await openRun("greet");
				await waitForFocus(input());
				assert.equal(place(), "/workflows/greet");
				await pressKey("Control+a");
				await page.keyboard.type('{"name": "Grace"}');
				assert.equal(await countExecutions("greet"), count);
				await pressKey("Control+Enter");
				await page.getByText("Hello Grace!").waitFor();
			});

			test("runs a workflow without input once on Enter", async () => {
				await edit("steps");
				await page.getByRole("tab", { name: "Runs" }).click();
				await openRun("steps");
				await waitForFocus(button("Run"));
				const count = await countExecutions("steps");
				await pressKey("Enter");
				await page.getByText("Running…").waitFor();
				await pressKey("Enter");
				await pressKey("Control+Enter");
				await page.getByText(/^Succeeded in /).waitFor();
				await waitForFocus(button("Run again"));
				while ((await countExecutions("steps")) === count);
				assert.equal(await countExecutions("steps"), count + 1);
			});

			test("resizes the text pane by drag and keys, and keeps its width", async () => {
				await edit("greet");
				const width = async () => ((await editor().boundingBox()) ?? assert.fail()).width;
				const first = await width();
				const { x, y } = (await divider().boundingBox()) ?? assert.fail();
				await page.mouse.move(x + 12, y + 100);
				await page.mouse.down();
				await page.mouse.move(x + 132, y + 140, { steps: 4 });
				await page.mouse.up();
				assert.ok(Math.abs((await width()) - first - 120) < 12);
				await divider().focus();
				await pressKey("Home");
				assert.equal(await divider().getAttribute("aria-valuenow"), "25");
				await pressKey("ArrowRight");
				const set = await width();
				await page.reload();
				await editor().waitFor();
				assert.equal(await divider().getAttribute("aria-valuenow"), "30");
				assert.ok(Math.abs((await width()) - set) < 2);
				await divider().focus();
				for (let steps = 0; steps < 4; steps++) await pressKey("ArrowRight");
			});
		});

		describe("concurrent changes", () => {
			const [mine, other] = ["# mine", GREETING.replace("Hello", "Good day")];

			async function createConflict(): Promise<void> {
				await edit("greet");
				await pressKey("Control+End");
				await page.keyboard.type(mine);
				await drafted().waitFor();
				await saveWorkflow(world, other);
			}

			test("updates an unchanged text to the published version", async () => {
				await edit("greet");
				await saveWorkflow(world, other);
				await simulateReturn();
				await editor().getByText("Good day").waitFor();
				assert.equal(await theirs().count(), 0);
			});

			test("takes their version, and undo restores mine", async () => {
				await createConflict();
				await simulateReturn();
				await theirs().waitFor();
				await assertAccessible(page);
				await button("Compare").click();
				await dialog().getByRole("deletion").getByText("Good day").waitFor();
				await dialog().getByRole("insertion").getByText("# mine").waitFor();
				await assertAccessible(page, { within: "dialog" });
				await button("Take theirs").click();
				await theirs().waitFor({ state: "detached" });
				await editor().getByText("Good day").waitFor();
				assert.equal((await lines()).join("\n"), other);
				await drafted().waitFor({ state: "detached" });
				await waitForFocus(editor());
				await pressKey("Control+z");
				assert.equal((await lines()).at(-1), mine);
				await drafted().waitFor();
				await pressKey("Control+s");
				await statusText(/^Published as version/).waitFor();
				assert.equal(await readWorkflowText("greet"), GREETING + mine);
			});

			test("compares both versions before a stale draft is published, and publishes mine on top", async () => {
				await createConflict();
				await pressKey("Control+s");
				await dialog().getByRole("insertion").getByText("# mine").waitFor();
				assert.equal(await readWorkflowText("greet"), other);
				await button("Publish mine").click();
				await drafted().waitFor({ state: "detached" });
				await dialog().waitFor({ state: "detached" });
				assert.equal(await readWorkflowText("greet"), GREETING + mine);
			});

			test("continues editing a stale draft", async () => {
				await createConflict();
				await pressKey("Control+s");
				await dialog().getByRole("table").waitFor();
				await button("Continue editing").click();
				await waitForFocus(editor());
				await page.keyboard.type(" and more");
				assert.equal((await lines()).at(-1), `${mine} and more`);
				await pressKey("Control+s");
				await dialog().getByRole("insertion").getByText("# mine and more").waitFor();
				await pressKey("Escape");
				assert.equal(await readWorkflowText("greet"), other);
			});

			test("compares again if yet another version was published meanwhile", async () => {
				await createConflict();
				await pressKey("Control+s");
				await dialog().getByRole("deletion").getByText("Good day").waitFor();
				await saveWorkflow(world, GREETING.replace("Hello", "Good night"));
				await button("Publish mine").click();
				await dialog().getByRole("deletion").getByText("Good night").waitFor();
				await button("Publish mine").click();
				await dialog().waitFor({ state: "detached" });
				assert.equal(await readWorkflowText("greet"), GREETING + mine);
			});

			test("does not ask if both texts are the same", async () => {
				await edit("greet");
				await pressKey("Control+End");
				await page.keyboard.type(mine);
				await drafted().waitFor();
				await saveWorkflow(world, GREETING + mine);
				await simulateReturn();
				await drafted().waitFor({ state: "detached" });
				assert.equal(await theirs().count(), 0);
			});
		});

		test("finds the result of a run after a lost connection", async () => {
			const line = await cuttable(world.url);
			try {
				await page.goto(`${line.origin}/console/workflows/steps`);
				await button("Run").click();
				await page.getByText("1 of 2 nodes finished").waitFor();
				line.cut();
				await page.getByText("Connection lost after 1 of 2 nodes finished.").waitFor();
				await page.getByText("No record of this run yet", { exact: false }).waitFor();
				await page.getByText(/^Succeeded in /).waitFor();
				await page.getByRole("button", { name: /^Succeeded second\b/ }).waitFor();
				await page.getByRole("link", { name: "Open this run" }).click();
				await heading("steps").waitFor();
			} finally {
				line.close();
			}
		});

		test("offers a retry if the service is gone", async () => {
			const line = await cuttable(world.url);
			try {
				await page.goto(`${line.origin}/console/workflows/steps`);
				await button("Run").click();
				await page.getByText("1 of 2 nodes finished").waitFor();
				line.stop();
				const outcome = page.locator(".run-outcome");
				await outcome.getByText("Connection lost after 1 of 2 nodes finished.").waitFor();
				const again = outcome.getByRole("button", { name: "Try again" });
				await again.waitFor();
				await assertAccessible(page);
				line.start();
				await again.click();
				await page.getByText(/^Succeeded in /).waitFor();
			} finally {
				line.close();
			}
		});
	});
});
