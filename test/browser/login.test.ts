import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./chromium.ts";
import { assertAccessible, browserWorld, OWNER_SECRET, STATIC_TOKEN } from "./world.ts";

describe("login", { skip: NO_BROWSER }, () => {
	const world = browserWorld();

	async function logIn(page: Page, secret: string): Promise<void> {
		await page.getByRole("button", { name: "Log in", exact: true }).click();
		await page.getByLabel("Owner secret").fill(secret);
		await page.getByRole("button", { name: "Log in", exact: true }).click();
	}

	test("logs in with the owner secret and returns to the requested page", async () => {
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

	test("shows an error for a wrong secret", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(world.url);
		await logIn(page, "not it, whatever it is");
		await page.getByRole("alert").waitFor();
		assert.match(page.url(), /\/authorize/);
	});

	test("logs in with a token that is not stored", async () => {
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

	test("rejects a callback of another login", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(`${world.url}/callback?code=stolen&state=other`);
		await page.getByRole("alert").filter({ hasText: "another tab" }).waitFor();
		assert.equal(await page.evaluate("localStorage.length"), 0);
	});

	test("revokes the token at logout", async () => {
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

	test("shows a message on the login page for an expired token", async () => {
		const page = await world.page({ isLoggedIn: false });
		await page.goto(world.url);
		await page.evaluate("localStorage.setItem('tripline.access_token', JSON.stringify('gone'))");
		await page.reload();
		await page.getByText("Your session has expired. Log in again.").waitFor();
	});
});
