import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, number, text } from "../schema-words.ts";
import { answer, anyOf, object, orNull, params, pass } from "./schema.ts";

const domains = (description: string) => list(text("A domain, such as example.com"), description);
const patterns = (description: string) => list(text("A regular expression, such as /docs/.*"), description);
const extract_depth = choice(["basic", "advanced"], "advanced also reads tables and embedded content");
const format = choice(["markdown", "text"], "Format of the content", { default: "markdown" });
const crawling = {
	instructions: text("What to look for, in words"),
	max_depth: integer("Maximum distance from the first page", { minimum: 1, maximum: 5 }),
	max_breadth: integer("Maximum number of links to follow per page", { minimum: 1, maximum: 500 }),
	limit: integer("Maximum number of pages", { minimum: 1, default: 50 }),
	select_paths: patterns("Only these paths"),
	exclude_paths: patterns("Not these paths"),
	allow_external: flag("Also links to other sites"),
};
const url = text("The first page, such as https://docs.example.com");
const response_time = { description: "Seconds" };

export const tavily: ApiRecipe = {
	id: "tavily",
	category: "web",
	title: "Tavily",
	description: "Web search and page content for language models.",
	auth: "tavily_key",
	base_url: "https://api.tavily.com",
	docs_url: "https://docs.tavily.com/documentation/api-reference/introduction",
	operations: {
		search: {
			title: "Search the web",
			method: "POST",
			path: "/search",
			params: params(
				{ query: text("The question", { minLength: 1 }) },
				{
					search_depth: choice(["basic", "advanced", "fast", "ultra-fast"], "advanced costs twice as much", {
						default: "basic",
					}),
					topic: choice(["general", "news", "finance"], "Kind of sources", { default: "general" }),
					max_results: integer("Maximum number of results", { minimum: 1, maximum: 20, default: 5 }),
					time_range: choice(["day", "week", "month", "year"], "Only recent pages"),
					start_date: text("Only pages after this day, such as 2026-01-31"),
					end_date: text("Only pages before this day"),
					include_answer: { description: "Also a short answer: true, basic or advanced" },
					include_raw_content: { description: "Also the whole pages: true, markdown or text" },
					include_images: flag("Also images"),
					include_domains: domains("Only these sites"),
					exclude_domains: domains("Not these sites"),
					country: text("Prefer results from this country, such as germany"),
				},
			),
			body: {
				kind: "json",
				value: pass(
					"query",
					"search_depth",
					"topic",
					"max_results",
					"time_range",
					"start_date",
					"end_date",
					"include_answer",
					"include_raw_content",
					"include_images",
					"include_domains",
					"exclude_domains",
					"country",
				),
			},
			output: {
				schema: answer({
					answer: orNull(text("The short answer")),
					results: list(
						object("A page", {
							title: text("Its title"),
							url: text("Its URL"),
							content: text("The relevant part"),
							score: number("Relevance from 0 to 1"),
							raw_content: orNull(text("The whole page")),
						}),
						"The pages, most relevant first",
					),
					response_time,
				}),
			},
			examples: [{ title: "News", params: { query: "Rain in London", topic: "news", include_answer: true } }],
		},
		extract: {
			title: "Get the content of pages",
			method: "POST",
			path: "/extract",
			params: params(
				{
					urls: anyOf(
						[{ type: "string" }, { type: "array", items: { type: "string" } }],
						"One URL, or up to 20",
					),
				},
				{
					query: text("Return only the parts that fit this question"),
					extract_depth,
					format,
					include_images: flag("Also images"),
				},
			),
			body: { kind: "json", value: pass("urls", "query", "extract_depth", "format", "include_images") },
			output: {
				schema: answer({
					results: list(
						object("A page", { url: text("Its URL"), raw_content: text("Its content") }),
						"The pages",
					),
					failed_results: list(object("A failure", { url: text("The URL"), error: text("Why") }), "Failures"),
					response_time,
				}),
			},
			examples: [{ title: "One", params: { urls: "https://example.com/" } }],
		},
		crawl: {
			title: "Get the content of a site",
			method: "POST",
			path: "/crawl",
			params: params({ url }, { ...crawling, extract_depth, format }),
			body: { kind: "json", value: pass("url", ...Object.keys(crawling), "extract_depth", "format") },
			output: {
				schema: answer({
					base_url: text("The site"),
					results: list(
						object("A page", { url: text("Its URL"), raw_content: text("Its content") }),
						"The pages",
					),
					response_time,
				}),
			},
			examples: [
				{
					title: "A manual",
					params: { url: "https://docs.example.com", instructions: "How to install it", limit: 10 },
				},
			],
		},
		map: {
			title: "List the pages of a site",
			method: "POST",
			path: "/map",
			params: params({ url }, crawling),
			body: { kind: "json", value: pass("url", ...Object.keys(crawling)) },
			output: {
				schema: answer({
					base_url: text("The site"),
					results: list(text("A URL"), "The pages"),
					response_time,
				}),
			},
			examples: [{ title: "A manual", params: { url: "https://docs.example.com" } }],
		},
		get_usage: {
			title: "Get what is used of the plan",
			method: "GET",
			path: "/usage",
			params: params({}),
			output: {
				schema: answer({
					key: object("Usage of this key", { usage: integer("Credits used") }),
					account: object("Usage of the account"),
				}),
			},
			examples: [{ title: "Now", params: {} }],
		},
	},
};
