import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NO_BROWSER } from "./chromium.ts";
import { browserWorld, STATIC_TOKEN } from "./world.ts";

const LATER = ["/gui/questions", "/gui/status"];

describe("first page", { skip: NO_BROWSER }, () => {
	const world = browserWorld();

	async function recordRequests(path: string, heading: string): Promise<string[]> {
		const page = await world.page();
		const urls: string[] = [];
		page.on("request", (request) => {
			const { pathname, search } = new URL(request.url());
			// The count of open questions and the banner follow later.
			if (pathname.startsWith("/gui/") && !LATER.includes(pathname)) urls.push(pathname + search);
		});
		await page.goto(world.url + path);
		await page.getByRole("heading", { name: heading, exact: true }).waitFor();
		await page.getByText("Namespace default").waitFor();
		await page.waitForLoadState("networkidle");
		return urls.sort();
	}

	test("requests its data once", async () => {
		assert.deepEqual(await recordRequests("", "Overview"), ["/gui/overview?hours=24", "/gui/session"]);
		assert.deepEqual(await recordRequests("?range=week", "Overview"), [
			"/gui/overview?hours=168",
			"/gui/session",
		]);
		assert.deepEqual(await recordRequests("/credentials", "Credentials"), [
			"/gui/auth-recipes",
			"/gui/credentials",
			"/gui/session",
		]);
	});

	test("requests its data before the app has loaded", async () => {
		const page = await world.page();
		const answered = page.waitForResponse(/\/gui\/overview/);
		await page.route(/\/console\/(?:main|chunk)-.*\.js$/, async (route) => {
			await answered;
			await route.continue();
		});
		await page.goto(world.url);
		await page.getByRole("heading", { name: "Overview" }).waitFor();
	});

	test("loads the code of another page in parallel with the app", async () => {
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

	test('shows "not found" for any unknown path', async () => {
		const page = await world.page();
		for (const name of ["constructor", "__proto__", "elsewhere"]) {
			await page.goto(`${world.url}/${name}`);
			await page.getByRole("heading", { name: "Page not found" }).waitFor();
		}
	});

	test("requests again and shows the error if the early request failed", async () => {
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

	test("opens the login page for an invalid or malformed token", async () => {
		for (const kept of ['"no-longer-good"', "no JSON", '{"a":1}']) {
			const page = await world.page({ isLoggedIn: false });
			await page.addInitScript(`localStorage.setItem("tripline.access_token", ${JSON.stringify(kept)})`);
			await page.goto(world.url);
			await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
		}
	});

	test("prefers the entered token over the stored one", async () => {
		const page = await world.page();
		await page.addInitScript(`localStorage.setItem("tripline.access_token", '"another"')`);
		const request = page.waitForRequest(/\/gui\/session/);
		await page.goto(world.url);
		assert.equal((await request).headers().authorization, `Bearer ${STATIC_TOKEN}`);
	});
});
