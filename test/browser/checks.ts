import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { FACTS } from "./seed.ts";

const PICTURES = process.env.SCREENSHOTS;

/** What every page has, whatever it shows. */
export async function assertSound(page: Page, language: string): Promise<void> {
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
	// A heading may have more beside it, such as where a component comes from.
	assert.ok(headings[0]?.startsWith(title.replace(/ · Tripline$/, "")), `${headings[0]} is titled ${title}`);
	assert.equal(lang, language);
	assert.deepEqual(broken, []);
}

/** Nothing is wider than the screen or leaves its dialog at the left, unless it scrolls by itself. */
export async function assertFits(page: Page, width: number): Promise<void> {
	await page.setViewportSize({ width, height: width < 600 ? 780 : 860 });
	// What measures itself has been drawn again by then.
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

/** Pictures in both themes, where somebody wants to look: SCREENSHOTS names the folder. */
export async function pictured(page: Page, name: string, language: string, width: number): Promise<void> {
	if (PICTURES === undefined) return;
	mkdirSync(PICTURES, { recursive: true });
	// A dialog lies over what is in view.
	const fullPage = !(await page.getByRole("dialog").isVisible());
	if (fullPage) await page.evaluate("scrollTo(0, 0)");
	for (const colorScheme of ["dark", "light"] as const) {
		await page.emulateMedia({ colorScheme });
		const path = join(PICTURES, `${name}-${language}-${colorScheme}-${width}.png`);
		await page.screenshot({ path, fullPage, animations: "disabled" });
	}
}

/** Keeps what the service answers to a page: its words are shown as they are. */
export function saidBy(page: Page, answers: string[]): void {
	page.on("response", (response) => {
		if (!response.url().includes("/gui/")) return;
		// Of an answer that was no longer wanted there is no body.
		response.text().then(
			(text) => answers.push(text),
			() => {},
		);
	});
}

const NAMED = "h1, h2, h3, button, label, legend, th, dt, summary, caption, option, nav a, a.button, .badge";
/** The same in every language: names, and what the service calls things. */
const NAMES = [
	...["Tripline", "Webhook", "Ctrl", "Enter", "Esc", "SHA-256", "input", "entity", "note", "triplet"],
	...FACTS.flat(),
];

/** What a page is made of is in its language: headings, buttons, labels and the like, but for what the service says. */
export async function assertTranslated(page: Page, answers: readonly string[]): Promise<void> {
	const words =
		(await page.evaluate(`[...document.body.querySelectorAll(":is(${NAMED}, [aria-label], [placeholder])")]
		.filter((each) => each.closest("pre, code, kbd, [role=img], body [lang]") === null)
		.flatMap((each) => [
			...(each.matches("${NAMED}") ? [each.innerText] : []),
			each.getAttribute("aria-label"),
			each.getAttribute("placeholder"),
		])`)) as (string | null)[];
	const isSaid = (text: string) =>
		[text, text.toLowerCase().replaceAll(" ", "_")].some((each) =>
			answers.some((answer) => answer.includes(JSON.stringify(each).slice(1, -1))),
		);
	const foreign = words.filter((text) => {
		if (text === null || /\p{Script=Han}/u.test(text)) return false;
		const rest = NAMES.reduce((left, name) => left.replaceAll(name, ""), text);
		return /[A-Za-z]{3}/.test(rest) && !text.split("\n").every((line) => isSaid(line.trim()));
	});
	assert.deepEqual(foreign, []);
}
