import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { selectHtml } from "@tripline/components/parse/select-html";
import { Meter } from "@tripline/engine/meter";
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { launchChromium, NO_BROWSER } from "./chromium.ts";

/** Each `@` becomes a number, so that both sides can name the elements that match. */
const attributes = fc
	.tuple(
		fc.constantFrom("", "", ' class="a"', ' class="b  a"', " class=c"),
		fc.constantFrom("", "", "", ' title="one two"', " title=en-US", ' title=""'),
	)
	.map(([css, title]) => ` n=@${css}${title}`);

const wrap = (name: string, content: fc.Arbitrary<string>) =>
	fc.tuple(attributes, content).map(([given, inside]) => `<${name}${given}>${inside}</${name}>`);
/** An element whose end tag may be left out. */
const wrapLoosely = (name: string, content: fc.Arbitrary<string>) =>
	fc
		.tuple(attributes, content, fc.boolean())
		.map(([given, inside, isClosed]) => `<${name}${given}>${inside}${isClosed ? `</${name}>` : ""}`);
const join = (item: fc.Arbitrary<string>) => fc.array(item, { maxLength: 4 }).map((items) => items.join(""));

const { page: pages } = fc.letrec<{ page: string; flow: string; inline: string }>((tie) => ({
	page: fc.array(tie("flow"), { minLength: 1, maxLength: 5 }).map((parts) => {
		let number = 0;
		return `<!doctype html>${parts.join("").replace(/@/g, () => String(++number))}`;
	}),
	flow: fc.oneof(
		{ depthSize: "small" },
		tie("inline"),
		...["div", "section", "x-card", "article"].map((name) => wrap(name, join(tie("flow")))),
		wrap("h2", join(tie("inline"))),
		wrapLoosely("p", join(tie("inline"))),
		wrap("ul", join(wrapLoosely("li", join(tie("flow"))))),
		wrap("dl", join(fc.oneof(wrapLoosely("dt", tie("inline")), wrapLoosely("dd", tie("flow"))))),
		wrap("select", join(wrapLoosely("option", fc.constant("o")))),
		wrap(
			"table",
			join(
				wrapLoosely("tr", join(fc.oneof(wrapLoosely("td", tie("flow")), wrapLoosely("th", tie("inline"))))),
			),
		),
	),
	inline: fc.oneof(
		{ depthSize: "small" },
		fc.constantFrom("text ", "<br n=@>", "<img n=@>"),
		...["span", "b", "em", "a"].map((name) => wrap(name, fc.constantFrom("", "t", "<br n=@>"))),
	),
}));

const { selector: selectors } = fc.letrec<{
	selector: string;
	complex: string;
	compound: string;
	test: string;
}>((tie) => ({
	selector: fc.array(tie("complex"), { minLength: 1, maxLength: 2 }).map((list) => list.join(", ")),
	complex: fc
		.tuple(
			tie("compound"),
			fc.array(fc.tuple(fc.constantFrom(" ", ">", " + ", " ~ "), tie("compound")), { maxLength: 2 }),
		)
		.map(([first, rest]) => first + rest.flat().join("")),
	compound: fc
		.tuple(
			fc.constantFrom(
				"*",
				"div",
				"p",
				"li",
				"td",
				"tr",
				"tbody",
				"b",
				"a",
				"body",
				"dd",
				"option",
				"DIV",
				"x-card",
			),
			fc.array(tie("test"), { maxLength: 2, size: "xsmall" }),
		)
		.map(([type, tests]) => type + tests.join("")),
	test: fc.oneof(
		{ depthSize: "xsmall" },
		fc.constantFrom(
			".a",
			".b",
			".c",
			"[title]",
			"[title~=two]",
			"[title|=en]",
			"[title^=o]",
			"[title*='']",
			"[n$='3']",
			"[title='EN-us' i]",
		),
		fc.constantFrom(
			":first-child",
			":last-child",
			":only-child",
			":first-of-type",
			":only-of-type",
			":empty",
		),
		fc
			.tuple(
				fc.constantFrom("child", "last-child", "of-type", "last-of-type"),
				fc.constantFrom("odd", "2", "2n", "-n+2", "3n-1", " n + 2 ", "0"),
			)
			.map(([kind, position]) => `:nth-${kind}(${position})`),
		fc
			.tuple(fc.constantFrom("is", "not", "where"), tie("selector"))
			.map(([name, inside]) => `:${name}(${inside})`),
		// Browsers do not allow :has() inside :has().
		fc.constantFrom(":has(b)", ":has(> .a)", ":has(+ p)", ":has(~ div b)", ":has(li:first-child, td > *)"),
	),
}));

describe("selectors", { skip: NO_BROWSER }, () => {
	let browser: Browser;
	let page: Page;
	before(async () => {
		browser = await launchChromium();
		page = await browser.newPage();
	});
	after(() => browser?.close());

	test("find the same elements as Chromium does", async () => {
		await fc.assert(
			fc.asyncProperty(pages, fc.array(selectors, { minLength: 20, maxLength: 20 }), async (html, list) => {
				const names = Object.fromEntries(list.map((selector, at) => [at, { all: selector, attribute: "n" }]));
				const ours = Object.values(selectHtml(html, names, new Meter(1e9)) as object);
				const theirs = await page.evaluate(`(${FIND})(${JSON.stringify({ html, list })})`);
				assert.deepEqual(ours, theirs);
			}),
			{ numRuns: 200 },
		);
	});
});

/** Runs in the browser. */
const FIND = `({ html, list }) => {
	const parsed = new DOMParser().parseFromString(html, "text/html");
	return list.map((selector) => [...parsed.querySelectorAll(selector)].map((element) => element.getAttribute("n")));
}`;
