import { choice, integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const hackerNews = code({
	id: "hacker_news",
	title: "Hacker News",
	description: `Stories of Hacker News: the front page now, or those with some words, the best or the newest first. From its [search by Algolia](https://hn.algolia.com/api), without a key.

Use it for a daily digest, or on a schedule with \`list_changes\` and \`key: id\` to be told when your product is talked about.`,
	tags: ["news", "search", "api"],
	hosts: ["hn.algolia.com"],
	params: params(
		{
			list: choice(["front_page", "story", "ask_hn", "show_hn"], "Which stories", { default: "front_page" }),
			query: text("Words that must be in it", { maxLength: 200 }),
			order: choice(["best", "newest"], "What comes first", { default: "best" }),
			min_points: integer("Only with at least so many points", { minimum: 0, maximum: 100_000 }),
			limit: integer("Stories at most", { minimum: 1, maximum: 100, default: 30 }),
		},
		[],
	),
	output: list(
		object(
			{
				id: text("The story's number"),
				title: text("Its title"),
				url: text("Its page; of stories without one the discussion"),
				discussion_url: text("The discussion"),
				points: integer("Its points"),
				comments: integer("How many comments it has"),
				author: text("Who posted it"),
				created_at: text("When, as ISO 8601"),
				text: orNull(text("Its own text, in HTML")),
			},
			"A story",
		),
		"The stories",
	),
	code: `
const path = input.order === "newest" ? "search_by_date" : "search";
const query = input.query === undefined ? "" : "&query=" + encodeURIComponent(input.query.toWellFormed());
const points = input.min_points === undefined ? "" : "&numericFilters=" + encodeURIComponent("points>=" + input.min_points);
const { status, data } = await http({
	method: "GET",
	url: "https://hn.algolia.com/api/v1/" + path + "?tags=" + input.list + "&hitsPerPage=" + input.limit + query + points,
});
if (status !== 200 || !Array.isArray(data?.hits)) {
	throw new Error("the search of Hacker News answered " + status + (typeof data?.message === "string" ? ": " + data.message : ""));
}
return data.hits.map((story) => {
	const discussion = "https://news.ycombinator.com/item?id=" + story.objectID;
	return {
		id: story.objectID,
		title: story.title ?? "",
		url: story.url ?? discussion,
		discussion_url: discussion,
		points: story.points ?? 0,
		comments: story.num_comments ?? 0,
		author: story.author ?? "",
		created_at: story.created_at,
		text: story.story_text ?? null,
	};
});
`,
	examples: [
		{
			title: "The front page",
			params: { limit: 1 },
			http: [
				{
					request: {
						method: "GET",
						url: "https://hn.algolia.com/api/v1/search?tags=front_page&hitsPerPage=1",
					},
					response: {
						status: 200,
						data: {
							hits: [
								{
									objectID: "4200001",
									title: "Tea timers, revisited",
									url: "https://tea.example/timers",
									points: 311,
									num_comments: 84,
									author: "ada",
									created_at: "2026-03-01T08:00:00Z",
								},
							],
							nbHits: 30,
						},
					},
				},
			],
			output: [
				{
					id: "4200001",
					title: "Tea timers, revisited",
					url: "https://tea.example/timers",
					discussion_url: "https://news.ycombinator.com/item?id=4200001",
					points: 311,
					comments: 84,
					author: "ada",
					created_at: "2026-03-01T08:00:00Z",
					text: null,
				},
			],
		},
		{
			title: "The newest questions about something",
			params: { list: "ask_hn", query: "green tea", order: "newest", min_points: 5 },
			http: [
				{
					request: {
						method: "GET",
						url: "https://hn.algolia.com/api/v1/search_by_date?tags=ask_hn&hitsPerPage=30&query=green%20tea&numericFilters=points%3E%3D5",
					},
					response: {
						status: 200,
						data: {
							hits: [
								{
									objectID: "42",
									title: "Ask HN: Which green tea?",
									points: 7,
									num_comments: null,
									author: "alan",
									created_at: "2026-02-01T08:00:00Z",
									story_text: "<p>I ran out.",
								},
							],
						},
					},
				},
			],
			output: [
				{
					id: "42",
					title: "Ask HN: Which green tea?",
					url: "https://news.ycombinator.com/item?id=42",
					discussion_url: "https://news.ycombinator.com/item?id=42",
					points: 7,
					comments: 0,
					author: "alan",
					created_at: "2026-02-01T08:00:00Z",
					text: "<p>I ran out.",
				},
			],
		},
		{
			title: "The service is down",
			params: {},
			http: [
				{
					request: {
						method: "GET",
						url: "https://hn.algolia.com/api/v1/search?tags=front_page&hitsPerPage=30",
					},
					response: { status: 503, data: null },
				},
			],
			error: "the search of Hacker News answered 503",
		},
	],
});
