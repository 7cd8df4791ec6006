import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, object, params } from "./schema.ts";

const url = text("The page, such as https://example.com/");
const formats = list(
	{
		description: "markdown, html, rawHtml, links, images, summary, or an object such as { type: screenshot }",
	},
	"What to return",
	{ default: ["markdown"] },
);
const page = answer({
	markdown: text("The content in Markdown"),
	metadata: object("Title, language, URL and status"),
});
const paths = (description: string) => list(text("A regular expression, such as blog/.*"), description);
const job_id = text("The job's id");
const options = {
	only_main_content: flag("Without navigation and footers", { default: true }),
	wait_for: integer("Milliseconds to wait before reading", { minimum: 0 }),
	max_age: integer("Use a cached copy up to this age in milliseconds; 0 for a fresh one", { minimum: 0 }),
	timeout: integer("Milliseconds until it fails", { minimum: 1 }),
};
const given = {
	onlyMainContent: "{{params.only_main_content}}",
	waitFor: "{{params.wait_for}}",
	maxAge: "{{params.max_age}}",
	timeout: "{{params.timeout}}",
};
const scrapeOptions = { formats: "{{params.formats}}", onlyMainContent: "{{params.only_main_content}}" };
const { only_main_content } = options;
const started = {
	schema: answer({ success: flag("Always true"), id: job_id, url: text("URL of the job") }),
};
const progress = {
	schema: answer({
		status: text("scraping, completed, failed or cancelled"),
		total: integer("Number of pages"),
		completed: integer("Number of pages that are done"),
		data: list(page, "The pages so far"),
		next: text("URL of the next part; missing in the last part"),
	}),
};
const skip = integer("Number of pages to skip, from next", { minimum: 0 });
const JOB = "123e4567-e89b-12d3-a456-426614174000";

