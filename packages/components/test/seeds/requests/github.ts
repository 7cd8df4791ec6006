import { toExchanges } from "../exchange.ts";
import { PICTURE } from "../test-files.ts";

const issue = {
	id: 1,
	number: 1347,
	state: "open",
	title: "Found a bug",
	body: "I'm having a problem with this.",
	user: { login: "octocat", id: 1 },
	labels: [{ id: 208045946, name: "bug", color: "f29513" }],
	html_url: "https://github.com/octocat/Hello-World/issues/1347",
	created_at: "2011-04-22T13:33:48Z",
};
const repository = { owner: "octocat", repo: "Hello-World" };

export const github = toExchanges(
	{
		id: "github",
		authRecipe: "github_token",
		fields: { token: "test-github-token" },
		base: "https://api.github.com/repos/octocat/Hello-World",
		headers: {
			accept: "application/vnd.github+json",
			"x-github-api-version": "2022-11-28",
			authorization: "Bearer test-github-token",
		},
	},
	{
		list_issues: {
			params: { ...repository, labels: "bug,ui", since: "2026-01-31T00:00:00Z", page: 2 },
			sends: "GET /issues?state=open&labels=bug%2Cui&since=2026-01-31T00%3A00%3A00Z&per_page=30&page=2",
			answer: [issue],
		},
		create_issue: {
			params: {
				...repository,
				title: "Found a bug",
				body: "I'm having a problem with this.",
				labels: ["bug"],
			},
			sends: "POST /issues",
			json: { title: "Found a bug", body: "I'm having a problem with this.", labels: ["bug"] },
			status: 201,
			answer: issue,
		},
		update_issue: {
			params: { ...repository, number: 1347, state: "closed", state_reason: "completed" },
			sends: "PATCH /issues/1347",
			json: { state: "closed", state_reason: "completed" },
			answer: { ...issue, state: "closed" },
		},
		add_comment: {
			params: { ...repository, number: 1347, body: "Me too" },
			sends: "POST /issues/1347/comments",
			json: { body: "Me too" },
			status: 201,
			answer: {
				id: 1,
				html_url: "https://github.com/octocat/Hello-World/issues/1347#issuecomment-1",
				body: "Me too",
				created_at: "2011-04-14T16:00:49Z",
			},
		},
		list_pull_requests: {
			params: { ...repository, state: "all", base: "main", per_page: 5 },
			sends: "GET /pulls?state=all&base=main&per_page=5",
			answer: [
				{
					number: 1347,
					state: "open",
					title: "Amazing new feature",
					draft: false,
					merged_at: null,
					html_url: "https://github.com/octocat/Hello-World/pull/1347",
				},
			],
		},
		get_file: {
			params: { ...repository, path: "docs/read me.md", ref: "main" },
			sends: "GET /contents/docs/read%20me.md?ref=main",
			headers: { accept: "application/vnd.github.raw+json" },
			answerText: "# Hello\n",
		},
		download_file: {
			params: { ...repository, path: "images/a logo.png" },
			sends: "GET /contents/images/a%20logo.png",
			headers: { accept: "application/vnd.github.raw+json" },
			answerHeaders: { "content-type": "application/vnd.github.raw+json; charset=utf-8" },
			answerBytes: PICTURE,
			outputFile: { name: "a logo.png", type: "application/vnd.github.raw+json; charset=utf-8" },
		},
		put_file: {
			params: { ...repository, path: "notes/hello.txt", message: "Say hello", text: "Héllo", branch: "main" },
			sends: "PUT /contents/notes/hello.txt",
			json: { message: "Say hello", content: "SMOpbGxv", branch: "main" },
			status: 201,
			answer: {
				content: { path: "notes/hello.txt", sha: "95b966ae1c166bd92f8ae7d1c313e738c731dfc3" },
				commit: { sha: "7638417db6d59f3c431d3e1f261cc637155684cd", message: "Say hello" },
			},
		},
		run_workflow: {
			params: { ...repository, workflow: "deploy.yml", ref: "main", inputs: { target: "live" } },
			sends: "POST /actions/workflows/deploy.yml/dispatches",
			json: { ref: "main", inputs: { target: "live" } },
			status: 204,
			output: { started: true },
		},
	},
);
