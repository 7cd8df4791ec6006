import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertFits, takeScreenshots } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { acceptRun, cancelRuns, REMINDER, saveWorkflow } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const NARROW = 360;
const WIDE = 1280;

describe("runs that wait for a time", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, REMINDER);
		await saveWorkflow(world, REMINDER.replace("name: remind", "name: soon").replace("2 days", "4 seconds"));
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, dialog, link, statusText } = locators(() => page);
	const list = (of: Page, name: RegExp) => of.getByRole("region", { name });
	const inProgress = () => list(page, /^In progress/);
	const pane = () => page.getByRole("region", { name: "Run ID" });
	const confirmCancel = () => dialog().getByRole("button", { name: "Cancel run", exact: true });

	/** Starts a run, and returns its ID and until when it waits once it does. */
	async function startWaiting(name: string): Promise<{ id: string; until: string }> {
		const id = await acceptRun(world, name);
		for (;;) {
			const detail = (await world.api("GET", `/gui/executions/${id}`)) as {
				unfinished: { until?: string } | null;
			};
			const until = detail.unfinished?.until;
			if (until !== undefined) return { id, until };
		}
	}

	/** Asserts that a text is shown as a whole. */
	async function assertUncut(text: Locator): Promise<void> {
		const isCut = await text.evaluate(
			(element: Record<"scrollWidth" | "clientWidth" | "scrollHeight" | "clientHeight", number>) =>
				element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
		);
		assert.equal(isCut, false, "the text is cut off");
	}

	test("say until when, in the list and on their page, in both languages", async () => {
		const { id, until } = await startWaiting("remind");
		const day = new Date(until).getDate();
		for (const [language, inList, waiting] of [
			["en-US", /^In progress/, new RegExp(`^Waiting until \\w+ ${day}, \\d+:\\d+ [AP]M · in 2 days$`)],
			["zh-TW", /^進行中/, new RegExp(`^等待至\\d+月${day}日 ..\\d+:\\d+ · 2 天後$`)],
		] as const) {
			const own = await world.page({ language });
			await own.goto(`${world.url}/executions`);
			const row = list(own, inList).getByText(waiting);
			await row.waitFor();
			for (const width of [NARROW, WIDE]) {
				await assertLook(own, `waiting-list-${language}`, width);
				await assertUncut(row.locator(".."));
			}
			await list(own, inList)
				.getByRole("link", { name: /remind/ })
				.click();
			await own.waitForURL(`**/executions/${id}`);
			await own.locator(".execution-pane").getByText(waiting).waitFor();
			for (const width of [NARROW, WIDE]) await assertLook(own, `waiting-run-${language}`, width);
		}
	});

	test("are cancelled in the list and on their page", async () => {
		await cancelRuns(world);
		await startWaiting("remind");
		await open("/executions");
		await button("Cancel the run of remind").click();
		await confirmCancel().click();
		await statusText("Run cancelled").waitFor();
		await inProgress().waitFor({ state: "detached" });
		const { id } = await startWaiting("remind");
		await open(`/executions/${id}`);
		await pane().getByText("The run goes on by itself", { exact: false }).waitFor();
		await button("Cancel run").click();
		await confirmCancel().click();
		await pane().getByText("Cancelled", { exact: true }).waitFor();
		assert.equal(await pane().getByText("Waiting until", { exact: false }).count(), 0);
	});

	test("go on, and the page shows their end by itself", async () => {
		const { id } = await startWaiting("soon");
		await open(`/executions/${id}`);
		await pane().getByText("Waiting until", { exact: false }).waitFor();
		await pane().getByText("Succeeded", { exact: true }).first().waitFor();
		await link(/^Succeeded.*soon/).waitFor();
	});

	test("say if they wait for an event, and go on with it", async () => {
		for (const [name, pause] of [
			["brew", "component: wait_for, event: tea.ready"],
			["ring", "component: emit_event, type: tea.ready"],
		] as const)
			await saveWorkflow(
				world,
				REMINDER.replace("name: remind", `name: ${name}`).replace("component: wait, for: 2 days", pause),
			);
		const { id } = await startWaiting("brew");
		await open(`/executions/${id}`);
		await pane().getByText("Waiting for an event until", { exact: false }).waitFor();
		await acceptRun(world, "ring");
		await pane().getByText("Succeeded", { exact: true }).first().waitFor();
	});

	test("can be started on the page of their workflow, which says that they go on", async () => {
		await open("/workflows/remind?tab=run");
		await button("Run").click();
		const outcome = page.locator(".run-outcome");
		await outcome.getByText(/^Waiting until .+ · in 2 days$/).waitFor();
		await outcome.getByText("You can leave this page.", { exact: false }).waitFor();
		for (const width of [NARROW, WIDE]) await assertLook(page, "waiting-outcome", width);
		await link("Open this run").click();
		await button("Cancel run").waitFor();
		await open("/workflows/soon?tab=run");
		await button("Run").click();
		await outcome.getByText(/^Waiting until/).waitFor();
		await outcome.getByText(/^Succeeded in/).waitFor();
		await outcome.getByText("results of such runs are not stored", { exact: false }).waitFor();
	});

	/** Checks a page in both themes. */
	async function assertLook(of: Page, name: string, width: number): Promise<void> {
		await assertFits(of, width);
		for (const colorScheme of ["dark", "light"] as const) {
			await of.emulateMedia({ colorScheme });
			await assertAccessible(of);
		}
		await takeScreenshots(of, name, "own", width);
	}
});
