import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertFits, takeScreenshots } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const MIB = 2 ** 20;

describe("the banner", { skip: NO_BROWSER }, () => {
	const disk = { free_bytes: 500_000 * MIB, total_bytes: 1_000_000 * MIB };
	const world = browserWorld(() => ({}), { readDisk: async () => disk });

	test("is not there while all is well", async () => {
		const page = await world.page();
		const answered = page.waitForResponse("**/gui/status");
		await page.goto(world.url);
		assert.deepEqual(await (await answered).json(), { attention: [], address: null });
		await page.getByRole("heading", { name: "Overview" }).waitFor();
		assert.equal(await page.getByRole("region", { name: "Needs attention" }).count(), 0);
	});

	for (const [language, label, sentence] of [
		["en-US", "Needs attention", "The disk is nearly full: 104.9 MB are free."],
		["zh-TW", "需要處理", "磁碟空間即將用盡,僅剩 104.9 MB。"],
	] as const)
		test(`says what needs the operator on every page, in ${language}`, async () => {
			disk.free_bytes = 100 * MIB;
			for (const width of [360, 1280]) {
				const page = await world.page({ language, width });
				await page.goto(`${world.url}/workflows`);
				const banner = page.getByRole("region", { name: label });
				await banner.getByText(sentence).waitFor();
				for (const theme of ["light", "dark"] as const) {
					await page.emulateMedia({ colorScheme: theme });
					await assertAccessible(page);
				}
				await assertFits(page, width);
				await takeScreenshots(page, "banner-disk", language, width);
			}
		});

	test("leads to a workflow whose mailbox fails, and tells warnings from problems", async () => {
		disk.free_bytes = 500_000 * MIB;
		await world.api("PUT", "/gui/credentials/box", {
			auth_recipe: "imap",
			fields: { host: "127.0.0.1:1", user: "ada", password: "hush-hush-hush", tls: "off" },
		});
		await world.api("PUT", "/gui/workflows/tickets", {
			...{ name: "tickets", description: "", version: "1", triplets: ["input >> then >> note"] },
			config: { note: { component: "set", values: {} } },
			trigger: { type: "event", email: { credential: "box" } },
		});
		for (let looks = 0; looks < 200; looks++) {
			const { attention } = (await world.api("GET", "/gui/status")) as { attention: object[] };
			if (attention.length > 0) break;
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
		for (const width of [360, 1280]) {
			const page = await world.page({ width });
			await page.goto(world.url);
			const banner = page.getByRole("region", { name: "Needs attention" });
			await banner.getByText("A mailbox or poll fails: tickets").waitFor();
			for (const theme of ["light", "dark"] as const) {
				await page.emulateMedia({ colorScheme: theme });
				await assertAccessible(page);
			}
			await takeScreenshots(page, "banner-trigger", "en-US", width);
			await banner.getByRole("link", { name: "tickets" }).click();
			await page.getByRole("heading", { name: "tickets" }).waitFor();
		}
	});

	test("names the address of the settings if the console was opened at another one", async () => {
		const page = await world.page();
		const elsewhere = "https://tripline.example";
		await page.route(`${elsewhere}/**`, async (route) => {
			const url = route.request().url().replace(elsewhere, new URL(world.url).origin);
			await route.fulfill({ response: await route.fetch({ url, headers: route.request().headers() }) });
		});
		await page.route("**/gui/status", (route) =>
			route.fulfill({ json: { attention: [], address: "https://other.example" } }),
		);
		await page.goto(`${elsewhere}/console`);
		await page.getByText("The service is set up for https://other.example").waitFor();
		await takeScreenshots(page, "banner-address", "en-US", 1280);
	});
});
