import { text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const markdownToHtml = code({
	id: "markdown_to_html",
	title: "Markdown to HTML",
	description: `Makes HTML of Markdown, for mails and pages: headings, paragraphs, bold, italic, struck text, code, links, images, lists within lists, quotes, tables and rules.

The result is safe to show even if strangers wrote the text: HTML in it is shown as text, and links and images lead only to \`http\`, \`https\` and \`mailto\` addresses. Use it on what a language model wrote before it goes into a mail.

It is a subset: no footnotes, no reference links, no HTML blocks, and code blocks only between fences. Lists and quotes nest at most 8 deep.`,
	tags: ["markdown", "html", "mail"],
	params: params({ markdown: text("The Markdown", { maxLength: 50_000 }) }, ["markdown"]),
	output: text("The HTML"),
	code: String.raw`
const FENCE = /^ {0,3}(\x60{3,}|~{3,}) *([\w+#.-]*)/;
const ITEM = /^( *)(?:([-*+])|(\d{1,9})[.)]) +(.*)$/;
const MOST_NESTED = 8;
return blocks(input.markdown.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n"), 0);

function blocks(lines, depth) {
	const html = [];
	let at = 0;
	while (at < lines.length) {
		const [block, next] = blockAt(lines, at, depth);
		if (block !== "") html.push(block);
		at = next;
	}
	return html.join("\n");
}

/** The block that begins at a line, and where the next one begins. */
function blockAt(lines, at, depth) {
	const line = lines[at];
	if (line.trim() === "") return ["", at + 1];
	const fence = FENCE.exec(line);
	if (fence) return fenced(lines, at, fence);
	const heading = /^ {0,3}(#{1,6})(?: +(.*?))?(?: +#+)? *$/.exec(line);
	if (heading) {
		const tag = "h" + heading[1].length;
		return ["<" + tag + ">" + inline(heading[2] ?? "") + "</" + tag + ">", at + 1];
	}
	if (isRule(line)) return ["<hr>", at + 1];
	if (/^ {0,3}>/.test(line) && depth < MOST_NESTED) return quote(lines, at, depth);
	if (ITEM.test(line) && depth < MOST_NESTED) return items(lines, at, depth);
	if (isTable(lines, at)) return table(lines, at);
	return paragraph(lines, at, depth);
}

function isRule(line) {
	const marks = line.replaceAll(" ", "");
	return marks.length >= 3 && (/^-+$/.test(marks) || /^\*+$/.test(marks) || /^_+$/.test(marks));
}

function fenced(lines, at, [, fence, language]) {
	const isEnd = (line) => line.trim().length >= fence.length && line.trim() === fence[0].repeat(line.trim().length);
	let end = at + 1;
	while (end < lines.length && !isEnd(lines[end])) end++;
	const kind = language === "" ? "" : ' class="language-' + escape(language) + '"';
	const content = lines.slice(at + 1, end).map((line) => escape(line) + "\n");
	return ["<pre><code" + kind + ">" + content.join("") + "</code></pre>", end + 1];
}

function quote(lines, at, depth) {
	let end = at;
	while (end < lines.length && /^ {0,3}>/.test(lines[end])) end++;
	const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
	return ["<blockquote>\n" + blocks(inner, depth + 1) + "\n</blockquote>", end];
}

function items(lines, at, depth) {
	const [, indent, , first] = ITEM.exec(lines[at]);
	const isOrdered = first !== undefined;
	const html = [];
	let place = at;
	while (place < lines.length) {
		const item = ITEM.exec(lines[place]);
		if (!item || item[1].length > indent.length + 1 || (item[3] !== undefined) !== isOrdered) break;
		if (item[1].length < indent.length || isRule(lines[place])) break;
		const width = lines[place].length - item[4].length;
		const inner = [item[4]];
		place++;
		while (place < lines.length && belongs(lines, place, item[1].length)) {
			inner.push(lines[place].slice(Math.min(width, lines[place].search(/\S|$/))));
			place++;
		}
		while (inner.at(-1)?.trim() === "") inner.pop();
		const isTight = !inner.includes("");
		const content = blocks(inner, depth + 1);
		html.push("<li>" + (isTight ? content.replace(/^<p>([\s\S]*?)<\/p>/, "$1") : content) + "</li>");
	}
	const start = isOrdered && Number(first) !== 1 ? ' start="' + Number(first) + '"' : "";
	const tag = isOrdered ? "ol" : "ul";
	return ["<" + tag + start + ">\n" + html.join("\n") + "\n</" + tag + ">", place];
}

/** Whether a line is inside of the item that begins at that indent. */
function belongs(lines, place, indent) {
	const line = lines[place];
	if (line.trim() === "") {
		const next = lines[place + 1];
		return next !== undefined && next.trim() !== "" && next.search(/\S/) > indent;
	}
	if (line.search(/\S/) > indent) return true;
	return lines[place - 1].trim() !== "" && !ITEM.test(line) && !startsBlock(line);
}

function startsBlock(line) {
	return /^ {0,3}(?:#{1,6}(?: |$)|>|\x60{3}|~{3})/.test(line) || isRule(line);
}

function isTable(lines, at) {
	const rule = lines[at + 1];
	return lines[at].includes("|") && rule !== undefined && rule.includes("|") && /^[\s|:-]*-[\s|:-]*$/.test(rule);
}

function table(lines, at) {
	const aligns = cells(lines[at + 1]).map((mark) =>
		mark.endsWith(":") ? (mark.startsWith(":") ? "center" : "right") : "",
	);
	let end = at + 2;
	while (end < lines.length && lines[end].includes("|") && lines[end].trim() !== "") end++;
	const row = (tag) => (line) => {
		const values = cells(line);
		const written = aligns.map((align, column) => {
			const style = align === "" ? "" : ' style="text-align: ' + align + '"';
			return "<" + tag + style + ">" + inline(values[column] ?? "") + "</" + tag + ">";
		});
		return "<tr>" + written.join("") + "</tr>";
	};
	const body = lines.slice(at + 2, end).map(row("td"));
	const tbody = body.length === 0 ? "" : "<tbody>\n" + body.join("\n") + "\n</tbody>\n";
	return ["<table>\n<thead>\n" + row("th")(lines[at]) + "\n</thead>\n" + tbody + "</table>", end];
}

function cells(line) {
	const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
	return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function paragraph(lines, at, depth) {
	let end = at + 1;
	while (end < lines.length && lines[end].trim() !== "" && !startsBlock(lines[end])) {
		if (ITEM.test(lines[end]) && depth < MOST_NESTED) break;
		end++;
	}
	const text = lines
		.slice(at, end)
		.map((line) => line.trimStart().replace(/(?: {2,}|\\)$/, "\x00").trimEnd())
		.join("\n");
	return ["<p>" + inline(text) + "</p>", end];
}

/** Code, links and images are set aside first, so that nothing in them is read as emphasis. */
function inline(given) {
	const kept = [];
	const keep = (html) => "\x01" + (kept.push(html) - 1) + "\x02";
	const text = given
		.replace(/[\x01\x02]/g, "")
		.replace(/\x60([^\x60]+)\x60/g, (all, code) => keep("<code>" + escape(code.trim()) + "</code>"))
		.replace(/\\([!-\/:-@\[-\x60{-~])/g, (all, mark) => keep(escape(mark)))
		.replace(/!\[([^\[\]]*)\]\(([^()\s]*)\)/g, (all, alt, url) =>
			isSafe(url) ? keep('<img src="' + escape(url) + '" alt="' + escape(alt) + '">') : all,
		)
		.replace(/\[([^\[\]]*)\]\(([^()\s]*)\)/g, (all, label, url) =>
			isSafe(url) ? keep('<a href="' + escape(url) + '">') + label + keep("</a>") : all,
		)
		.replace(/<((?:https?:\/\/|mailto:)[^<>\s]+)>/g, (all, url) =>
			keep('<a href="' + escape(url) + '">' + escape(url) + "</a>"),
		);
	return emphasis(escape(text))
		.replace(/\x00/g, "<br>")
		.replace(/\x01(\d+)\x02/g, (all, place) => restored(kept, Number(place)));
}

/** An image in a link's text was set aside before the link. */
function restored(kept, place) {
	return kept[place].replace(/\x01(\d+)\x02/g, (all, inner) => kept[Number(inner)]);
}

function emphasis(text) {
	return text
		.replace(/\*\*(?=\S)([^*]+)(?<=\S)\*\*/g, "<strong>$1</strong>")
		.replace(/(?<![\p{L}\p{N}_])__(?=\S)([^_]+)(?<=\S)__(?![\p{L}\p{N}_])/gu, "<strong>$1</strong>")
		.replace(/\*(?=\S)([^*]+)(?<=\S)\*/g, "<em>$1</em>")
		.replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_]+)(?<=\S)_(?![\p{L}\p{N}_])/gu, "<em>$1</em>")
		.replace(/~~(?=\S)([^~]+)(?<=\S)~~/g, "<del>$1</del>");
}

function isSafe(url) {
	return /^(?:https?:\/\/|mailto:)/i.test(url);
}

function escape(text) {
	return text.replace(/[&<>"']/g, (character) => "&#" + character.charCodeAt(0) + ";");
}
`,
	examples: [
		{
			title: "A short mail",
			params: {
				markdown:
					"# Report\n\nAll **good**, see [the *page*](https://example.com/a_b_c).\n\n- one\n- two\n  1. inner\n",
			},
			output:
				'<h1>Report</h1>\n<p>All <strong>good</strong>, see <a href="https://example.com/a_b_c">the <em>page</em></a>.</p>\n<ul>\n<li>one</li>\n<li>two\n<ol>\n<li>inner</li>\n</ol></li>\n</ul>',
		},
		{
			title: "A table and code",
			params: { markdown: "| item | price |\n|---|--:|\n| tea | 3 |\n\n```js\nif (a < b) {}\n```" },
			output:
				'<table>\n<thead>\n<tr><th>item</th><th style="text-align: right">price</th></tr>\n</thead>\n<tbody>\n<tr><td>tea</td><td style="text-align: right">3</td></tr>\n</tbody>\n</table>\n<pre><code class="language-js">if (a &#60; b) {}\n</code></pre>',
		},
		{
			title: "What strangers wrote does no harm",
			params: { markdown: "<script>alert(1)</script> [click](javascript:alert(1)) `<b>`" },
			output:
				"<p>&#60;script&#62;alert(1)&#60;/script&#62; [click](javascript:alert(1)) <code>&#60;b&#62;</code></p>",
		},
	],
});
