import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { createNote, GREETING, saveWorkflow } from "./seed.ts";
import { browserWorld, OWNER_SECRET } from "./world.ts";

describe("unsaved changes when the session expires", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	before(() => saveWorkflow(world, GREETING));

	const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
	const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
	const editor = (page: Page) => field(page, "Workflow text");

	/** Opens a page with a session, and returns a function that revokes its token from outside. */
	async function openVisitor(path: string) {
		const page = await world.page({ isLoggedIn: false });
		const token = await world.issueToken("Somebody");
		// The count of questions would notice that the session has expired before anything is typed.
		await page.route("**/gui/questions*", (route) =>
			route.fulfill({ json: { questions: [], next_cursor: null } }),
		);
		await page.goto(`${world.url}/settings`);
		await page.evaluate(`localStorage.setItem("tripline.access_token", JSON.stringify("${token}"))`);
		await page.goto(world.url + path);
		const revoke = async () => {
			const body = new URLSearchParams({ token });
			assert.equal((await fetch(new URL("/revoke", world.url), { method: "POST", body })).status, 200);
		};
		return { page, revoked: revoke };
	}

	async function logInAgain(page: Page): Promise<void> {
		await page.getByText("Your session has expired. Log in again.").waitFor();
		await logIn(page);
	}

	async function logIn(page: Page): Promise<void> {
		await button(page, "Log in").click();
		await page.getByLabel("Owner secret").fill(OWNER_SECRET);
		await button(page, "Log in").click();
	}

	async function typeIntoWorkflow(page: Page, typed = "# mine"): Promise<void> {
		await page.getByText("No problems").waitFor();
		await editor(page).click();
		await page.keyboard.press("Control+End");
		await page.keyboard.type(typed);
	}

	const drafted = (page: Page) => page.getByText(/^Draft saved /);
	const readDraft = async () =>
		((await world.api("GET", "/gui/workflows/greet")) as { draft: { text: string } | null }).draft;

	test("restores a workflow's text after login, stores it as the draft and publishes it", async () => {
		const { page, revoked: revoke } = await openVisitor("/workflows/greet");
		await page.getByText("No problems").waitFor();
		await revoke();
		await typeIntoWorkflow(page);
		await logInAgain(page);
		await editor(page).getByText("# mine").waitFor();
		await drafted(page).waitFor();
		assert.equal((await readDraft())?.text, `${GREETING}# mine`);
		await button(page, "Publish").click();
		await drafted(page).waitFor({ state: "detached" });
		await page.reload();
		await editor(page).getByText("# mine").waitFor();
		assert.equal(await readDraft(), null);
	});

	test("tells that a newer version was published meanwhile", async () => {
		const { page, revoked: revoke } = await openVisitor("/workflows/greet");
		await typeIntoWorkflow(page, " and mine again");
		await revoke();
		await page.getByText("Your session has expired. Log in again.").waitFor();
		await saveWorkflow(world, `${GREETING}# theirs\n`);
		await logInAgain(page);
		await page
			.getByText("A newer version of this workflow was published after you started to edit it.")
			.waitFor();
		await editor(page).getByText("and mine again").waitFor();
		await button(page, "Discard").click();
		await editor(page).getByText("# theirs").waitFor();
		await page.getByText("Draft discarded").waitFor();
	});

	test("restores a new workflow's text after login", async () => {
		const { page, revoked: revoke } = await openVisitor("/new-workflow");
		await typeIntoWorkflow(page);
		await page.getByText("Unsaved changes", { exact: true }).waitFor();
		await revoke();
		await page.keyboard.type(" and more");
		await logInAgain(page);
		await editor(page).getByText("# mine and more").waitFor();
	});

	test("restores the edit of an entry after login", async () => {
		const id = await createNote(world, "Opening hours", "From nine to five");
		const { page, revoked: revoke } = await openVisitor(`/knowledge/${id}`);
		await button(page, "Edit").click();
		await field(page, "Content").fill("From ten to six");
		await revoke();
		await button(page, "Save").click();
		await logInAgain(page);
		await button(page, "Save").and(page.locator(":enabled")).click();
		await page.getByRole("region", { name: "Content" }).getByText("From ten to six").waitFor();
	});

	test("restores nothing for another tenant", async () => {
		const { page, revoked: revoke } = await openVisitor("/workflows/greet");
		await page.getByText("No problems").waitFor();
		await revoke();
		await typeIntoWorkflow(page, "# of this tenant only");
		await page.getByText("Your session has expired. Log in again.").waitFor();
		await page.route("**/gui/session", async (route) => {
			const response = await route.fetch();
			await route.fulfill({ json: { ...(await response.json()), namespace: "another" } });
		});
		await logInAgain(page);
		await page.getByText("No problems").waitFor();
		assert.equal(await editor(page).getByText("# of this tenant only").count(), 0);
		assert.equal(await page.evaluate(`sessionStorage.getItem("tripline.unsaved")`), null);
	});

	test("asks at logout and then keeps nothing", async () => {
		const { page } = await openVisitor("/new-workflow");
		await typeIntoWorkflow(page);
		page.once("dialog", (dialog) => dialog.dismiss());
		await button(page, "Log out").click();
		await page.getByText("Unsaved changes", { exact: true }).waitFor();
		page.once("dialog", (dialog) => dialog.accept());
		await button(page, "Log out").click();
		await logIn(page);
		await page.getByText("No problems").waitFor();
		assert.equal(await editor(page).getByText("# mine").count(), 0);
	});

	test("stores the draft at logout without asking", async () => {
		const { page } = await openVisitor("/workflows/greet");
		await typeIntoWorkflow(page, "# just before the logout");
		await button(page, "Log out").click();
		await logIn(page);
		await editor(page).getByText("# just before the logout").waitFor();
	});
});
