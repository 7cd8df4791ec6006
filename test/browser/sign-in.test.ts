import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startOidc } from "../oidc.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { signInAtProvider } from "./sign-in.ts";
import { browserWorld } from "./world.ts";

describe("signing in from the console", { skip: NO_BROWSER }, () => {
	let oidc: Awaited<ReturnType<typeof startOidc>>;
	before(async () => {
		oidc = await startOidc();
	});
	after(() => oidc.close());
	const world = browserWorld(() => ({ ALLOW_PRIVATE_HOSTS: oidc.host }));
	let page: Page;
	before(async () => {
		const { origin } = new URL(world.url);
		oidc.register(`${origin}/oauth/callback/oidc`);
		const stored = await fetch(`${origin}/auth-recipes/oidc`, {
			method: "PUT",
			headers: { "x-service-api-key": "default" },
			body: JSON.stringify(oidc.recipe),
		});
		assert.equal(stored.status, 201);
		page = await world.page();
	});
	const { button, statusText, dialog } = locators(() => page);

	test("shows the redirect URL, opens a window, and shows the account when it is done", async () => {
		await page.goto(`${world.url}/credentials?new=oidc`);
		const { origin } = new URL(world.url);
		await dialog().getByText(`${origin}/oauth/callback/oidc`).waitFor();
		await dialog().getByLabel("Client id").fill(oidc.credential.fields.client_id);
		await dialog().getByLabel("Client secret", { exact: true }).fill(oidc.credential.fields.client_secret);
		await button("Save").click();
		await page.getByText("Not signed in").waitFor();

		const opening = page.waitForEvent("popup");
		await button("Connect: oidc").click();
		await signInAtProvider(await opening);

		await statusText("oidc is signed in").waitFor();
		await page.getByText("Signed in", { exact: true }).waitFor();
		await page.getByText("ada").waitFor();
		await button("Sign in again: oidc").waitFor();
	});
});
