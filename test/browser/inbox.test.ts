import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits, takeScreenshots } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { APPROVAL, acceptQuestion, saveWorkflow, waitForRecords } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const WIDE = 1280;
const NARROW = 360;
const ORDER = { amount: 250, invoice: "R-17" };

describe("questions", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, APPROVAL);
	});

	const { button, link, statusText } = locators(() => page);
	const openForm = () => button("Answer the question of approve invoice").click();
	const none = () => page.getByText("No open questions");
	const openInbox = (search = "") => page.goto(`${world.url}/inbox${search}`);

	/** Answers by the API, as somebody else would. */
	async function answerElsewhere(id: string): Promise<void> {
		const { questions } = (await world.api("GET", "/gui/questions")) as {
			questions: { execution_id: string; id: string }[];
		};
		const question = questions.find(({ execution_id }) => execution_id === id);
		await world.api("POST", `/gui/questions/${id}/${question?.id}/answer`, { answer: { approved: false } });
	}

	describe("in the inbox", () => {
		test("are counted, shown and answered, and the run goes on", async () => {
			const { id } = await acceptQuestion(world, ORDER);
			await page.goto(world.url);
			await link(/^Inbox.*1 open question$/).click();
			await page.getByText("Pay 250 euros?").waitFor();
			assert.equal(await page.locator("main strong").textContent(), "250");
			await page.getByRole("definition").filter({ hasText: "R-17" }).waitFor();
			await page.getByRole("definition").filter({ hasText: "accounting" }).waitFor();
			await openForm();
			await page.getByRole("checkbox", { name: "Approve" }).check();
			await page.getByRole("textbox", { name: "Comment" }).fill("fine");
			await button("Send answer").click();
			await statusText("Answered: the run continues").waitFor();
			await none().waitFor();
			await page.getByText("1 open question").waitFor({ state: "detached" });
			await waitForRecords(world, id);
			const { record } = (await world.api("GET", `/gui/executions/${id}`)) as { record: { verdict: string } };
			assert.equal(record.verdict, "success");
		});

		test("say that somebody else has answered first", async () => {
			const { id } = await acceptQuestion(world, ORDER);
			await openInbox(`?run=${id}`);
			await button("Send answer").waitFor();
			await answerElsewhere(id);
			await button("Send answer").click();
			await page.getByText("Somebody else has answered this question meanwhile", { exact: false }).waitFor();
			await assertAccessible(page);
			await button("Remove from the list").click();
			await none().waitFor();
		});

		test("are shown with the run that waits", async () => {
			const { id } = await acceptQuestion(world, ORDER);
			await page.goto(`${world.url}/executions/${id}`);
			await link("Answer in the inbox").click();
			await button("Send answer").click();
			await none().waitFor();
			await waitForRecords(world, id);
		});

		test("name the problem of an answer that the service refuses", async () => {
			const { id } = await acceptQuestion(world, ORDER);
			await openInbox(`?run=${id}`);
			await page.getByRole("textbox", { name: "Comment" }).fill("x".repeat(2_001));
			await button("Send answer").click();
			await page.getByRole("alert").filter({ hasText: "The answer does not fit the question" }).waitFor();
			await answerElsewhere(id);
		});
	});

	describe("on their page", () => {
		for (const language of ["en-US", "zh-TW"] as const)
			test(`are accessible and fit in every state: ${language}`, async () => {
				const [asked, cancelled] = [await acceptQuestion(world, ORDER), await acceptQuestion(world, ORDER)];
				await world.api("POST", `/gui/executions/${cancelled.id}/cancel`);
				const visitor = await world.page({ language, isLoggedIn: false });
				await visitor.goto(asked.url);
				await assertLook(visitor, "ask-page", language);
				await visitor.locator("button").click();
				await visitor.getByRole("status").waitFor();
				await assertLook(visitor, "ask-thanks", language);
				await visitor.goto(asked.url);
				await assertLook(visitor, "ask-answered", language);
				await visitor.goto(cancelled.url);
				await assertLook(visitor, "ask-withdrawn", language);
			});

		test("are answered with the keyboard alone, once", async () => {
			const { id, url } = await acceptQuestion(world, ORDER);
			const visitor = await world.page({ isLoggedIn: false });
			await visitor.goto(url);
			const box = visitor.getByRole("checkbox", { name: "Approve" });
			for (let count = 0; count < 5 && !(await isFocused(visitor, "approved")); count++)
				await visitor.keyboard.press("Tab");
			await visitor.keyboard.press("Space");
			assert.equal(await box.isChecked(), true);
			await visitor.keyboard.press("Tab");
			await visitor.keyboard.type("fine");
			await visitor.keyboard.press("Tab");
			await visitor.keyboard.press("Enter");
			await visitor.getByText("Your answer has been recorded").waitFor();
			await waitForRecords(world, id);
			await visitor.goto(url);
			await visitor.getByRole("heading", { name: "Already answered" }).waitFor();
		});

		test("say that they were withdrawn", async () => {
			const { id, url } = await acceptQuestion(world, ORDER);
			await world.api("POST", `/gui/executions/${id}/cancel`);
			await waitForRecords(world, id);
			const visitor = await world.page({ isLoggedIn: false });
			await visitor.goto(url);
			await visitor.getByText("no longer asked", { exact: false }).first().waitFor();
		});
	});

	test("say on their page that they have expired", async () => {
		await saveWorkflow(world, APPROVAL.replace("3 days", "2 seconds"));
		const { id, url } = await acceptQuestion(world, ORDER);
		await waitForRecords(world, id);
		const visitor = await world.page({ isLoggedIn: false });
		await visitor.goto(url);
		await visitor.getByText("The time to answer this question is over", { exact: false }).waitFor();
		await assertLook(visitor, "ask-expired", "en");
	});

	const isFocused = (on: Page, name: string) => on.evaluate(`document.activeElement.name === "${name}"`);

	async function assertLook(on: Page, name: string, language: string): Promise<void> {
		for (const colorScheme of ["dark", "light"] as const) {
			await on.emulateMedia({ colorScheme });
			await assertAccessible(on);
		}
		for (const width of [NARROW, WIDE]) {
			await assertFits(on, width);
			await takeScreenshots(on, name, language.slice(0, 2), width);
		}
	}
});
