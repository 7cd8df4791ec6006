import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { MAIL_PASSWORD, MAIL_USER, openSmtpServer } from "../smtp-server.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { browserWorld } from "./world.ts";

describe("testing a connection from the console", { skip: NO_BROWSER }, () => {
	let server: Awaited<ReturnType<typeof openSmtpServer>>;
	before(async () => {
		server = await openSmtpServer();
	});
	after(() => server.stop());
	const world = browserWorld(() => ({ ALLOW_PRIVATE_HOSTS: "127.0.0.1" }));
	let page: Page;
	before(async () => {
		const fields = { host: `127.0.0.1:${server.port}`, user: MAIL_USER, tls: "off" };
		for (const [name, password] of [
			["post", MAIL_PASSWORD],
			["wrong", "wrong-wrong-wrong"],
		])
			await world.api("PUT", `/gui/credentials/${name}`, {
				auth_recipe: "smtp",
				fields: { ...fields, password },
			});
		const token = { auth_recipe: "github_token", fields: { token: "tok_4f9a1c7e2b" } };
		await world.api("PUT", "/gui/credentials/token", token);
		page = await world.page();
		await page.goto(`${world.url}/credentials`);
	});
	const { button, statusText } = locators(() => page);

	test("says that the login works, or why it does not", async () => {
		await button("Test connection: post").click();
		await statusText(`The connection works: ${MAIL_USER} is logged in at 127.0.0.1`).waitFor();
		await button("Test connection: wrong").click();
		await statusText(/The connection failed: 127\.0\.0\.1 refused the login: 535/).waitFor();
	});

	test("is not offered for credentials that log in nowhere", async () => {
		await button("Replace token").waitFor();
		await button("Test connection: token").waitFor({ state: "detached" });
	});

	test("is in the language of the page", async () => {
		const chinese = await world.page({ language: "zh-TW" });
		await chinese.goto(`${world.url}/credentials`);
		await chinese.getByRole("button", { name: "測試連線：「post」" }).click();
		await chinese
			.getByRole("status")
			.getByText(/^連線成功：/)
			.waitFor();
	});
});
