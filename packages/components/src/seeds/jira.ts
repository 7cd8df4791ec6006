import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, integer, list, text } from "../schema-words.ts";
import { answer, done, object, params } from "./schema.ts";

const issue = text("The issue's key such as ENG-123, or its id");
const labels = list(text("A label"), "Its labels");
const found = answer({
	id: text("The issue's id"),
	key: text("Such as ENG-123"),
	fields: object("Its fields by name", { summary: text("Its title") }),
});

/** Version 2 uses plain text; version 3 would require Atlassian's document format. */
export const jira: ApiRecipe = {
	id: "jira",
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
	},
};
