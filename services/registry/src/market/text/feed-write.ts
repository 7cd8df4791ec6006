import { list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const feedWrite = code({
	id: "feed_write",
	title: "Write a feed",
	description: `Makes an RSS 2.0 feed that people can subscribe to, of any list.

Use it behind a query endpoint with \`respond\` and the type \`application/rss+xml\`: new orders, failed checks or finished reports in a feed reader. The \`id\` of an item must stay the same for as long as it is the same item; without it the link is taken. Summaries may have HTML in them.`,
	tags: ["rss", "feed", "publish"],
	params: params(
		{
			title: text("The feed's title", { minLength: 1, maxLength: 1_000 }),
			link: text("The page that the feed is about", { maxLength: 2_000 }),
			description: text("What the feed is about", { maxLength: 5_000 }),
			items: list(
				object(
					{
						title: text("Its title"),
						link: orNull(text("Its page")),
						id: orNull(text("What tells it from others")),
						published: orNull(text("When it came out, as ISO 8601")),
						summary: text("What it says"),
						categories: list({ type: "string" }, "What it is about"),
					},
					"An item; it needs a link or an id",
					["title"],
				),
				"The items, the newest first",
				{ maxItems: 1_000 },
			),
		},
		["title", "link", "description", "items"],
	),
	output: text("The feed's XML"),
	code: String.raw`
const items = input.items.map((item, place) => itemXml(item, "items[" + place + "]"));
const head = element("title", input.title) + element("link", address(input.link, "link")) + element("description", input.description);
return '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0">\n<channel>\n' + head + items.join("") + "</channel>\n</rss>\n";

function itemXml({ title, link = null, id = null, published = null, summary, categories = [] }, where) {
	if (link === null && id === null) throw new Error(where + " needs a link or an id");
	const parts = [element("title", title)];
	if (link !== null) parts.push(element("link", address(link, where + ".link")));
	parts.push(element("guid", id ?? link, id === null ? "" : ' isPermaLink="false"'));
	if (published !== null) parts.push(element("pubDate", rfc822(published, where + ".published")));
	if (summary !== undefined) parts.push(element("description", summary));
	parts.push(...categories.map((category) => element("category", category)));
	return "<item>\n" + parts.join("") + "</item>\n";
}

function element(name, content, attributes = "") {
	return "<" + name + attributes + ">" + escaped(content) + "</" + name + ">\n";
}

function address(url, where) {
	if (!/^https?:\/\/\S+$/i.test(url)) throw new Error(where + " must be an address such as https://example.com/page");
	return url;
}

function rfc822(text, where) {
	const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text);
	const time = isTime ? new Date(text) : new Date(NaN);
	if (Number.isNaN(time.getTime())) throw new Error(where + " must be a date, or a time with Z or an offset such as 2026-03-01T09:00:00Z");
	return time.toUTCString();
}

/** Control characters cannot stand in XML at all. */
function escaped(text) {
	return text
		.toWellFormed()
		.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
		.replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character]);
}
`,
	examples: [
		{
			title: "A feed of orders",
			params: {
				title: "Orders",
				link: "https://shop.example/orders",
				description: "New orders",
				items: [
					{
						title: "Tea & cup",
						link: "https://shop.example/orders/7",
						published: "2026-03-01T10:00:00+01:00",
						summary: "<b>2</b> pieces",
						categories: ["paid"],
					},
				],
			},
			output:
				'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0">\n<channel>\n<title>Orders</title>\n<link>https://shop.example/orders</link>\n<description>New orders</description>\n<item>\n<title>Tea &amp; cup</title>\n<link>https://shop.example/orders/7</link>\n<guid>https://shop.example/orders/7</guid>\n<pubDate>Sun, 01 Mar 2026 09:00:00 GMT</pubDate>\n<description>&lt;b&gt;2&lt;/b&gt; pieces</description>\n<category>paid</category>\n</item>\n</channel>\n</rss>\n',
		},
		{
			title: "No items yet",
			params: { title: "A", link: "https://a.example", description: "B", items: [] },
			output:
				'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0">\n<channel>\n<title>A</title>\n<link>https://a.example</link>\n<description>B</description>\n</channel>\n</rss>\n',
		},
		{
			title: "An item that nothing tells from others",
			params: { title: "A", link: "https://a.example", description: "B", items: [{ title: "x" }] },
			error: "items[0] needs a link or an id",
		},
	],
});
