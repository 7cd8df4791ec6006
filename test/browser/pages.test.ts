import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits, assertSound, assertTranslated, collectAnswers, takeScreenshots } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { cancelRuns, type Seeded, seedAll } from "./seed.ts";
import { EMPTY, MORE, PAGES, type State } from "./states.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const WIDE = 1280;
const NARROW = 360;
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

describe("pages", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	const answers: string[] = [];
	const asked = new Set<string>();
	let data: Seeded = { failedRun: "", keptRun: "", longRun: "", entry: "" };
	let page: Page;

	before(async () => {
		page = await world.page();
		page.on("request", (request) => asked.add(request.url()));
		collectAnswers(page, answers);
		await page.goto(`${world.url}/elsewhere`);
	});

	describe("of an empty service", () => {
		for (const state of EMPTY) assertState(state);
	});

	describe("with data", () => {
		before(async () => {
			data = await seedAll(world);
		});
		for (const state of PAGES) assertState(state, { isWhole: true });
		for (const state of MORE) assertState(state);
	});

	describe("of a failing service", () => {
		before(() => setLanguage("en"));
		after(() => cancelRuns(world));
		// Only the page of a new workflow does not need the service.
		for (const state of PAGES.filter(({ name }) => name !== "new-workflow"))
			test(`${state.name}: shows loading, an error and a retry`, async () => {
				const held = Promise.withResolvers<void>();
				let isBroken = true;
				await page.route("**/gui/**", async (route) => {
					await held.promise;
					if (!isBroken) return route.continue();
					await route.fulfill({ status: 503, json: { error: "the store does not answer" } });
				});
				await page.goto(world.url + state.path(data));
				await waiting().first().waitFor();
				await takeScreenshots(page, `${state.name}-loading`, "en", WIDE);
				held.resolve();
				await page.getByRole("alert").filter({ hasText: "the store does not answer" }).first().waitFor();
				await waiting().waitFor({ state: "detached" });
				await takeScreenshots(page, `${state.name}-problem`, "en", WIDE);
				isBroken = false;
				// Clicks all at once, because a page may reload by itself before a pointer gets there.
				await page.getByRole("button", { name: "Try again" }).evaluateAll((all: { click(): void }[]) => {
					for (const each of all) each.click();
				});
				await state.there(page).waitFor();
				await page.getByRole("alert").first().waitFor({ state: "detached" });
				await page.unroute("**/gui/**");
			});
	});

	test("send requests only to the service", () => {
		const { origin } = new URL(world.url);
		assert.deepEqual(
			[...asked].filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:")),
			[],
		);
		assert.ok([...asked].some((url) => url.startsWith(`${origin}/console/layout.worker-`)));
	});

	test("have a content security policy that allows no other origins", async () => {
		const files = [...asked].filter((url) => url.startsWith(world.url));
		assert.ok(files.length > PAGES.length);
		for (const url of files) {
			const { headers } = await fetch(url);
			assert.equal(headers.get("content-security-policy"), POLICY, url);
		}
	});

	/** Checks a state in both languages and themes, on wide and narrow screens. */
	function assertState(state: State, { isWhole = false } = {}): void {
		test(state.name, async () => {
			await open(state);
			await assertSound(page, "en");
			await assertFits(page, WIDE);
			const hasDialog = await page.getByRole("dialog").isVisible();
			await assertAccessible(page, { within: isWhole ? "html" : hasDialog ? "dialog" : "main" });
			if (isWhole) {
				await page.emulateMedia({ colorScheme: "dark" });
				await assertAccessible(page, { runOnly: ["color-contrast"] });
				await page.emulateMedia({ colorScheme: "light" });
			}
			await takeScreenshots(page, state.name, "en", WIDE);
			await assertFits(page, NARROW);
			await takeScreenshots(page, state.name, "en", NARROW);
			await setLanguage("zh-Hant");
			await assertFits(page, NARROW);
			await takeScreenshots(page, state.name, "zh", NARROW);
			await assertFits(page, WIDE);
			await assertSound(page, "zh-Hant");
			await assertTranslated(page, answers);
			// Colours are the same in every language.
			if (isWhole) await assertAccessible(page, { rules: { "color-contrast": { enabled: false } } });
			await takeScreenshots(page, state.name, "zh", WIDE);
		});
	}

	/** Navigates within the loaded console: a reload takes twice as long. */
	async function open({ path, act, there }: State): Promise<void> {
		await page.setViewportSize({ width: WIDE, height: 860 });
		if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
		await setLanguage("en");
		await page.evaluate(`(async () => {
			for (const path of ["/elsewhere", ${JSON.stringify(path(data))}]) {
				history.pushState(null, "", "/console" + path);
				dispatchEvent(new PopStateEvent("popstate"));
				await new Promise((done) => setTimeout(done));
			}
		})()`);
		await act?.(page);
		await there(page).waitFor();
		await waiting().waitFor({ state: "detached" });
	}

	const waiting = () => page.getByRole("status", { name: "Loading", exact: true });

	/** Changes the language as if it were set in another tab. */
	async function setLanguage(language: "en" | "zh-Hant"): Promise<void> {
		await page.evaluate(`(() => {
			localStorage.setItem("tripline.language", '"${language}"');
			dispatchEvent(new StorageEvent("storage", { key: "tripline.language", storageArea: localStorage }));
		})()`);
	}
});
