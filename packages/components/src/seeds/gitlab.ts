import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, object, params } from "./schema.ts";

const project = anyOf(
	[{ type: "string" }, { type: "integer" }],
	"The project's id, or its path such as group/name",
);
const number = integer("The number after # (issues) or ! (merge requests)", { minimum: 1 });
const labels = text("Names of labels, comma-separated");
const page = {
	per_page: integer("Results per page", { minimum: 1, maximum: 100, default: 20 }),
	page: integer("Page number, from 1", { minimum: 1 }),
};
const issue = answer({
	iid: integer("Its number in the project"),
	title: text("Its title"),
	state: text("opened or closed"),
	web_url: text("URL of its page"),
	labels: list(text("A label"), "Its labels"),
});

export const gitlab: ApiRecipe = {
	id: "gitlab",
	category: "development",
	title: "GitLab",
	description: "Issues, merge requests and pipelines of GitLab projects, on gitlab.com or your own server.",
	auth: "gitlab_token",
	base_url: "https://{{credential.host}}/api/v4",
	docs_url: "https://docs.gitlab.com/api/rest/",
	operations: {
		list_issues: {
			title: "List issues of a project",
			method: "GET",
			path: "/projects/{project}/issues",
			params: params(
				{ project },
				{
					state: choice(["opened", "closed", "all"], "Filter by state", { default: "opened" }),
					labels,
					search: text("Search words for the title or text"),
					...page,
				},
			),
			query: {
				state: "{{params.state}}",
				labels: "{{params.labels}}",
				search: "{{params.search}}",
				per_page: "{{params.per_page}}",
				page: "{{params.page}}",
			},
			paginate: { by: "link" },
			output: { schema: list(issue, "The issues") },
			examples: [{ title: "Open bugs", params: { project: "group/name", labels: "bug" } }],
		},
		create_issue: {
			title: "Create an issue",
			method: "POST",
			path: "/projects/{project}/issues",
			params: params(
				{ project, title: text("Its title") },
				{
					description: text("Its text in Markdown"),
					labels,
					assignee_ids: list({ type: "integer" }, "Ids of the assignees"),
					due_date: text("A day, such as 2026-01-31"),
				},
			),
			body: {
				kind: "json",
				value: {
					title: "{{params.title}}",
					description: "{{params.description}}",
					labels: "{{params.labels}}",
					assignee_ids: "{{params.assignee_ids}}",
					due_date: "{{params.due_date}}",
				},
			},
			output: { schema: issue },
			examples: [
				{ title: "A bug", params: { project: "group/name", title: "Crash on start", labels: "bug" } },
			],
		},
		comment_issue: {
			title: "Comment on an issue",
			method: "POST",
			path: "/projects/{project}/issues/{number}/notes",
			params: params({ project, number, body: text("The comment in Markdown") }),
			body: { kind: "json", value: { body: "{{params.body}}" } },
			output: { schema: answer({ id: integer("The comment's id"), body: text("Its text") }) },
			examples: [{ title: "Answer", params: { project: "group/name", number: 11, body: "Me too" } }],
		},
		create_merge_request: {
			title: "Create a merge request",
			method: "POST",
			path: "/projects/{project}/merge_requests",
			params: params(
				{
					project,
					source_branch: text("Source branch"),
					target_branch: text("Target branch"),
					title: text("Its title"),
				},
				{ description: text("Its text in Markdown"), labels },
			),
			body: {
				kind: "json",
				value: {
					source_branch: "{{params.source_branch}}",
					target_branch: "{{params.target_branch}}",
					title: "{{params.title}}",
					description: "{{params.description}}",
					labels: "{{params.labels}}",
				},
			},
			output: {
				schema: answer({
					iid: integer("Its number in the project"),
					web_url: text("URL of its page"),
					state: text("Such as opened"),
				}),
			},
			examples: [
				{
					title: "Into main",
					params: { project: "group/name", source_branch: "fix", target_branch: "main", title: "Fix it" },
				},
			],
		},
		run_pipeline: {
			title: "Start a pipeline",
			method: "POST",
			path: "/projects/{project}/pipeline",
			params: params(
				{ project, ref: text("Branch or tag that it runs on") },
				{ variables: list(object("{ key, value }"), "Variables of the pipeline") },
			),
			body: { kind: "json", value: { ref: "{{params.ref}}", variables: "{{params.variables}}" } },
			output: {
				schema: answer({
					id: integer("The pipeline's id"),
					status: text("Such as pending"),
					web_url: text("URL of its page"),
				}),
			},
			examples: [{ title: "On main", params: { project: "group/name", ref: "main" } }],
		},
	},
};
