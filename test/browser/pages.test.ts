import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits, assertSound, assertTranslated, isPictured, pictured, saidBy } from "./checks.ts";
import { type Seeded, seeded } from "./seed.ts";
import { EMPTY, MORE, PAGES, type Say, type State } from "./states.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const WIDE = 1280;
const NARROW = 360;
const NOTHING: Seeded = { failedRun: "", goodRun: "", entry: "" };

const LANGUAGES = {
	en: { locale: "en-US", say: (english: string) => english },
	"zh-Hant": { locale: "zh-TW", say: (_english: string, chinese: string) => chinese },
} as const satisfies Record<string, { locale: string; say: Say }>;
type Language = keyof typeof LANGUAGES;

describe("pages", () => {
	const world = browserWorld();
	const pages = new Map<Language, Page>();
	const answers: string[] = [];
	const asked = new Set<string>();
	let data = NOTHING;

	before(async () => {
		for (const language of Object.keys(LANGUAGES) as Language[]) {
			const page = await world.page({ language: LANGUAGES[language].locale });
			page.on("request", (request) => asked.add(request.url()));
			saidBy(page, answers);
			pages.set(language, page);
			await page.goto(`${world.url}/elsewhere`);
		}
	});

	describe("of a new service", () => {
		for (const state of EMPTY) assertState(state);
	});

	describe("with something to show", () => {
		before(async () => {
			data = await seeded(world);
		});
		for (const state of PAGES) assertState(state, { isWhole: true });
		for (const state of MORE) assertState(state);
	});

	describe("by their addresses, of a service that does not answer as it should", () => {
		// A new workflow is the only one that needs nothing of the service.
		for (const state of PAGES.filter(({ name }) => name !== "new-workflow"))
			test(`${state.name}: what is wrong, and trying again`, async () => {
				const page = pages.get("en") as Page;
				await page.setViewportSize({ width: WIDE, height: 860 });
				let isBroken = true;
				await page.route("**/gui/**", (route) =>
					isBroken
						? route.fulfill({ status: 503, json: { error: "the store does not answer" } })
						: route.continue(),
				);
				await page.goto(world.url + state.path(data));
				await page.getByRole("alert").filter({ hasText: "the store does not answer" }).first().waitFor();
				await page.getByRole("status", { name: "Loading", exact: true }).waitFor({ state: "detached" });
				await pictured(page, `${state.name}-problem-en-light-${WIDE}`);
				await assertAccessible(page, { within: "main" });
				isBroken = false;
				// All at once: a page that asks again by itself may be faster than a pointer.
				await page
					.getByRole("button", { name: "Try again" })
					.evaluateAll((all) => all.forEach((each) => (each as { click(): void }).click()));
				await state.there(page, LANGUAGES.en.say).waitFor();
				await page.getByRole("alert").first().waitFor({ state: "detached" });
				await page.unroute("**/gui/**");
			});
	});

	test("nothing was asked of anybody but the service", () => {
		const { origin } = new URL(world.url);
		assert.deepEqual(
			[...asked].filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:")),
			[],
		);
		assert.ok([...asked].some((url) => url.startsWith(`${origin}/console/layout.worker-`)));
	});

	test("are served with a policy that allows nothing from elsewhere", async () => {
		const files = [...asked].filter((url) => url.startsWith(world.url));
		assert.ok(files.length > PAGES.length);
		for (const url of files) {
			const { headers } = await fetch(url);
			assert.equal(headers.get("content-security-policy"), POLICY, url);
		}
	});

	/** Opens it within the console, where that has been loaded already. */
	async function opened({ path, act, there }: State, language: Language): Promise<Page> {
		const page = pages.get(language) as Page;
		const { say } = LANGUAGES[language];
		await page.setViewportSize({ width: WIDE, height: 860 });
		if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
		await page.evaluate(`(async () => {
			for (const path of ["/elsewhere", ${JSON.stringify(path(data))}]) {
				history.pushState(null, "", "/console" + path);
				dispatchEvent(new PopStateEvent("popstate"));
				await new Promise((done) => setTimeout(done));
			}
		})()`);
		await act?.(page, say);
		await there(page, say).waitFor();
		await page
			.getByRole("status", { name: say("Loading", "載入中"), exact: true })
			.waitFor({ state: "detached" });
		return page;
	}

	function assertState(state: State, { isWhole = false } = {}): void {
		test(`${state.name} in English`, async () => {
			const page = await opened(state, "en");
			await assertSound(page, "en");
			await pictured(page, `${state.name}-en-light-${WIDE}`);
			await assertFits(page, WIDE);
			const within = isWhole ? "html" : (await page.getByRole("dialog").isVisible()) ? "dialog" : "main";
			await assertAccessible(page, { within });
			await page.emulateMedia({ colorScheme: "dark" });
			await pictured(page, `${state.name}-en-dark-${WIDE}`);
			if (isWhole) await assertAccessible(page, { within, runOnly: ["color-contrast"] });
			await assertFits(page, NARROW);
			await pictured(page, `${state.name}-en-dark-${NARROW}`);
			await page.emulateMedia({ colorScheme: "light" });
			await pictured(page, `${state.name}-en-light-${NARROW}`);
		});

		test(`${state.name} in Chinese`, async () => {
			const page = await opened(state, "zh-Hant");
			await assertSound(page, "zh-Hant");
			await assertTranslated(page, answers);
			await pictured(page, `${state.name}-zh-Hant-light-${WIDE}`);
			await assertFits(page, WIDE);
			// Colours are the same in every language.
			if (isWhole) await assertAccessible(page, { rules: { "color-contrast": { enabled: false } } });
			await assertFits(page, NARROW);
			await pictured(page, `${state.name}-zh-Hant-light-${NARROW}`);
			if (!isPictured) return;
			await page.emulateMedia({ colorScheme: "dark" });
			await pictured(page, `${state.name}-zh-Hant-dark-${NARROW}`);
			await assertFits(page, WIDE);
			await pictured(page, `${state.name}-zh-Hant-dark-${WIDE}`);
			await page.emulateMedia({ colorScheme: "light" });
		});
	}
});

const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
