import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page, Request } from "playwright-core";
import { assertFits } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import {
	acceptRun,
	cancelRuns,
	GREETING,
	IMPORT,
	ORDER,
	PRICES,
	runWorkflow,
	STEPS,
	saveWorkflow,
	waitForRecords,
} from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const SERVICE_ERROR = "the store does not answer";

/** Writes an entry and then fails. Its steps are kept. */
const CHARGE = `name: charge
description: Notes an order and charges it
version: "1"
triplets:
  - input >> then >> note
  - note >> then >> pay
config:
  note: { component: kb_upsert, page_name: "order of {{input.who}}", content: "{{execution.id}}" }
  pay: { component: fail, message: the card was refused }
options: { keep: failed }
`;

describe("acting on runs", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
		for (const text of [IMPORT, STEPS, PRICES, CHARGE]) await saveWorkflow(world, text);
		await saveWorkflow(world, GREETING.replace("trigger:", "options: { keep: none }\ntrigger:"));
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, dialog, link, alert, heading, statusText, waitForFocus } = locators(() => page);
	const inProgress = () => page.getByRole("region", { name: /^In progress/ });
	const cancelRow = () => button("Cancel the run of import orders");
	const confirmCancel = () => dialog().getByRole("button", { name: "Cancel run", exact: true });
	const pane = () => page.getByRole("region", { name: "Run ID" });
	const radio = (name: string | RegExp) => dialog().getByRole("radio", { name });
	const submit = () => dialog().getByRole("button", { name: "Run again", exact: true });
	const getShownId = () => new URL(page.url()).pathname.split("/").at(-1) ?? "";

	/** Opens the dialog of a run that has ended. */
	async function openRunAgain(id: string): Promise<void> {
		await open(`/executions/${id}`);
		await button("Run again").click();
		await dialog().waitFor();
	}

	/** Waits until the pane shows another run that has ended, and returns its ID. */
	async function waitForNewRun(before: string, status: string): Promise<string> {
		await statusText("New run started").last().waitFor();
		await page.waitForURL((url) => !url.pathname.endsWith(before));
		await pane().getByText(status, { exact: true }).first().waitFor();
		await pane().getByText("Run again", { exact: true }).first().waitFor();
		return getShownId();
	}

	const readInput = async (id: string) =>
		((await world.api("GET", `/gui/executions/${id}/data?limit=1`)) as { input: unknown }).input;

	describe("in progress", () => {
		test("lists a run while it runs, and turns it into an ended one by itself", async () => {
			const id = await acceptRun(world, "steps");
			await open(`/executions/${id}`);
			const row = inProgress().getByRole("link", { name: /steps/ });
			await row.filter({ hasText: "Running" }).waitFor();
			await row.filter({ hasText: "Webhook" }).waitFor();
			await heading("steps").waitFor();
			await pane().getByText("Running", { exact: true }).waitFor();
			await inProgress().waitFor({ state: "detached" });
			await link(/^Succeeded.*steps/).waitFor();
			await pane().getByText("Succeeded", { exact: true }).first().waitFor();
			await pane().getByText("second", { exact: true }).waitFor();
			assert.equal(await page.getByText("limit of execution records").count(), 0);
		});

		test("says which runs wait for others", async () => {
			const first = await acceptRun(world, "import orders");
			const second = await acceptRun(world, "import orders");
			await open(`/executions/${second}`);
			await inProgress()
				.getByRole("link", { name: /^Running/ })
				.waitFor();
			await inProgress()
				.getByRole("link", { name: /^Waiting/ })
				.waitFor();
			await pane().getByText("Waiting for other runs to end.", { exact: false }).waitFor();
			await inProgress()
				.getByRole("link", { name: /^Running/ })
				.click();
			await pane().getByText("Running", { exact: true }).waitFor();
			assert.equal(getShownId(), first);
		});

		test("follows the filters", async () => {
			for (const [search, count] of [
				["?workflow=import+orders", 2],
				["?q=IMPORT", 2],
				["?workflow=steps", 0],
				["?verdict=failed", 0],
			] as const) {
				const answered = page.waitForResponse("**/gui/executions/unfinished*");
				await open(`/executions${search}`);
				await answered;
				await (count > 0 ? inProgress() : page.getByRole("search")).waitFor();
				assert.equal(await cancelRow().count(), count, search);
			}
		});

		test("is asked for only while the page is visible", async () => {
			// What needs the operator is asked for once the page is there.
			const status = page.waitForResponse("**/gui/status");
			await open("/executions");
			await inProgress().waitFor();
			await status;
			const asked: string[] = [];
			const note = (request: Request) => {
				const { pathname } = new URL(request.url());
				if (pathname.startsWith("/gui/")) asked.push(pathname);
			};
			await setVisibility("hidden");
			// A request may still be under way.
			await page.waitForTimeout(200);
			page.on("request", note);
			await page.waitForTimeout(3000);
			assert.deepEqual(asked, []);
			page.off("request", note);
			const answered = page.waitForResponse("**/gui/executions/unfinished*");
			await setVisibility("visible");
			await answered;
		});

		test("is reached with the arrow keys, together with ended runs", async () => {
			await open("/executions");
			await inProgress().getByRole("link").first().focus();
			await page.keyboard.press("ArrowDown");
			await page.keyboard.press("ArrowDown");
			await waitForFocus(link(/^Succeeded.*steps/));
			await page.keyboard.press("ArrowUp");
			await waitForFocus(inProgress().getByRole("link").last());
		});
	});

	describe("cancelling", () => {
		test("is not done if the question is dismissed", async () => {
			await open("/executions");
			await cancelRow().first().click();
			await dialog().getByRole("button", { name: "Keep running" }).click();
			await waitForFocus(cancelRow().first());
			assert.equal(await cancelRow().count(), 2);
		});

		test("shows an error, and can be tried again", async () => {
			await open("/executions");
			await page.route("**/cancel", (route) =>
				route.fulfill({ status: 503, json: { error: SERVICE_ERROR } }),
			);
			await cancelRow().first().click();
			await confirmCancel().click();
			await dialog().getByRole("alert").filter({ hasText: SERVICE_ERROR }).waitFor();
			await assertAccessible(page, { within: "dialog" });
			await page.unroute("**/cancel");
			await confirmCancel().click();
			await statusText("Run cancelled").waitFor();
			await cancelRow().nth(1).waitFor({ state: "detached" });
		});

		test("works with the keyboard, and the run becomes a failed one", async () => {
			await open("/executions?workflow=import+orders");
			await cancelRow().focus();
			await page.keyboard.press("Enter");
			await dialog().waitFor();
			await confirmCancel().focus();
			await page.keyboard.press("Enter");
			await statusText("Run cancelled").waitFor();
			await inProgress().waitFor({ state: "detached" });
			await link(/^Failed.*import orders.*cancelled/)
				.nth(1)
				.waitFor();
		});

		test("is shown in the details of the run", async () => {
			await open(`/executions/${await acceptRun(world, "import orders")}`);
			await button("Cancel run").click();
			await confirmCancel().click();
			await pane().getByText("Cancelled", { exact: true }).waitFor();
			await button("Run again").waitFor();
			assert.equal(await button("Cancel run").count(), 0);
		});

		test("says that a run had already ended", async () => {
			const id = await acceptRun(world, "import orders");
			await open(`/executions/${id}`);
			await button("Cancel run").click();
			await dialog().waitFor();
			await world.api("POST", `/gui/executions/${id}/cancel`);
			await confirmCancel().click();
			await statusText("The run had already ended").waitFor();
			await dialog().waitFor({ state: "detached" });
			await pane().getByText("Cancelled", { exact: true }).waitFor();
		});
	});

	describe("running again", () => {
		// The service would wait for them when it stops.
		after(() => cancelRuns(world));

		test("repeats a run with its input, and shows the new run", async () => {
			const id = await runWorkflow(world, "price orders", ORDER);
			await waitForRecords(world, id);
			await openRunAgain(id);
			assert.equal(await radio(/^At the failed node/).count(), 0);
			await submit().click();
			const again = await waitForNewRun(id, "Succeeded");
			assert.deepEqual(await readInput(again), { json: ORDER });
			await link(/^Succeeded.*price orders.*Run again/)
				.first()
				.waitFor();
		});

		test("takes another input, which must be a JSON object", async () => {
			const id = await runWorkflow(world, "price orders", ORDER);
			await waitForRecords(world, id);
			await openRunAgain(id);
			await radio("Another input").check();
			const field = dialog().getByRole("textbox", { name: "Input (JSON)" });
			assert.deepEqual(JSON.parse(await field.inputValue()), ORDER);
			await field.fill('{"customer": ');
			await dialog().getByText("Line 1, column 14: expected a value.").waitFor();
			assert.equal(await submit().isDisabled(), true);
			await field.fill('{"customer": "Grace Hopper", "lines": []}');
			await field.press("Control+Enter");
			const again = await waitForNewRun(id, "Succeeded");
			assert.deepEqual(await readInput(again), { json: { customer: "Grace Hopper", lines: [] } });
		});

		test("continues at the failed node with the mended workflow", async () => {
			const id = await acceptRun(world, "charge", { who: "Ada" });
			await waitForRecords(world, id);
			await saveWorkflow(
				world,
				CHARGE.replace("component: fail, message: the card was refused", "component: template, text: paid"),
			);
			await openRunAgain(id);
			await radio("At the failed node, pay").check();
			assert.equal(await radio("Another input").count(), 0);
			await radio("Current version").check();
			await submit().click();
			await waitForNewRun(id, "Succeeded");
			const { entries } = (await world.api("GET", "/gui/entries")) as { entries: { content: string }[] };
			assert.deepEqual(
				entries.map(({ content }) => content),
				[id],
			);
		});

		test("needs an input if that of the run is not kept", async () => {
			const id = await runWorkflow(world, "greet", { name: "Ada" });
			await waitForRecords(world, id);
			await openRunAgain(id);
			await dialog().getByText("The input of this run is not kept").waitFor();
			assert.equal(await radio("Same as in this run").count(), 0);
			await dialog().getByRole("textbox").fill('{"name": "Grace"}');
			await submit().click();
			await waitForNewRun(id, "Succeeded");
		});

		test("says why a run cannot continue, and leads to where that is changed", async () => {
			await saveWorkflow(world, CHARGE.replace("keep: failed", "keep: memory"));
			const id = await runWorkflow(world, "charge", { who: "Grace" });
			await waitForRecords(world, id);
			await openRunAgain(id);
			await radio("At the failed node, pay").check();
			await submit().click();
			await dialog().getByRole("alert").filter({ hasText: "The steps of this run are not kept" }).waitFor();
			await assertAccessible(page, { within: "dialog" });
			await radio("From the start").check();
			assert.equal(await alert().count(), 0);
			await radio("At the failed node, pay").check();
			await submit().click();
			await link("Choose what is kept").click();
			await heading("Data of runs").waitFor();
			assert.equal(await dialog().count(), 0);
		});

		test("warns that the run may have started if the service does not answer", async () => {
			const id = await runWorkflow(world, "price orders", ORDER);
			await waitForRecords(world, id);
			await openRunAgain(id);
			await page.route("**/replay", (route) => route.abort());
			await submit().click();
			await dialog().getByText("The new run may have started.", { exact: false }).waitFor();
			await page.unroute("**/replay");
		});

		test("fits every screen in both languages", async () => {
			const id = await acceptRun(world, "import orders");
			const chinese = await world.page({ language: "zh-TW" });
			await chinese.goto(`${world.url}/executions`);
			await chinese.getByRole("region", { name: /^進行中/ }).waitFor();
			for (const width of [375, 768, 1280]) await assertFits(chinese, width);
			await open(`/executions/${id}`);
			await button("Cancel run").waitFor();
			for (const width of [375, 768, 1280]) await assertFits(page, width);
		});
	});

	describe("what is kept", () => {
		const readKeep = async () =>
			((await world.api("GET", "/gui/executions/settings")) as { keep: string }).keep;
		const choice = (name: string) => page.getByRole("radio", { name, exact: true });

		test("is chosen in the settings and saved", async () => {
			await open("/settings");
			assert.equal(await choice("Recent runs").isChecked(), true);
			for (const [name, keep] of [
				["Failed runs", "failed"],
				["All runs", "all"],
				["No runs", "none"],
				["Recent runs", "memory"],
			] as const) {
				await choice(name).check();
				const saved = page.waitForResponse("**/gui/executions/settings");
				await button("Save").click();
				await saved;
				assert.equal(await readKeep(), keep);
			}
			await statusText("Saved").first().waitFor();
		});

		test("stays as it was if it cannot be saved", async () => {
			await open("/settings");
			await choice("All runs").check();
			await page.route("**/gui/executions/settings", (route) =>
				route.fulfill({ status: 503, json: { error: SERVICE_ERROR } }),
			);
			await button("Save").click();
			await alert().filter({ hasText: SERVICE_ERROR }).waitFor();
			await page.unroute("**/gui/executions/settings");
			assert.equal(await readKeep(), "memory");
			assert.equal(await choice("All runs").isChecked(), true);
		});
	});

	/** As if the tab were hidden or shown. */
	async function setVisibility(state: "hidden" | "visible"): Promise<void> {
		await page.evaluate(`(() => {
			Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
			document.dispatchEvent(new Event("visibilitychange"));
		})()`);
	}
});
