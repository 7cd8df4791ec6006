import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, done, exampleFile, object, params } from "./schema.ts";

const issue = text("The issue's key such as ENG-123, or its id");
const labels = list(text("A label"), "Its labels");
const found = answer({
	id: text("The issue's id"),
	key: text("Such as ENG-123"),
	fields: object("Its fields by name", { summary: text("Its title") }),
});

const pages = (items: string) =>
	({ by: "page", param: "startAt", start: 0, step: 50, size_param: "maxResults", size: 50, items }) as const;
/** Version 2 uses plain text; version 3 would require Atlassian's document format. */
export const jira: ApiRecipe = {
	id: "jira",
	category: "projects",
	title: "Jira",
	description: "Issues and comments of a Jira Cloud site.",
	auth: "jira_token",
	base_url: "https://{{credential.host}}/rest/api/2",
	docs_url: "https://developer.atlassian.com/cloud/jira/platform/rest/v2/intro/",
	operations: {
		create_issue: {
			title: "Create an issue",
			method: "POST",
			path: "/issue",
			params: params(
				{
					project: text("The project's key, such as ENG"),
					issue_type: text("Such as Task, Bug or Story"),
					summary: text("Its title"),
				},
				{
					description: text("Its text, in Jira's markup"),
					labels,
					due_date: text("A day, such as 2026-01-31"),
					assignee_id: text("A user's accountId, from find_users"),
					priority: text("Such as High"),
					parent: text("The key of the epic or, for a subtask, of the issue above it"),
				},
			),
			body: {
				kind: "json",
				value: {
					fields: {
						project: { key: "{{params.project}}" },
						issuetype: { name: "{{params.issue_type}}" },
						summary: "{{params.summary}}",
						description: "{{params.description}}",
						labels: "{{params.labels}}",
						duedate: "{{params.due_date}}",
						assignee: { accountId: "{{params.assignee_id}}" },
						priority: { name: "{{params.priority}}" },
						parent: { key: "{{params.parent}}" },
					},
				},
			},
			output: {
				schema: answer({
					id: text("The issue's id"),
					key: text("Such as ENG-123"),
					self: text("Its API address"),
				}),
			},
			examples: [
				{ title: "A bug", params: { project: "ENG", issue_type: "Bug", summary: "Crash on start" } },
			],
		},
		get_issue: {
			title: "Get an issue",
			method: "GET",
			path: "/issue/{issue}",
			params: params({ issue }, { fields: text("Field names, comma-separated; all if left out") }),
			query: { fields: "{{params.fields}}" },
			output: { schema: found },
			examples: [{ title: "One", params: { issue: "ENG-123", fields: "summary,status" } }],
		},
		update_issue: {
			title: "Update an issue",
			description: "Changes only the given fields.",
			method: "PUT",
			path: "/issue/{issue}",
			params: params({ issue, fields: object("New values by field name") }),
			body: { kind: "json", value: { fields: "{{params.fields}}" } },
			response: "text",
			output: done("changed", "Always true"),
			examples: [
				{ title: "A new title", params: { issue: "ENG-123", fields: { summary: "Crash on exit" } } },
			],
		},
		add_comment: {
			title: "Comment on an issue",
			method: "POST",
			path: "/issue/{issue}/comment",
			params: params({ issue, body: text("The comment, in Jira's markup") }),
			body: { kind: "json", value: { body: "{{params.body}}" } },
			output: {
				schema: answer({
					id: text("The comment's id"),
					body: text("Its text"),
					created: text("Creation time"),
				}),
			},
			examples: [{ title: "Done", params: { issue: "ENG-123", body: "Deployed." } }],
		},
		search_issues: {
			title: "Search issues with JQL",
			method: "GET",
			path: "/search/jql",
			params: params(
				{ jql: text("Such as: project = ENG AND status = Open ORDER BY created DESC") },
				{
					fields: text("Field names, comma-separated", { default: "summary,status,assignee" }),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 5000, default: 50 }),
					next_page_token: text("nextPageToken of the previous page"),
				},
			),
			query: {
				jql: "{{params.jql}}",
				fields: "{{params.fields}}",
				maxResults: "{{params.limit}}",
				nextPageToken: "{{params.next_page_token}}",
			},
			paginate: {
				by: "cursor",
				cursor: "nextPageToken",
				optional: true,
				param: "nextPageToken",
				items: "issues",
			},
			output: {
				schema: answer({
					issues: list(found, "The issues"),
					nextPageToken: text("Token of the next page; missing on the last page"),
					isLast: flag("Whether this is the last page"),
				}),
			},
			examples: [{ title: "Open issues", params: { jql: "project = ENG AND statusCategory != Done" } }],
		},
		list_transitions: {
			title: "List the transitions of an issue",
			method: "GET",
			path: "/issue/{issue}/transitions",
			params: params({ issue }),
			output: {
				schema: answer({
					transitions: list(
						object("A transition", { id: text("Its id"), name: text("Such as Done") }),
						"The transitions that are possible now",
					),
				}),
			},
			examples: [{ title: "One", params: { issue: "ENG-123" } }],
		},
		transition_issue: {
			title: "Move an issue to another status",
			method: "POST",
			path: "/issue/{issue}/transitions",
			params: params({ issue, transition_id: text("The transition's id, from list_transitions") }),
			body: { kind: "json", value: { transition: { id: "{{params.transition_id}}" } } },
			response: "text",
			output: done("moved", "Always true"),
			examples: [{ title: "Done", params: { issue: "ENG-123", transition_id: "31" } }],
		},
		assign_issue: {
			title: "Assign an issue",
			method: "PUT",
			path: "/issue/{issue}/assignee",
			params: params({
				issue,
				account_id: anyOf(
					[{ type: "string" }, { type: "null" }],
					"A user's accountId, from find_users; null to remove the assignee",
				),
			}),
			body: { kind: "json", value: { accountId: "{{params.account_id}}" } },
			response: "text",
			output: done("assigned", "Always true"),
			examples: [{ title: "One", params: { issue: "ENG-123", account_id: "5b10ac8d82e05b22cc7d4ef5" } }],
		},
		attach_file: {
			title: "Attach a file to an issue",
			method: "POST",
			path: "/issue/{issue}/attachments",
			params: params({ issue, file: file("The file") }),
			headers: { "x-atlassian-token": "no-check" },
			body: { kind: "multipart", parts: [{ name: "file", file: "{{params.file}}" }] },
			output: {
				value: "{{data[0]}}",
				schema: answer({
					id: { description: "The attachment's id" },
					filename: text("Its name"),
					content: text("URL of the file"),
				}),
			},
			examples: [
				{
					title: "A report",
					params: { issue: "ENG-123", file: exampleFile("report.pdf", "application/pdf") },
				},
			],
		},
		link_issues: {
			title: "Link two issues",
			method: "POST",
			path: "/issueLink",
			params: params({
				type: text("The link's type, such as Blocks or Relates"),
				from: text("The key of the issue that blocks, duplicates or relates to the other"),
				to: text("The key of the other issue"),
			}),
			body: {
				kind: "json",
				value: {
					type: { name: "{{params.type}}" },
					inwardIssue: { key: "{{params.from}}" },
					outwardIssue: { key: "{{params.to}}" },
				},
			},
			response: "text",
			output: done("linked", "Always true"),
			examples: [{ title: "It blocks", params: { type: "Blocks", from: "ENG-1", to: "ENG-2" } }],
		},
		list_comments: {
			title: "List comments on an issue",
			method: "GET",
			path: "/issue/{issue}/comment",
			params: params(
				{ issue },
				{
					start_at: integer("Index of the first result", { minimum: 0, default: 0 }),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
				},
			),
			query: { startAt: "{{params.start_at}}", maxResults: "{{params.limit}}", orderBy: "created" },
			paginate: pages("comments"),
			output: {
				schema: answer({
					comments: list(
						object("A comment", {
							id: text("Its id"),
							body: text("Its text"),
							created: text("Creation time"),
							author: object("Author", { displayName: text("Name") }),
						}),
						"The comments, oldest first",
					),
					total: integer("Total number of comments"),
				}),
			},
			examples: [{ title: "One issue", params: { issue: "ENG-123" } }],
		},
		list_projects: {
			title: "List projects",
			method: "GET",
			path: "/project/search",
			params: params(
				{},
				{
					query: text("Words in the name or the key"),
					start_at: integer("Index of the first result", { minimum: 0, default: 0 }),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 50 }),
				},
			),
			query: { query: "{{params.query}}", startAt: "{{params.start_at}}", maxResults: "{{params.limit}}" },
			paginate: pages("values"),
			output: {
				schema: answer({
					values: list(
						object("A project", { id: text("Its id"), key: text("Such as ENG"), name: text("Its name") }),
						"The projects",
					),
					total: integer("Total number of projects"),
					isLast: flag("Whether this is the last page"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		find_users: {
			title: "Find users",
			method: "GET",
			path: "/user/search",
			params: params(
				{ query: text("A name or an e-mail address") },
				{ limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 50 }) },
			),
			query: { query: "{{params.query}}", maxResults: "{{params.limit}}" },
			output: {
				schema: list(
					answer({
						accountId: text("The user's id, for assign_issue"),
						displayName: text("Name"),
						active: flag("Whether the user is active"),
					}),
					"The users",
				),
			},
			examples: [{ title: "By address", params: { query: "ada@example.com" } }],
		},
	},
};
