import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NO_BROWSER } from "./chromium.ts";
import { browserWorld, STATIC_TOKEN } from "./world.ts";

describe("the first page", { skip: NO_BROWSER }, () => {
	const world = browserWorld();

	async function asked(path: string, heading: string): Promise<string[]> {
		const page = await world.page();
		const urls: string[] = [];
		page.on("request", (request) => {
			const { pathname, search } = new URL(request.url());
			if (pathname.startsWith("/gui/")) urls.push(pathname + search);
		});
		await page.goto(world.url + path);
		await page.getByRole("heading", { name: heading, exact: true }).waitFor();
		await page.getByText("Namespace default").waitFor();
		await page.waitForLoadState("networkidle");
		return urls.sort();
	}

	test("asks for what it shows once", async () => {
		assert.deepEqual(await asked("", "Overview"), ["/gui/overview?hours=24", "/gui/session"]);
		assert.deepEqual(await asked("?range=week", "Overview"), ["/gui/overview?hours=168", "/gui/session"]);
		assert.deepEqual(await asked("/credentials", "Credentials"), [
			"/gui/auth-recipes",
			"/gui/credentials",
			"/gui/session",
		]);
	});

	test("asks before the app has arrived", async () => {
		const page = await world.page();
		const answered = page.waitForResponse(/\/gui\/overview/);
		await page.route(/\/console\/(?:main|chunk)-.*\.js$/, async (route) => {
			await answered;
			await route.continue();
		});
		await page.goto(world.url);
		await page.getByRole("heading", { name: "Overview" }).waitFor();
	});

	test("loads the code of another page beside the app, not after it", async () => {
		for (const [path, file] of [
			["/settings", "settings-page"],
			["/workflows/none-of-this-name", "workflow-page"],
		] as const) {
			const page = await world.page();
			const arrived = page.waitForResponse(new RegExp(`/console/${file}-`));
			await page.route(/\/console\/main-.*\.js$/, async (route) => {
				await arrived;
				await route.continue();
			});
			await page.goto(world.url + path);
			await page.getByRole("heading", { level: 1 }).waitFor();
		}
	});

	test("says that there is no such page, whatever it is called", async () => {
		const page = await world.page();
		for (const name of ["constructor", "__proto__", "elsewhere"]) {
			await page.goto(`${world.url}/${name}`);
			await page.getByRole("heading", { name: "Page not found" }).waitFor();
		}
	});

	test("asks again, and says what is wrong, where the early answer was none", async () => {
		const page = await world.page();
		await page.route(/\/gui\/overview/, (route) =>
			route.fulfill({ status: 503, json: { error: "not now" } }),
		);
		await page.goto(world.url);
		await page.getByText("not now").waitFor();
		await page.unroute(/\/gui\/overview/);
		await page.getByRole("button", { name: "Try again" }).click();
		await page.getByText("Create a first workflow").waitFor();
	});

	test("leads to the login with a token that is no longer good, or that is no token", async () => {
		for (const kept of ['"no-longer-good"', "no JSON", '{"a":1}']) {
			const page = await world.page({ isLoggedIn: false });
			await page.addInitScript(`localStorage.setItem("tripline.access_token", ${JSON.stringify(kept)})`);
			await page.goto(world.url);
			await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
		}
	});

	test("is asked for with the token that was typed in before the one that is kept", async () => {
		const page = await world.page();
		await page.addInitScript(`localStorage.setItem("tripline.access_token", '"another"')`);
		const request = page.waitForRequest(/\/gui\/session/);
		await page.goto(world.url);
		assert.equal((await request).headers().authorization, `Bearer ${STATIC_TOKEN}`);
	});
});
