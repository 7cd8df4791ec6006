import { toExchanges } from "../exchange.ts";

const page = { markdown: "# Example", metadata: { title: "Example", statusCode: 200 } };
const JOB = "123e4567-e89b-12d3-a456-426614174000";
const started = { success: true, id: JOB, url: `https://api.firecrawl.dev/v2/crawl/${JOB}` };
const progress = { status: "completed", total: 1, completed: 1, creditsUsed: 1, data: [page] };

const tavily = toExchanges(
	{
		id: "tavily",
		authRecipe: "tavily_key",
		fields: { token: "tvly-test" },
		base: "https://api.tavily.com",
		headers: { authorization: "Bearer tvly-test" },
	},
	{
		search: {
			params: {
				query: "who is Leo Messi?",
				include_answer: true,
				time_range: "week",
				include_domains: ["bbc.com"],
			},
			sends: "POST /search",
			json: {
				query: "who is Leo Messi?",
				search_depth: "basic",
				topic: "general",
				max_results: 5,
				include_answer: true,
				time_range: "week",
				include_domains: ["bbc.com"],
			},
			answer: {
				query: "who is Leo Messi?",
				answer: "A footballer.",
				images: [],
				results: [
					{
						title: "Messi",
						url: "https://www.bbc.com/sport",
						content: "Messi is",
						score: 0.81,
						raw_content: null,
					},
				],
				response_time: "1.67",
			},
		},
		extract: {
			params: { urls: ["https://en.wikipedia.org/wiki/Rain"], extract_depth: "advanced" },
			sends: "POST /extract",
			json: { urls: ["https://en.wikipedia.org/wiki/Rain"], extract_depth: "advanced", format: "markdown" },
			answer: {
				results: [{ url: "https://en.wikipedia.org/wiki/Rain", raw_content: "# Rain" }],
				failed_results: [],
				response_time: 0.02,
			},
		},
		crawl: {
			params: {
				url: "docs.tavily.com",
				instructions: "Find all pages about the Python SDK",
				max_depth: 2,
				limit: 10,
			},
			sends: "POST /crawl",
			json: {
				url: "docs.tavily.com",
				instructions: "Find all pages about the Python SDK",
				max_depth: 2,
				limit: 10,
				format: "markdown",
			},
			answer: {
				base_url: "docs.tavily.com",
				results: [{ url: "https://docs.tavily.com/sdk", raw_content: "# SDK" }],
				response_time: 1.23,
			},
		},
		map: {
			params: { url: "docs.tavily.com", select_paths: ["/sdk/.*"] },
			sends: "POST /map",
			json: { url: "docs.tavily.com", limit: 50, select_paths: ["/sdk/.*"] },
			answer: { base_url: "docs.tavily.com", results: ["https://docs.tavily.com/sdk"], response_time: 1.23 },
		},
		get_usage: {
			sends: "GET /usage",
			answer: { key: { usage: 150, limit: 1000 }, account: { current_plan: "Bootstrap", plan_usage: 500 } },
		},
	},
);

const firecrawl = toExchanges(
	{
		id: "firecrawl",
		authRecipe: "firecrawl_key",
		fields: { token: "fc-test" },
		base: "https://api.firecrawl.dev/v2",
		headers: { authorization: "Bearer fc-test" },
	},
	{
		scrape: {
			params: {
				url: "https://example.com/",
				formats: ["markdown", { type: "screenshot", fullPage: true }],
				max_age: 0,
			},
			sends: "POST /scrape",
			json: {
				url: "https://example.com/",
				formats: ["markdown", { type: "screenshot", fullPage: true }],
				onlyMainContent: true,
				maxAge: 0,
			},
			answer: { success: true, data: page },
			output: page,
		},
		extract: {
			params: { url: "https://example.com/", schema: { type: "object" }, timeout: 60_000 },
			sends: "POST /scrape",
			json: {
				url: "https://example.com/",
				formats: [{ type: "json", schema: { type: "object" } }],
				onlyMainContent: true,
				timeout: 60_000,
			},
			answer: { success: true, data: { json: { price: 12 }, metadata: {} } },
			output: { price: 12 },
		},
		search: {
			params: { query: "rain", limit: 3, sources: ["web", "news"], formats: ["markdown"] },
			sends: "POST /search",
			json: { query: "rain", limit: 3, sources: ["web", "news"], scrapeOptions: { formats: ["markdown"] } },
			answer: {
				success: true,
				data: { web: [{ title: "Rain", url: "https://example.com/", description: "Water" }] },
			},
			output: { web: [{ title: "Rain", url: "https://example.com/", description: "Water" }] },
		},
		map: {
			params: { url: "https://example.com/", search: "docs", limit: 10, include_subdomains: true },
			sends: "POST /map",
			json: { url: "https://example.com/", search: "docs", limit: 10, includeSubdomains: true },
			answer: { success: true, links: [{ url: "https://example.com/docs", title: "Docs" }] },
			output: [{ url: "https://example.com/docs", title: "Docs" }],
		},
		start_crawl: {
			params: {
				url: "https://example.com/",
				limit: 10,
				include_paths: ["blog/.*"],
				max_depth: 2,
				entire_domain: true,
				webhook: { url: "https://example.org/hook", events: ["completed"] },
			},
			sends: "POST /crawl",
			json: {
				url: "https://example.com/",
				limit: 10,
				includePaths: ["blog/.*"],
				maxDiscoveryDepth: 2,
				crawlEntireDomain: true,
				scrapeOptions: { formats: ["markdown"], onlyMainContent: true },
				webhook: { url: "https://example.org/hook", events: ["completed"] },
			},
			answer: started,
		},
		get_crawl: { params: { job_id: JOB }, sends: `GET /crawl/${JOB}`, answer: progress },
		cancel_crawl: { params: { job_id: JOB }, sends: `DELETE /crawl/${JOB}`, answer: { status: "cancelled" } },
		start_batch: {
			params: { urls: ["https://example.com/a", "https://example.com/b"] },
			sends: "POST /batch/scrape",
			json: {
				urls: ["https://example.com/a", "https://example.com/b"],
				formats: ["markdown"],
				onlyMainContent: true,
			},
			answer: started,
		},
		get_batch: {
			params: { job_id: JOB, skip: 10 },
			sends: `GET /batch/scrape/${JOB}?skip=10`,
			answer: progress,
		},
	},
);

export const webSearch = [...tavily, ...firecrawl];