export const firecrawl: ApiRecipe = {
	id: "firecrawl",
	category: "web",
	title: "Firecrawl",
	description: "Content of web pages as Markdown or data, of single pages and of whole sites.",
	auth: "firecrawl_key",
	base_url: "https://api.firecrawl.dev/v2",
	docs_url: "https://docs.firecrawl.dev/api-reference/v2-introduction",
	operations: {
		scrape: {
			title: "Get the content of a page",
			method: "POST",
			path: "/scrape",
			params: params({ url }, { formats, ...options }),
			body: { kind: "json", value: { url: "{{params.url}}", formats: "{{params.formats}}", ...given } },
			output: { value: "{{data.data}}", schema: page },
			examples: [{ title: "One", params: { url: "https://example.com/" } }],
		},
		extract: {
			title: "Get data from a page",
			description: "Set prompt, schema or both.",
			method: "POST",
			path: "/scrape",
			params: params(
				{ url },
				{ prompt: text("What to extract, in words"), schema: object("JSON Schema of the data"), ...options },
			),
			body: {
				kind: "json",
				value: {
					url: "{{params.url}}",
					formats: [{ type: "json", prompt: "{{params.prompt}}", schema: "{{params.schema}}" }],
					...given,
				},
			},
			output: { value: "{{data.data.json}}", schema: { description: "The data" } },
			examples: [
				{ title: "A price", params: { url: "https://example.com/socks", prompt: "The price in EUR" } },
			],
		},
		search: {
			title: "Search the web",
			method: "POST",
			path: "/search",
			params: params(
				{ query: text("The search words", { minLength: 1 }) },
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 5 }),
					sources: list(choice(["web", "news", "images"], "A kind"), "Kinds of results"),
					tbs: text("Time filter, such as qdr:d for the last day"),
					location: text("Such as Germany"),
					formats: list({ description: "A format of scrape" }, "Also get the content of the pages"),
				},
			),
			body: {
				kind: "json",
				value: {
					query: "{{params.query}}",
					limit: "{{params.limit}}",
					sources: "{{params.sources}}",
					tbs: "{{params.tbs}}",
					location: "{{params.location}}",
					scrapeOptions: { formats: "{{params.formats}}" },
				},
			},
			output: {
				value: "{{data.data}}",
				schema: answer({
					web: list(
						object("A page", {
							title: text("Its title"),
							url: text("Its URL"),
							description: text("A summary"),
						}),
						"The pages",
					),
				}),
			},
			examples: [{ title: "Three", params: { query: "rain in London", limit: 3 } }],
		},
		map: {
			title: "List the pages of a site",
			method: "POST",
			path: "/map",
			params: params(
				{ url },
				{
					search: text("Only pages that fit these words"),
					limit: integer("Maximum number of pages", { minimum: 1, maximum: 100_000, default: 5000 }),
					sitemap: choice(["include", "skip", "only"], "Whether to use the sitemap"),
					include_subdomains: flag("Also subdomains"),
				},
			),
			body: {
				kind: "json",
				value: {
					url: "{{params.url}}",
					search: "{{params.search}}",
					limit: "{{params.limit}}",
					sitemap: "{{params.sitemap}}",
					includeSubdomains: "{{params.include_subdomains}}",
				},
			},
			output: {
				value: "{{data.links}}",
				schema: list(answer({ url: text("Its URL"), title: text("Its title") }), "The pages"),
			},
			examples: [{ title: "A manual", params: { url: "https://docs.example.com", search: "install" } }],
		},
		start_crawl: {
			title: "Start to read a site",
			description: "Then ask with get_crawl until status is completed.",
			method: "POST",
			path: "/crawl",
			params: params(
				{ url },
				{
					limit: integer("Maximum number of pages", { minimum: 1, default: 100 }),
					prompt: text("What to read, in words"),
					include_paths: paths("Only these paths"),
					exclude_paths: paths("Not these paths"),
					max_depth: integer("Maximum distance from the first page", { minimum: 0 }),
					entire_domain: flag("Also pages above the first page"),
					formats,
					only_main_content,
					webhook: object("Such as { url, events: [completed] }", { url: text("https:// URL") }),
				},
			),
			body: {
				kind: "json",
				value: {
					url: "{{params.url}}",
					limit: "{{params.limit}}",
					prompt: "{{params.prompt}}",
					includePaths: "{{params.include_paths}}",
					excludePaths: "{{params.exclude_paths}}",
					maxDiscoveryDepth: "{{params.max_depth}}",
					crawlEntireDomain: "{{params.entire_domain}}",
					scrapeOptions,
					webhook: "{{params.webhook}}",
				},
			},
			output: started,
			examples: [{ title: "A manual", params: { url: "https://docs.example.com", limit: 10 } }],
		},
		get_crawl: {
			title: "Get the pages of a crawl",
			description: "Set paginate only when status is completed.",
			method: "GET",
			path: "/crawl/{job_id}",
			params: params({ job_id }, { skip }),
			query: { skip: "{{params.skip}}" },
			paginate: { by: "link", url: "next", items: "data" },
			output: progress,
			examples: [{ title: "One", params: { job_id: JOB } }],
		},
		cancel_crawl: {
			title: "Cancel a crawl",
			method: "DELETE",
			path: "/crawl/{job_id}",
			params: params({ job_id }),
			output: { schema: answer({ status: text("cancelled") }) },
			examples: [{ title: "One", params: { job_id: JOB } }],
		},
		start_batch: {
			title: "Start to read several pages",
			description: "Then ask with get_batch until status is completed.",
			method: "POST",
			path: "/batch/scrape",
			params: params({ urls: list(url, "The pages", { minItems: 1 }) }, { formats, only_main_content }),
			body: { kind: "json", value: { urls: "{{params.urls}}", ...scrapeOptions } },
			output: started,
			examples: [{ title: "Two", params: { urls: ["https://example.com/a", "https://example.com/b"] } }],
		},
		get_batch: {
			title: "Get the pages of a batch",
			description: "Set paginate only when status is completed.",
			method: "GET",
			path: "/batch/scrape/{job_id}",
			params: params({ job_id }, { skip }),
			query: { skip: "{{params.skip}}" },
			paginate: { by: "link", url: "next", items: "data" },
			output: progress,
			examples: [{ title: "One", params: { job_id: JOB } }],
		},
	},
};
