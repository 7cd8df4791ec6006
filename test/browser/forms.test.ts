import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { systemClock } from "@tripline/platform/clock";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Listener, listen } from "../../apps/node/src/listen.ts";
import { createFormApp } from "../../services/executor/test/forms/form-app.ts";
import { assertFits, takeScreenshots } from "./checks.ts";
import { launchChromium, NO_BROWSER } from "./chromium.ts";
import { assertAccessible } from "./world.ts";

const WIDE = 1280;
const NARROW = 360;

const schema: JsonObject = {
	type: "object",
	required: ["name", "email", "topic", "guests", "meal", "terms"],
	properties: {
		name: { type: "string", title: "Your name", maxLength: 80 },
		email: { type: "string", format: "email", title: "E-mail", description: "Only for the answer" },
		topic: {
			type: "string",
			title: "Topic",
			enum: ["Billing", "Support", "Press", "Events", "Jobs", "Other"],
		},
		guests: { type: "integer", title: "Guests", minimum: 1, maximum: 9, default: 2 },
		day: { type: "string", format: "date", title: "Day" },
		start: { type: "string", format: "date-time", title: "Start" },
		meal: { enum: ["Meat", "Fish", "Vegetables"], title: "Meal" },
		days: { type: "array", items: { enum: ["Monday", "Tuesday", "Wednesday"] }, title: "Days", maxItems: 2 },
		tags: { type: "array", items: { type: "string" }, title: "Key words" },
		message: { type: "string", title: "Message", maxLength: 2_000 },
		news: { type: "boolean", title: "Send me news", default: true },
		home: {
			type: "object",
			title: "Address",
			description: "Where the letter goes",
			properties: { street: { type: "string" }, city: { type: "string" } },
			required: ["street"],
		},
		terms: { type: "boolean", const: true, title: "I accept the terms" },
	},
};
const form = { title: "Visit us", description: "We reserve a table\nand write to you.", submit: "Reserve" };
const ANSWERS = {
	name: "Ada",
	email: "ada@example.com",
	topic: "Events",
	guests: 2,
	meal: "Fish",
	news: true,
	terms: true,
};

