import { integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const feedRead = code({
	id: "feed_read",
	title: "Read a feed",
	description: `Brings RSS 2.0, RSS 1.0 and Atom feeds to one form: title, link, time, summary, author and categories of each item.

Use it after \`http_request\` and \`parse\` with \`format: xml\`: give it what \`parse\` gives. Then \`list_changes\` with \`key: id\` finds what is new. Times are ISO 8601 in UTC (null if the feed has none that can be read); summaries are plain text, cut at \`summary_length\`.`,
	tags: ["rss", "feed", "monitoring"],
	params: params(
		{
			feed: { type: "object", description: "The feed's XML as parse gives it" },
			limit: integer("Items at most", { minimum: 1, maximum: 1_000, default: 100 }),
			summary_length: integer("Characters of a summary at most; 0 leaves summaries out", {
				minimum: 0,
				maximum: 20_000,
				default: 500,
			}),
		},
		["feed"],
	),
	output: object(
		{
			title: text("The feed's title"),
			link: orNull(text("The page that the feed is about")),
			items: list(
				object(
					{
						id: text("What tells it from others"),
						title: text("Its title"),
						link: orNull(text("Its page")),
						published: orNull(text("When it came out, in UTC")),
						summary: text("What it says, without markup"),
						author: orNull(text("Who wrote it")),
						categories: list({ type: "string" }, "What it is about"),
					},
					"An item",
				),
				"The items, in the feed's order",
			),
		},
		"The feed",
	),
	code: String.raw`
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const { feed } = input;
const root = feed.rss ?? feed["rdf:RDF"] ?? feed.RDF ?? feed.feed;
if (root === null || typeof root !== "object") {
	throw new Error("feed is neither RSS nor Atom; give it what parse gives with format: xml");
}
const channel = first(root.channel) ?? root;
const items = all(channel.item ?? root.item ?? root.entry).filter((item) => item !== null && typeof item === "object");
return {
	title: clean(textOf(channel.title) ?? ""),
	link: linkOf(channel),
	items: items.slice(0, input.limit).map(shaped),
};

function shaped(item) {
	const link = linkOf(item);
	const title = clean(textOf(item.title) ?? "");
	const body = textOf(item.description) ?? textOf(item.summary) ?? textOf(item["content:encoded"]) ?? textOf(item.content) ?? "";
	const author = first(item["dc:creator"]) ?? first(item.author);
	return {
		id: (textOf(item.guid) ?? textOf(item.id) ?? item["@rdf:about"] ?? link ?? title).trim(),
		title,
		link,
		published: timeOf(textOf(item.pubDate) ?? textOf(item.published) ?? textOf(item["dc:date"]) ?? textOf(item.updated)),
		summary: short(clean(body)),
		author: textOf(author?.name) ?? textOf(author),
		categories: all(item.category).concat(all(item["dc:subject"])).map((category) => category?.["@label"] ?? category?.["@term"] ?? textOf(category)).filter((word) => typeof word === "string" && word !== ""),
	};
}

/** Of Atom the link to the page itself, not the one to the feed. */
function linkOf(item) {
	const links = all(item.link);
	const atom = links.filter((link) => typeof link?.["@href"] === "string");
	const page = atom.find((link) => (link["@rel"] ?? "alternate") === "alternate") ?? atom[0];
	const written = links.map(textOf).find((link) => link !== null);
	const guid = first(item.guid);
	const permanent = typeof guid === "string" && /^https?:/.test(guid) ? guid : null;
	return (written ?? page?.["@href"] ?? permanent)?.trim() ?? null;
}

function timeOf(text) {
	if (text === null) return null;
	const time = Date.parse(text.trim());
	return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function clean(text) {
	return text
		.replace(/<!\[CDATA\[|\]\]>/g, "")
		.replace(/<\/?(?:p|div|br|li|ul|ol|h[1-6]|tr|td|th|table|blockquote|hr|pre)(?:\s[^<>]*|\/)?>/gi, " ")
		.replace(/<[^<>]*>/g, "")
		.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (all, decimal, hex, name) => {
			if (name !== undefined) return ENTITIES[name] ?? all;
			const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
			return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code === 0 ? "" : String.fromCodePoint(code);
		})
		.replace(/\s+/g, " ")
		.trim();
}

function short(text) {
	if (text.length <= input.summary_length) return text;
	if (input.summary_length === 0) return "";
	const end = text.lastIndexOf(" ", input.summary_length - 1);
	const cut = text.slice(0, end > input.summary_length / 2 ? end : input.summary_length - 1);
	return (cut.isWellFormed() ? cut : cut.slice(0, -1)) + "…";
}

function textOf(value) {
	const one = first(value);
	if (typeof one === "string") return one;
	return typeof one?.["#text"] === "string" ? one["#text"] : null;
}

function first(value) {
	return (Array.isArray(value) ? value[0] : value) ?? null;
}

function all(value) {
	return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}
`,
	examples: [
		{
			title: "RSS",
			params: {
				feed: {
					rss: {
						channel: {
							title: "Tea news",
							link: "https://tea.example",
							item: {
								title: "First flush &amp; more",
								link: "https://tea.example/1",
								guid: { "@isPermaLink": "false", "#text": "t1" },
								pubDate: "Wed, 21 Oct 2015 07:28:00 +0200",
								description: "<p>It is <b>here</b>.</p>",
								category: ["tea", "spring"],
							},
						},
					},
				},
			},
			output: {
				title: "Tea news",
				link: "https://tea.example",
				items: [
					{
						id: "t1",
						title: "First flush & more",
						link: "https://tea.example/1",
						published: "2015-10-21T05:28:00.000Z",
						summary: "It is here.",
						author: null,
						categories: ["tea", "spring"],
					},
				],
			},
		},
		{
			title: "Atom",
			params: {
				feed: {
					feed: {
						title: "Releases",
						link: [{ "@rel": "self", "@href": "https://x.example/feed" }, { "@href": "https://x.example/" }],
						entry: {
							id: "tag:x.example,2026:1",
							title: { "@type": "html", "#text": "v1.2" },
							updated: "2026-03-01T10:00:00+01:00",
							link: { "@rel": "alternate", "@href": "https://x.example/v1.2" },
							author: { name: "Ada" },
							content: "Many fixes in this one",
						},
					},
				},
				summary_length: 12,
			},
			output: {
				title: "Releases",
				link: "https://x.example/",
				items: [
					{
						id: "tag:x.example,2026:1",
						title: "v1.2",
						link: "https://x.example/v1.2",
						published: "2026-03-01T09:00:00.000Z",
						summary: "Many fixes…",
						author: "Ada",
						categories: [],
					},
				],
			},
		},
		{
			title: "Not a feed",
			params: { feed: { html: "no" } },
			error: "feed is neither RSS nor Atom; give it what parse gives with format: xml",
		},
	],
});
