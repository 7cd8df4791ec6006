import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, done, object, orNull, params } from "./schema.ts";

const headers = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };
const owner = text("The account or organization that owns the repository");
const repo = text("The repository's name, without .git");
const repository = { owner, repo };
const number = integer("The number after # of the issue or pull request", { minimum: 1 });
const page = {
	per_page: integer("Results per page", { minimum: 1, maximum: 100, default: 30 }),
	page: integer("Page number, from 1", { minimum: 1 }),
};
const people = list(text("A user name"), "User names of the assignees");
const labels = list(text("A label's name"), "Names of its labels");

const issue = answer({
	number: integer("Its number in the repository"),
	title: text("Its title"),
	state: text("open or closed"),
	html_url: text("URL of its page"),
	body: orNull(text("Its text in Markdown")),
	user: object("Author", { login: text("User name") }),
	labels: list(object("A label", { name: text("Its name") }), "Its labels"),
	created_at: text("Creation time, ISO 8601"),
});

export const github: ApiRecipe = {
	id: "github",
	category: "development",
	title: "GitHub",
	description: "Issues, pull requests, files and workflow runs of GitHub repositories.",
	auth: ["github_token", "github_oauth"],
	base_url: "https://api.github.com",
	docs_url: "https://docs.github.com/en/rest",
	operations: {
		list_issues: {
			title: "List issues of a repository",
			description: "Newest first. GitHub counts pull requests as issues: those have a pull_request field.",
			method: "GET",
			path: "/repos/{owner}/{repo}/issues",
			params: params(repository, {
				state: choice(["open", "closed", "all"], "Filter by state", { default: "open" }),
				labels: text("Label names, comma-separated; an issue must have all of them"),
				assignee: text("User name of the assignee; none for unassigned issues, * for any assignee"),
				since: text("Only issues changed at or after this time, ISO 8601"),
				sort: choice(["created", "updated", "comments"], "Sort key"),
				direction: choice(["asc", "desc"], "Sort direction"),
				...page,
			}),
			query: {
				state: "{{params.state}}",
				labels: "{{params.labels}}",
				assignee: "{{params.assignee}}",
				since: "{{params.since}}",
				sort: "{{params.sort}}",
				direction: "{{params.direction}}",
				per_page: "{{params.per_page}}",
				page: "{{params.page}}",
			},
			headers,
			paginate: { by: "link" },
			output: { schema: list(issue, "The issues of this page") },
			examples: [{ title: "Open bugs", params: { owner: "octocat", repo: "Hello-World", labels: "bug" } }],
		},
		create_issue: {
			title: "Create an issue",
			method: "POST",
			path: "/repos/{owner}/{repo}/issues",
			params: params(
				{ ...repository, title: text("Its title") },
				{
					body: text("Its text in Markdown"),
					labels,
					assignees: people,
					milestone: integer("The number of its milestone"),
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					title: "{{params.title}}",
					body: "{{params.body}}",
					labels: "{{params.labels}}",
					assignees: "{{params.assignees}}",
					milestone: "{{params.milestone}}",
				},
			},
			output: { schema: issue },
			examples: [
				{
					title: "Report a bug",
					params: {
						owner: "octocat",
						repo: "Hello-World",
						title: "Found a bug",
						body: "It does not start.",
						labels: ["bug"],
					},
				},
			],
		},
		update_issue: {
			title: "Update an issue",
			description: "Changes only the given fields. Labels and assignees replace the existing ones.",
			method: "PATCH",
			path: "/repos/{owner}/{repo}/issues/{number}",
			params: params(
				{ ...repository, number },
				{
					title: text("A new title"),
					body: text("A new text in Markdown"),
					state: choice(["open", "closed"], "Opens or closes it"),
					state_reason: choice(["completed", "not_planned", "reopened"], "Why it is opened or closed"),
					labels,
					assignees: people,
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					title: "{{params.title}}",
					body: "{{params.body}}",
					state: "{{params.state}}",
					state_reason: "{{params.state_reason}}",
					labels: "{{params.labels}}",
					assignees: "{{params.assignees}}",
				},
			},
			output: { schema: issue },
			examples: [
				{
					title: "Close an issue",
					params: { owner: "octocat", repo: "Hello-World", number: 1347, state: "closed" },
				},
			],
		},
		add_comment: {
			title: "Comment on an issue or pull request",
			method: "POST",
			path: "/repos/{owner}/{repo}/issues/{number}/comments",
			params: params({ ...repository, number, body: text("The comment in Markdown") }),
			headers,
			body: { kind: "json", value: { body: "{{params.body}}" } },
			output: {
				schema: answer({
					id: integer("The comment's id"),
					html_url: text("URL of its page"),
					body: text("Its text"),
					created_at: text("Creation time"),
				}),
			},
			examples: [
				{
					title: "Answer",
					params: { owner: "octocat", repo: "Hello-World", number: 1347, body: "Me too" },
				},
			],
		},
		list_pull_requests: {
			title: "List pull requests of a repository",
			method: "GET",
			path: "/repos/{owner}/{repo}/pulls",
			params: params(repository, {
				state: choice(["open", "closed", "all"], "Filter by state", { default: "open" }),
				head: text("Only pull requests from this branch, as owner:branch"),
				base: text("Only pull requests into this branch"),
				...page,
			}),
			query: {
				state: "{{params.state}}",
				head: "{{params.head}}",
				base: "{{params.base}}",
				per_page: "{{params.per_page}}",
				page: "{{params.page}}",
			},
			headers,
			paginate: { by: "link" },
			output: {
				schema: list(
					answer({
						number: integer("Its number"),
						title: text("Its title"),
						state: text("open or closed"),
						draft: { type: "boolean", description: "Whether it is a draft" },
						html_url: text("URL of its page"),
						merged_at: orNull(text("When it was merged")),
					}),
					"The pull requests of this page",
				),
			},
			examples: [{ title: "Into main", params: { owner: "octocat", repo: "Hello-World", base: "main" } }],
		},
		get_file: {
			title: "Read a text file",
			description: "Returns the file's text on a branch, tag or commit.",
			method: "GET",
			path: "/repos/{owner}/{repo}/contents/{+path}",
			params: params(
				{ ...repository, path: text("Path of the file, such as docs/readme.md") },
				{ ref: text("Branch, tag or commit; the default branch if left out") },
			),
			query: { ref: "{{params.ref}}" },
			headers: { ...headers, accept: "application/vnd.github.raw+json" },
			response: "text",
			output: { schema: text("The file's text") },
			examples: [
				{ title: "The read-me file", params: { owner: "octocat", repo: "Hello-World", path: "README" } },
			],
		},
		download_file: {
			title: "Download a file",
			description: "Any file of at most 100 MB, on a branch, tag or commit.",
			method: "GET",
			path: "/repos/{owner}/{repo}/contents/{+path}",
			params: params(
				{ ...repository, path: text("Path of the file, such as images/logo.png") },
				{ ref: text("Branch, tag or commit; the default branch if left out") },
			),
			query: { ref: "{{params.ref}}" },
			headers: { ...headers, accept: "application/vnd.github.raw+json" },
			response: "file",
			output: { schema: file("The file") },
			examples: [
				{ title: "A picture", params: { owner: "octocat", repo: "Hello-World", path: "images/logo.png" } },
			],
		},
		put_file: {
			title: "Create or replace a text file",
			description: "Creates one commit. To replace a file, pass the sha of the existing file.",
			method: "PUT",
			path: "/repos/{owner}/{repo}/contents/{+path}",
			params: params(
				{
					...repository,
					path: text("Path of the file, such as docs/readme.md"),
					message: text("The commit's message"),
					text: text("The file's whole text"),
				},
				{
					sha: text("Blob sha of the file to replace"),
					branch: text("The branch; the default branch if left out"),
				},
			),
			headers,
			body: {
				kind: "json",
				value: {
					message: "{{params.message}}",
					content: "{{params.text | base64}}",
					sha: "{{params.sha}}",
					branch: "{{params.branch}}",
				},
			},
			output: {
				schema: answer({
					content: object("The file", { path: text("Its path"), sha: text("Its blob sha") }),
					commit: object("The commit", { sha: text("Its sha"), html_url: text("URL of its page") }),
				}),
			},
			examples: [
				{
					title: "Add a file",
					params: {
						owner: "octocat",
						repo: "Hello-World",
						path: "notes/hello.txt",
						message: "Say hello",
						text: "Hello",
					},
				},
			],
		},
		run_workflow: {
			title: "Start a GitHub Actions workflow",
			description: "The workflow file must have the trigger workflow_dispatch.",
			method: "POST",
			path: "/repos/{owner}/{repo}/actions/workflows/{workflow}/dispatches",
			params: params(
				{
					...repository,
					workflow: anyOf([{ type: "string" }, { type: "integer" }], "File name such as main.yml, or id"),
					ref: text("Branch or tag that it runs on"),
				},
				{ inputs: object("The workflow's inputs by name") },
			),
			headers,
			body: { kind: "json", value: { ref: "{{params.ref}}", inputs: "{{params.inputs}}" } },
			response: "text",
			output: done("started", "Always true; GitHub returns nothing else"),
			examples: [
				{
					title: "Deploy",
					params: { owner: "octocat", repo: "Hello-World", workflow: "deploy.yml", ref: "main" },
				},
			],
		},
	},
};