describe("forms", { skip: NO_BROWSER }, () => {
	const app = createFormApp({
		clock: systemClock,
		forms: {
			visit: { schema, form: { ...form, done: "See you soon.\nBring an umbrella." } },
			failing: { schema: { type: "object", properties: { fails: { const: true } } }, form },
			waiting: { schema: { type: "object", properties: { waits: { const: true } } }, form },
			elsewhere: { schema: { type: "object" }, form: { done: "https://elsewhere.test/thanks" } },
			guarded: { schema: { type: "object" }, form },
		},
		run: ({ fails, waits }) => ({
			status: fails === true ? "failed" : waits === true ? "continues" : "success",
		}),
	});
	let server: Listener;
	let browser: Browser;
	let context: BrowserContext | undefined;
	const said: string[] = [];

	before(async () => {
		server = await listen({
			answer: app.answer,
			host: "127.0.0.1",
			port: 0,
			portSetting: "PORT",
			onError: (error) => said.push(String(error)),
		});
		browser = await launchChromium();
	});
	beforeEach(() => {
		app.inputs.length = 0;
	});
	afterEach(async () => {
		await context?.close();
		assert.deepEqual(said.splice(0), []);
	});
	after(async () => {
		await browser?.close();
		await server?.close();
	});

	async function open(
		name: string,
		{ language = "en-US", theme = "light", width = WIDE, hasScripts = true } = {},
	): Promise<Page> {
		context = await browser.newContext({
			locale: language,
			colorScheme: theme as "light" | "dark",
			viewport: { width, height: 860 },
			reducedMotion: "reduce",
			javaScriptEnabled: hasScripts,
		});
		const page = await context.newPage();
		page.on("console", (message) => {
			if (!message.text().startsWith("Failed to load resource")) said.push(message.text());
		});
		await page.goto(`${server.url}/f/default/${name}`);
		return page;
	}

	async function fill(page: Page): Promise<void> {
		await page.getByLabel("Your name").fill("Ada");
		await page.getByLabel("E-mail").fill("ada@example.com");
		await page.getByLabel("Topic").selectOption("Events");
		await page.getByLabel("Fish").check();
		await page.getByLabel("I accept the terms").check();
	}

	/** Submits without the browser's own checks, as a program or an older browser would. */
	async function submitUnchecked(page: Page): Promise<void> {
		await page.evaluate("document.querySelector('form').noValidate = true");
		await page.locator("button").click();
	}

	for (const language of ["en-US", "zh-TW"]) {
		test(`every page is accessible and fits: ${language}`, async () => {
			const page = await open("visit", { language });
			await assertLook(page, "form", language);
			await submitUnchecked(page);
			await page.getByRole("alert").waitFor();
			await assertLook(page, "form-problems", language);
			await fill(page);
			await page.locator("button").click();
			await page.getByText("See you soon.").waitFor();
			await assertLook(page, "form-done", language);
			await page.goto(`${server.url}/f/default/failing`);
			await page.locator("button").click();
			await page.getByText("run-1").waitFor();
			await assertLook(page, "form-failed", language);
			await page.goto(`${server.url}/f/default/waiting`);
			await page.locator("button").click();
			await page.getByText("run-1").waitFor();
			await assertLook(page, "form-received", language);
			await page.goto(`${server.url}/f/default/missing`);
			await assertLook(page, "form-missing", language);
			assert.equal(
				await page.evaluate("document.documentElement.lang"),
				language === "en-US" ? "en" : "zh-Hant",
			);
		});
	}

	async function assertLook(page: Page, name: string, language: string): Promise<void> {
		for (const colorScheme of ["dark", "light"] as const) {
			await page.emulateMedia({ colorScheme });
			await assertAccessible(page);
		}
		for (const width of [NARROW, WIDE]) {
			await assertFits(page, width);
			await takeScreenshots(page, name, language, width);
		}
		// Half of the width is the same as twice the size.
		await assertFits(page, 320);
		await page.setViewportSize({ width: WIDE, height: 860 });
	}

	test("works without scripts", async () => {
		const page = await open("visit", { hasScripts: false });
		await fill(page);
		await page.getByLabel("Key words").fill("one\n\n two ");
		await page.getByLabel("Monday").check();
		await page.getByLabel("Wednesday").check();
		await page.getByLabel("Message").fill("First\nsecond");
		await page.getByLabel("Day", { exact: false }).first().fill("2026-12-24");
		await page.getByLabel("Start").fill("2026-12-24T18:30");
		await page.getByLabel("Street").fill("Main St 1");
		await page.getByRole("button", { name: "Reserve" }).click();
		await page.getByText("Bring an umbrella.").waitFor();
		assert.deepEqual(app.inputs, [
			{
				...ANSWERS,
				day: "2026-12-24",
				start: "2026-12-24T18:30:00Z",
				days: ["Monday", "Wednesday"],
				tags: ["one", "two"],
				message: "First\nsecond",
				home: { street: "Main St 1" },
			},
		]);
	});

	test("keeps what was typed when something is not valid", async () => {
		const page = await open("visit");
		await fill(page);
		await page.getByLabel("Message").fill("\n <b>kept</b> & more\n");
		await page.getByLabel("E-mail").fill("nobody");
		await page.getByLabel("Guests").fill("12");
		for (const day of ["Monday", "Tuesday", "Wednesday"]) await page.getByLabel(day).check();
		await page.getByLabel("Send me news").uncheck();
		await submitUnchecked(page);
		const summary = page.getByRole("alert");
		await summary.and(page.locator(":focus")).waitFor();
		assert.deepEqual(await summary.getByRole("link").allTextContents(), ["E-mail", "Guests", "Days"]);
		assert.equal(await page.getByLabel("Your name").inputValue(), "Ada");
		assert.equal(await page.getByLabel("Message").inputValue(), "\n <b>kept</b> & more\n");
		assert.equal(await page.getByLabel("Topic").inputValue(), "Events");
		assert.equal(await page.getByLabel("Guests").inputValue(), "12");
		assert.equal(await page.getByLabel("Fish").isChecked(), true);
		assert.equal(await page.getByLabel("Wednesday").isChecked(), true);
		assert.equal(await page.getByLabel("Send me news").isChecked(), false);
		await summary.getByRole("link", { name: "Guests" }).click();
		const guests = page.getByLabel("Guests").and(page.locator(":focus"));
		await guests.waitFor();
		assert.equal(await guests.getAttribute("aria-invalid"), "true");
		await page.getByText("Must be at most 9.").first().waitFor();
		assert.deepEqual(app.inputs, []);
		await guests.fill("9");
		await page.getByLabel("E-mail").fill("ada@example.com");
		await page.getByLabel("Tuesday").uncheck();
		await page.getByRole("button", { name: "Reserve" }).click();
		await page.getByText("See you soon.").waitFor();
		assert.equal(app.inputs.length, 1);
	});

	test("the browser itself asks for required fields", async () => {
		const page = await open("visit");
		await page.getByRole("button", { name: "Reserve" }).click();
		await page.getByLabel("Your name").and(page.locator(":focus")).waitFor();
		assert.deepEqual(app.inputs, []);
	});

	test("can be filled in with the keyboard alone", async () => {
		const page = await open("visit");
		const { keyboard } = page;
		const steps: readonly (readonly [string, string | null])[] = [
			["name", "Ada"],
			["email", "ada@example.com"],
			["topic", "Ev"],
			["guests", null],
		];
		for (const [name, typed] of steps) {
			await keyboard.press("Tab");
			assert.equal(await page.evaluate("document.activeElement.name"), name);
			assert.notEqual(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none");
			if (typed !== null) await keyboard.type(typed);
		}
		await tabTo(page, "meal");
		await keyboard.press("Space");
		await keyboard.press("ArrowDown");
		await tabTo(page, "terms");
		await keyboard.press("Space");
		await keyboard.press("Tab");
		// The field for programs is not on the way.
		assert.equal(await page.evaluate("document.activeElement.localName"), "button");
		await keyboard.press("Enter");
		await page.getByText("See you soon.").waitFor();
		assert.deepEqual(app.inputs, [ANSWERS]);
	});

	async function tabTo(page: Page, name: string): Promise<void> {
		for (let count = 0; count < 30; count++) {
			await page.keyboard.press("Tab");
			if ((await page.evaluate("document.activeElement.name")) === name) return;
		}
		assert.fail(`${name} was not reached`);
	}

	test("its policy lets a form lead to the address after it", async () => {
		const page = await open("elsewhere");
		const asked = page.waitForRequest((request) => request.url() === "https://elsewhere.test/thanks");
		await page.locator("button").click({ noWaitAfter: true });
		await asked;
	});

	test("a browser's own post passes the check for other origins", async () => {
		const page = await open("guarded");
		const answered = page.waitForResponse((response) => response.request().method() === "POST");
		await page.locator("button").click();
		assert.equal((await answered).status(), 200);
		assert.equal(app.inputs.length, 1);
	});
});
