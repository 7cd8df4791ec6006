import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { consentPage } from "../../src/pages/consent.ts";
import { problemPage } from "../../src/pages/problem.ts";
import { STYLE } from "../../src/pages/style.ts";
import { joinText, parseElements, toSkeleton } from "./markup.ts";

const pages = {
	consent: consentPage({
		clientName: null,
		clientHost: null,
		isConsole: false,
		redirectHost: "localhost",
		namespace: "default",
		hidden: {},
		problem: null,
		days: 30,
	}),
	problem: problemPage({
		title: "No such client",
		message: "Nothing is known of it.",
		hint: "Try again.",
		status: 400,
	}),
};

for (const [name, { html, headers }] of Object.entries(pages)) {
	test(`the policy of the ${name} page allows only its own style, by hash`, () => {
		const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = ""]) => style);
		assert.equal(styles.length, 1);
		const hash = createHash("sha256").update(styles.join("")).digest("base64");
		assert.equal(
			headers["content-security-policy"],
			`default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
			"write this hash into style.ts",
		);
	});

	test(`the ${name} page must not be cached, framed or sniffed`, () => {
		const { "content-security-policy": _, ...others } = headers;
		assert.deepEqual(others, {
			"content-type": "text/html; charset=utf-8",
			"referrer-policy": "same-origin",
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
			"x-frame-options": "DENY",
		});
	});

	test(`the ${name} page has no script, no inline style and no external resource`, () => {
		for (const { tag, attributes } of parseElements(html)) {
			assert.ok(!["script", "iframe", "object", "base", "img"].includes(tag), tag);
			for (const [attribute, value] of attributes) {
				assert.ok(attribute !== "style" && !attribute.startsWith("on"), attribute);
				if (["href", "src", "action"].includes(attribute))
					assert.match(value, /^(?:\/authorize$|data:image\/svg)/);
			}
		}
		assert.doesNotMatch(STYLE, /url\(|@import|[<&]/);
	});

	test(`the ${name} page has a language, a title, landmarks and one first-level heading`, () => {
		const elements = parseElements(html);
		const count = (tag: string): number => elements.filter((element) => element.tag === tag).length;
		assert.equal(elements[0]?.attributes.get("lang"), "en");
		assert.deepEqual(["title", "header", "main", "h1"].map(count), [1, 1, 1, 1]);
		for (const { tag, attributes } of elements) {
			if (tag === "svg") assert.equal(attributes.get("aria-hidden"), "true");
		}
	});
}

test("a problem page says what is wrong and what to do", () => {
	const text = joinText(parseElements(pages.problem.html));
	for (const said of ["No such client", "Nothing is known of it.", "Try again.", "Error 400"]) {
		assert.ok(text.includes(said), said);
	}
	const hostile = '<script>"&\u202E';
	const page = problemPage({ title: hostile, message: hostile.repeat(1_000), hint: hostile, status: 400 });
	assert.deepEqual(toSkeleton(parseElements(page.html)), toSkeleton(parseElements(pages.problem.html)));
	assert.ok(page.html.length < pages.problem.html.length + 10_000);
});

test("a problem page without a hint has no hint element", () => {
	const { html } = problemPage({ title: "T", message: "M", hint: null, status: 503 });
	assert.ok(!html.includes('class="soft hint"'));
});

const PAIRS = [
	["ink", "card", 4.5],
	["ink", "back", 4.5],
	["soft", "card", 4.5],
	["accent", "card", 4.5],
	["bad", "card", 4.5],
	["good", "card", 3],
	["edge", "card", 3],
	["on-accent", "accent", 4.5],
	["on-accent", "hover", 4.5],
] as const;

for (const [theme, index] of [
	["light", 0],
	["dark", 1],
] as const) {
	test(`the ${theme} theme has sufficient contrast (WCAG AA)`, () => {
		const colors = [...STYLE.matchAll(/:root \{(.*?)\}/gs)][index]?.[1] ?? "";
		const color = (name: string): number => {
			const hex = new RegExp(`--${name}: #([0-9a-f]{3,6});`).exec(colors)?.[1];
			assert.ok(hex, name);
			return luminance(hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex);
		};
		for (const [front, back, least] of PAIRS) {
			const [light, dark] = [color(front), color(back)].sort((a, b) => b - a) as [number, number];
			const contrast = (light + 0.05) / (dark + 0.05);
			assert.ok(contrast >= least, `${front} on ${back}: ${contrast.toFixed(2)}`);
		}
	});
}

function luminance(hex: string): number {
	const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
		const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
