import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { assertAccessible, browserWorld, OWNER_SECRET, STATIC_TOKEN } from "./world.ts";

describe("logging in", { skip: NO_BROWSER }, () => {
	const world = browserWorld();

	async function logIn(page: Page, secret: string): Promise<void> {
		await page.getByRole("button", { name: "Log in", exact: true }).click();
		await page.getByLabel("Owner secret").fill(secret);
		await page.getByRole("button", { name: "Allow access" }).click();
	}

	test("by the owner's secret, back to where one wanted to go", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(`${world.url}/components?q=http`);
		await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
		await assertAccessible(page);
		await logIn(page, OWNER_SECRET);
		await page.getByRole("heading", { name: "Components" }).waitFor();
		assert.equal(new URL(page.url()).search, "?q=http");
		const kept = (await page.evaluate(
			"JSON.stringify([{ ...localStorage }, { ...sessionStorage }])",
		)) as string;
		assert.match(kept, /^\[\{"tripline\.access_token":"\\"[\w-]+\\""\},\{\}\]$/);
	});

	test("a wrong secret is said on the page where it is typed", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(world.url);
		await logIn(page, "not it, whatever it is");
		await page.getByRole("alert").waitFor();
		assert.match(page.url(), /\/authorize/);
	});

	test("by a token, which goes with the tab", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(world.url);
		await page.getByText("Use a token instead").click();
		await page.getByLabel("Access token").fill("wrong");
		await page.getByRole("button", { name: "Use this token" }).click();
		await page.getByText("This token is not valid.").waitFor();
		await page.getByLabel("Access token").fill(STATIC_TOKEN);
		await page.getByRole("button", { name: "Use this token" }).click();
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		assert.equal(await page.evaluate("localStorage.length"), 0);
	});

	test("an answer that belongs to no login of this tab logs nobody in", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(`${world.url}/callback?code=stolen&state=other`);
		await page.getByRole("alert").filter({ hasText: "another tab" }).waitFor();
		assert.equal(await page.evaluate("localStorage.length"), 0);
	});

	test("logging out revokes the token", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(world.url);
		await logIn(page, OWNER_SECRET);
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		const token = JSON.parse(
			(await page.evaluate("localStorage['tripline.access_token']")) as string,
		) as string;
		const revoked = page.waitForResponse((response) => new URL(response.url()).pathname === "/revoke");
		await page.getByRole("button", { name: "Log out" }).click();
		assert.equal((await revoked).status(), 200);
		await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
		assert.equal(await page.evaluate("localStorage.length"), 0);
		const url = new URL("/gui/session", world.url);
		const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
		assert.equal(status, 401);
	});

	test("a token that has ended leads to the login, and says so", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(world.url);
		await page.evaluate("localStorage.setItem('tripline.access_token', JSON.stringify('gone'))");
		await page.reload();
		await page.getByText("Your session has expired. Log in again.").waitFor();
	});
});
