import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Signs in as ada at the provider of startOidc, in the window that the console has opened, and closes it. */
export async function signInAtProvider(popup: Page): Promise<void> {
	await popup.getByText("Namespace", { exact: true }).waitFor();
	await popup.getByRole("button", { name: "Continue" }).click();
	await popup.locator("input[name=login]").fill("ada");
	await popup.locator("input[name=password]").fill("any");
	await popup.locator("button[type=submit]").click();
	await popup.locator("button[type=submit]", { hasText: /continue/i }).click();
	await popup.getByText("You can close this window").waitFor();
	assert.equal(await popup.evaluate("window.opener"), null);
	await popup.close();
}
