import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderMarkdown } from "../../src/forms/markdown.ts";

const render = (text: string) => renderMarkdown(text).text.trim();

describe("Markdown of a question", () => {
	test("has paragraphs, line breaks, bold, italic and code", () => {
		assert.equal(
			render("Pay **250** to *Ada* or _Bob_?\nSee `R-17`.\n\nThanks"),
			"<p>Pay <strong>250</strong> to <em>Ada</em> or <em>Bob</em>?<br>See <code>R-17</code>.</p>\n<p>Thanks</p>",
		);
	});

	test("has lists and headings", () => {
		assert.equal(
			render("## Items\n- one\n- two\n1. first\n2. second\ntext"),
			"<h2>Items</h2>\n<ul><li>one</li><li>two</li></ul>\n<ol><li>first</li><li>second</li></ol>\n<p>text</p>",
		);
	});

	test("links only to web addresses", () => {
		assert.equal(
			render("[here](https://example.com/a?b=1&c)"),
			'<p><a href="https://example.com/a?b=1&amp;c" rel="noreferrer noopener" target="_blank">here</a></p>',
		);
		for (const address of ["javascript:alert", "data:text/html,x", "//evil", "ftp://x", "https://"])
			assert.equal(render(`[x](${address})`), `<p>[x](${address})</p>`);
	});

	test("shows markup, quotes and what is not closed as they are written", () => {
		assert.equal(
			render(`<script>alert("1")</script> **open *and \`this`),
			"<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; **open *and `this</p>",
		);
		assert.equal(
			render('[a"onclick="x](https://e.com/"onmouseover="y)'),
			'<p><a href="https://e.com/&quot;onmouseover=&quot;y" rel="noreferrer noopener" target="_blank">a&quot;onclick=&quot;x</a></p>',
		);
		assert.ok(!/<(?!\/?(?:p|br|strong|em|code)>)/.test(render("**<b>** *<i>* `<img src=x>` <svg/onload=x>")));
	});

	test("takes a hostile text in a moment", () => {
		for (const piece of ["*", "**", "_", "[", "[a](", "`", "- ", "1. ", "# ", "[a](https://x", "**a*"]) {
			const text = piece.repeat(4_000 / piece.length);
			const started = performance.now();
			render(text);
			assert.ok(performance.now() - started < 100, piece);
		}
	});
});
