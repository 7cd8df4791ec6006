import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SENDERS } from "@tripline/contract/calling/senders";
import type { Page } from "playwright-core";
import { FACTS } from "./seed.ts";

const SCREENSHOTS_FOLDER = process.env.SCREENSHOTS;

/** Asserts what every page must have: one heading, a title, a language, and no broken text. */
export async function assertSound(page: Page, language: string): Promise<void> {
	// The title follows the heading, after it is drawn.
	const isTitled = `document.querySelector("h1")?.textContent.startsWith(document.title.replace(/ · Tripline$/, ""))`;
	await page.waitForFunction(isTitled, undefined, { timeout: 2_000 }).catch(() => {});
	const { headings, title, lang, broken } = (await page.evaluate(`({
		headings: [...document.querySelectorAll("h1")].map((each) => each.textContent),
		title: document.title,
		lang: document.documentElement.lang,
		broken: [...document.querySelectorAll("pre")]
			.reduce((text, { innerText }) => text.replace(innerText, ""), document.body.innerText)
			.match(/.*(?:\\bundefined\\b|\\bNaN\\b|\\[object |Invalid Date|=>).*/g) ?? [],
	})`)) as { headings: string[]; title: string; lang: string; broken: string[] };
	assert.equal(headings.length, 1, `h1: ${headings.join(", ")}`);
	assert.match(title, / · Tripline$/);
	// A heading may contain more, such as the source of a component.
	assert.ok(headings[0]?.startsWith(title.replace(/ · Tripline$/, "")), `${headings[0]} is titled ${title}`);
	assert.equal(lang, language);
	assert.deepEqual(broken, []);
}

/** Asserts that nothing is wider than the screen or cut off at a dialog's left edge, except scroll containers. */
export async function assertFits(page: Page, width: number): Promise<void> {
	await page.setViewportSize({ width, height: width < 600 ? 780 : 860 });
	// Waits until components that measure themselves have rendered again.
	await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
	const wide = await page.evaluate(`[document.scrollingElement, ...document.querySelectorAll("main, dialog")]
		.flatMap((each) => {
			const of = (which, isCut) => [...each.querySelectorAll(which)]
				.filter((one) => one.checkVisibility() && isCut(one.getBoundingClientRect()))
				.map((one) => one.localName + "." + one.className + " " + one.innerText);
			const { left } = each.getBoundingClientRect();
			const cut = each.localName === "dialog" ? of("button, input", (box) => box.left < left + 8) : [];
			const isWide = each.scrollWidth > each.clientWidth;
			return isWide ? [each.localName, ...of("*", (box) => box.right > innerWidth), ...cut] : cut;
		})`);
	assert.deepEqual(wide, [], `at ${width} px`);
}

/** Takes screenshots in both themes into the folder SCREENSHOTS, if it is set. */
export async function takeScreenshots(
	page: Page,
	name: string,
	language: string,
	width: number,
): Promise<void> {
	if (SCREENSHOTS_FOLDER === undefined) return;
	mkdirSync(SCREENSHOTS_FOLDER, { recursive: true });
	// A dialog covers only the viewport.
	const fullPage = !(await page.getByRole("dialog").isVisible());
	if (fullPage) await page.evaluate("scrollTo(0, 0)");
	for (const colorScheme of ["dark", "light"] as const) {
		await page.emulateMedia({ colorScheme });
		const path = join(SCREENSHOTS_FOLDER, `${name}-${language}-${colorScheme}-${width}.png`);
		await page.screenshot({ path, fullPage, animations: "disabled" });
	}
}

/** Collects the service's responses, whose texts are shown untranslated. */
export function collectAnswers(page: Page, answers: string[]): void {
	page.on("response", (response) => {
		if (!response.url().includes("/gui/")) return;
		// An aborted response has no body.
		response.text().then(
			(text) => answers.push(text),
			() => {},
		);
	});
}

const NAMED = "h1, h2, h3, button, label, legend, th, dt, summary, caption, option, nav a, a.button, .badge";
/** Words that are the same in every language. */
const NAMES = [
	...["Tripline", "Webhook", "Ctrl", "Enter", "Esc", "SHA-256", "input", "entity", "note", "triplet"],
	...["JSON", "HTML", "GET"],
	...SENDERS.map(({ title }) => title),
	...FACTS.flat(),
];

/** Asserts that headings, buttons, labels and the like are translated, except for texts from the service. */
export async function assertTranslated(page: Page, answers: readonly string[]): Promise<void> {
	const words =
		(await page.evaluate(`[...document.body.querySelectorAll(":is(${NAMED}, [aria-label], [placeholder])")]
		.filter((each) => each.closest("pre, code, kbd, [role=img], body [lang]") === null)
		.flatMap((each) => [
			...(each.matches("${NAMED}") ? [each.innerText] : []),
			each.getAttribute("aria-label"),
			each.getAttribute("placeholder"),
		])`)) as (string | null)[];
	const isFromService = (text: string) =>
		[text, text.toLowerCase().replaceAll(" ", "_")].some((each) =>
			answers.some((answer) => answer.includes(JSON.stringify(each).slice(1, -1))),
		);
	const foreign = words.filter((text) => {
		if (text === null || /\p{Script=Han}/u.test(text)) return false;
		const rest = NAMES.reduce((left, name) => left.replaceAll(name, ""), text);
		return /[A-Za-z]{3}/.test(rest) && !text.split("\n").every((line) => isFromService(line.trim()));
	});
	assert.deepEqual(foreign, []);
}
