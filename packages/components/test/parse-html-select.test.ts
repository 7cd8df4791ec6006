import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { listProblems, runForError, runForOutput, runNode } from "./run-node.ts";

const select = (html: string, selections: { [name: string]: Json }) =>
	runForOutput("parse", { format: "html", text: "{{input.html}}", select: selections }, { input: { html } });
/** The attribute `n` of all elements that match. */
const findAll = async (html: string, selector: string): Promise<string> => {
	const { found } = (await select(html, { found: { all: selector, attribute: "n" } })) as { found: string[] };
	return found.join(" ");
};

describe("parse html with select", () => {
	const shop = `<title>Shop</title><h1>Tea &amp; <b>cups</b></h1>
		<ul id=teas><li class="tea new"><a href="/green" title=Green>Green<br>tea</a> <i>3 €</i>
		<li class=tea><a>Black</a></ul><script type="application/ld+json">{ "a":  "b  c" }</script>`;

	test("gives text, null, lists, attributes and HTML", async () => {
		assert.deepEqual(
			await select(shop, {
				heading: "h1",
				title: "title",
				missing: "h2",
				none: { all: "h2" },
				prices: { all: "li i" },
				links: { all: "li > a", attribute: "HREF" },
				link: { first: "[title]", html: true },
				data: "script[type='application/ld+json']",
				teas: "#teas",
			}),
			{
				heading: "Tea & cups",
				title: "Shop",
				missing: null,
				none: [],
				prices: ["3 €"],
				links: ["/green", null],
				link: '<a href="/green" title=Green>Green<br>tea</a>',
				data: '{ "a":  "b  c" }',
				teas: "Green\ntea 3 €\nBlack",
			},
		);
	});

	test("selects fields inside each element, and the element itself with :scope", async () => {
		const html = "<div n=1><p>a<b>x</b></p><div n=2><b>y</b></div></div>";
		assert.deepEqual(
			await select(html, {
				all: {
					all: "div",
					fields: {
						n: { first: ":scope", attribute: "n" },
						own: { all: "> b" },
						any: { all: "b" },
						inner: { first: "div", fields: { n: { first: ":scope", attribute: "n" } } },
					},
				},
			}),
			{
				all: [
					{ n: "1", own: [], any: ["x", "y"], inner: { n: "2" } },
					{ n: "2", own: ["y"], any: ["y"], inner: null },
				],
			},
		);
	});

	test("leaves the text of scripts, styles and titles out of the text around them", async () => {
		const html =
			"<body>a<script>b</script><style>c</style><svg><title>d</title></svg><noscript>e</noscript>f";
		assert.deepEqual(await select(html, { body: "body", style: "style" }), { body: "af", style: "c" });
	});

	const list =
		"<ul n=u class='a  b'><li n=1 lang=en-US>x<li n=2 id=two class=a><b n=b></b><li n=3 title='one two'>y<p n=p>z<li n=4 title=Two></ul><ol n=o></ol>";
	const matches: [selector: string, found: string][] = [
		["li", "1 2 3 4"],
		["UL > LI", "1 2 3 4"],
		["ol, ul", "u o"],
		["ul *", "1 2 b 3 p 4"],
		[".a", "u 2"],
		[".a.b", "u"],
		["#two", "2"],
		["#two ~ li", "3 4"],
		["#two+li", "3"],
		["ul ~ ol", "o"],
		["ul li p", "p"],
		["ol p", ""],
		["[title]", "3 4"],
		["[title=Two]", "4"],
		['[title="two" i]', "4"],
		["[title~=two]", "3"],
		["[lang|=en]", "1"],
		["[title^='one']", "3"],
		["[title$=wo]", "3 4"],
		["[title*='e t']", "3"],
		["[title*='']", ""],
		["li:first-child", "1"],
		["li:last-child", "4"],
		["li:nth-child(odd)", "1 3"],
		["li:nth-child( 2n )", "2 4"],
		["li:nth-child(-n + 2)", "1 2"],
		["li:nth-last-child(2)", "3"],
		["b:only-child", "b"],
		["p:first-of-type", "p"],
		["ul li:not(.a, [title])", "1"],
		["li:not(:first-child):not(:last-child)", "2 3"],
		[":is(ol, b):empty", "b o"],
		["li:has(> b)", "2"],
		["li:has(+ #two)", "1"],
		["li:has(p, b)", "2 3"],
		["html > body > ul", "u"],
		[":root ol", "o"],
		["\\75l", "u"],
	];
	for (const [selector, found] of matches) {
		test(`finds ${selector}`, async () => assert.equal(await findAll(list, selector), found));
	}

	const pages: [html: string, selector: string, found: string][] = [
		["<table><tr n=1><td n=2>a<td n=3>b<tr><td n=4></table>", "table > tbody > tr > td:nth-child(1)", "2 4"],
		["<p n=1>a<div n=2>b</div><p n=3>", "body > p, body > div", "1 2 3"],
		["<dl><dt n=1>a<dd n=2>b<dt n=3>c</dl>", "dl > *", "1 2 3"],
		["<select><option n=1>a<option n=2>b</select>", "option + option", "2"],
		["<a n=1>x<a n=2>y", "body > a", "1 2"],
		["<br n=1><img n=2 /><input n=3>x", "body > *", "1 2 3"],
		["<svg><path n=1 /><path n=2 /></svg>", "svg > path", "1 2"],
		["<tr n=1><td n=2>a<td n=3>b", "tr > td", "2 3"],
		["<meta n=1><p n=2>a<meta n=3>", "head > meta, p > meta", "1 3"],
		["<div n=1></span></b></div><p n=2>", "div + p", "2"],
	];
	for (const [html, selector, found] of pages) {
		test(`reads ${html} as browsers do`, async () => assert.equal(await findAll(html, selector), found));
	}

	const wrong: [selections: Json, problem: string][] = [
		[
			{ a: "td..b" },
			'parameter "select.a" is not a CSS selector: expected the name of a class (character 4)',
		],
		[
			{ a: { all: "a >" } },
			'parameter "select.a.all" is not a CSS selector: expected an element such as h1 or .price, not the end (character 4)',
		],
		[{ a: "a, " }, "expected an element such as h1 or .price, not the end (character 4)"],
		[{ a: "a b)" }, 'unexpected ")" (character 4)'],
		[{ a: "[a=1]" }, "expected a value; put it in quotes (character 4)"],
		[{ a: "[a='1]" }, "expected a value"],
		[{ a: "a:hover" }, "there is no :hover here; there are first-child,"],
		[{ a: "a:x\\d y" }, "there is no :x\\d y here; there are first-child,"],
		[{ a: "a::text" }, "pseudo-elements such as ::text are not supported"],
		[{ a: ":nth-child(x)" }, "expected a position such as 2, odd or 3n+1 (character 12)"],
		[{ a: ":not(a" }, "expected ) (character 7)"],
		[{ a: "svg|a" }, "namespaces are not supported"],
		[{ a: `${":not(".repeat(20)}a` }, "too many parentheses inside each other"],
		[{ a: "a".repeat(1_001) }, "longer than 1000 characters"],
		[{ a: "" }, "not the end (character 1)"],
		[{}, 'parameter "select" must not be empty'],
		["h1", "must be an object"],
		[{ a: 1 }, 'parameter "select.a" must be a CSS selector, or'],
		[{ a: { selector: "b" } }, 'parameter "select.a.selector" is not known here'],
		[{ a: { attribute: "b" } }, 'parameter "select.a" must have either first or all'],
		[{ a: { first: "b", all: "b" } }, "must have either first or all"],
		[{ a: { all: "b", html: false } }, 'parameter "select.a.html" must be true or left out'],
		[{ a: { all: "b", attribute: "c", html: true } }, "at most one of attribute, html and fields"],
		[{ a: { all: "b", fields: { c: "!" } } }, 'parameter "select.a.fields.c" is not a CSS selector'],
		[{ a: { all: "b", fields: {} } }, 'parameter "select.a.fields" must not be empty'],
		[Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`n${at}`, "a"])), "at most 100 names"],
	];
	for (const [selections, problem] of wrong) {
		test(`refuses ${JSON.stringify(selections).slice(0, 60)} when it is saved`, () => {
			const problems = listProblems("parse", { format: "html", text: "{{input.html}}", select: selections });
			assert.ok(problems.join("; ").includes(problem), problems.join("; "));
		});
	}

	test("checks a selector from a template when it runs", async () => {
		const params = { format: "html", text: "<b>x</b>", select: { a: "{{input.selector}}" } };
		assert.deepEqual(await runForOutput("parse", params, { input: { selector: "b" } }), { a: "x" });
		assert.match(
			await runForError("parse", params, { input: { selector: "b[" } }),
			/"select.a" is not a CSS selector: expected the name of an attribute/,
		);
	});

	test("__proto__ is an ordinary name", async () => {
		const selections = JSON.parse('{ "__proto__": "b" }');
		assert.equal(JSON.stringify(await select("<b>x</b>", selections)), '{"__proto__":"x"}');
	});

	test("elements inside each other do not make a value that is too large", async () => {
		const html = `${"<div>".repeat(400)}${"x".repeat(100_000)}`;
		assert.match(
			await runForError("parse", { format: "html", text: html, select: { a: { all: "div" } } }),
			/the selected values are larger than 8388608 characters together; select less/,
		);
	});

	test("any text and any selector give a value or a clear error", async () => {
		const tag = fc.constantFrom(
			"p",
			"div",
			"table",
			"tr",
			"td",
			"li",
			"a",
			"b",
			"svg",
			"script",
			"title",
			"html",
			"body",
			"head",
			"select",
			"option",
			"button",
		);
		const piece = fc.oneof(
			tag.map((name) => `<${name} class="a b" id=x>`),
			tag.map((name) => `</${name}>`),
			fc.constantFrom(" text ", "<", "<!--", "-->", "&amp;", "<br/>", "'", '"'),
		);
		const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
		const word = fc.constantFrom(
			..."*.#:[]()=~^$|>+, \\\"'an1-é\n".split(""),
			"div",
			":not(",
			":has(",
			":nth-child(2n+1)",
			"[a='b' i]",
			":scope",
		);
		const selector = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(""));
		await fc.assert(
			fc.asyncProperty(html, selector, async (text, given) => {
				const outcome = await runNode(
					"parse",
					{
						format: "html",
						text: "{{input.text}}",
						select: { all: { all: "*", html: true }, found: "{{input.given}}" },
					},
					{ input: { text, given } },
				);
				if ("error" in outcome) assert.match(outcome.error, /is not a CSS selector: .+ \(character \d+\)/);
			}),
			{ numRuns: 500 },
		);
	});
});
