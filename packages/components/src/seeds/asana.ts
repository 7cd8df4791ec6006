import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { answer, exampleFile, object, orNull, params, pass } from "./schema.ts";

const TASK = "1205000000000007";
const PROJECT = "1205000000000003";
const task = text("The task's gid");
const project = text("The project's gid");
const workspace = text("The workspace's gid, from list_workspaces");
const opt_fields = text("Fields to return, comma-separated, such as name,completed,due_on,assignee.name");
const paging = {
	limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
	offset: text("next_page.offset of the previous page"),
};
const paginate = {
	by: "cursor",
	cursor: "next_page.offset",
	optional: true,
	param: "offset",
	items: "data",
} as const;
const next_page = orNull(object("For paging", { offset: text("Offset of the next page") }));
const fields = {
	notes: text("Its description"),
	html_notes: text("Its description as HTML within <body>; instead of notes"),
	assignee: text("A user's gid or e-mail address, or me"),
	due_on: text("A day, such as 2026-01-31"),
	due_at: text("A time, such as 2026-01-31T09:00:00Z; instead of due_on"),
	completed: flag("Whether it is done"),
	custom_fields: object("Values by the custom field's gid"),
};
const found = answer({ gid: text("The task's gid"), name: text("Its title") });
const named = (what: string) => list(answer({ gid: text("Its gid"), name: text("Its name") }), what);
const whole = answer({
	gid: text("The task's gid"),
	name: text("Its title"),
	completed: flag("Whether it is done"),
	due_on: orNull(text("A day")),
	permalink_url: text("URL of its page"),
});

export const asana: ApiRecipe = {
	id: "asana",
	category: "projects",
	title: "Asana",
	description: "Tasks, comments and projects of Asana.",
	auth: "asana_token",
	base_url: "https://app.asana.com/api/1.0",
	docs_url: "https://developers.asana.com/reference/rest-api-reference",
	operations: {
		list_workspaces: {
			title: "List workspaces",
			method: "GET",
			path: "/workspaces",
			params: params({}, paging),
			query: pass("limit", "offset"),
			paginate: paginate,
			output: { schema: answer({ data: named("The workspaces"), next_page }) },
			examples: [{ title: "All", params: {} }],
		},
		list_projects: {
			title: "List projects",
			method: "GET",
			path: "/projects",
			params: params({ workspace }, { archived: flag("Only archived, or only active ones"), ...paging }),
			query: pass("workspace", "archived", "limit", "offset"),
			paginate: paginate,
			output: { schema: answer({ data: named("The projects"), next_page }) },
			examples: [{ title: "Active", params: { workspace: "1205000000000001", archived: false } }],
		},
		list_sections: {
			title: "List the sections of a project",
			method: "GET",
			path: "/projects/{project}/sections",
			params: params({ project }, paging),
			query: pass("limit", "offset"),
			paginate: paginate,
			output: { schema: answer({ data: named("The sections"), next_page }) },
			examples: [{ title: "One project", params: { project: PROJECT } }],
		},
		list_tasks: {
			title: "List tasks",
			description: "Of a project or a section, or of an assignee in a workspace.",
			method: "GET",
			path: "/tasks",
			params: params(
				{},
				{
					project,
					section: text("The section's gid"),
					assignee: text("A user's gid, or me; with workspace"),
					workspace,
					completed_since: text("Only tasks not done, or done since this time; now for those not done"),
					modified_since: text("Only tasks changed since this time"),
					opt_fields: { ...opt_fields, default: "name,completed,due_on,assignee.name,permalink_url" },
					...paging,
				},
			),
			query: pass(
				"project",
				"section",
				"assignee",
				"workspace",
				"completed_since",
				"modified_since",
				"opt_fields",
				"limit",
				"offset",
			),
			paginate: paginate,
			output: { schema: answer({ data: list(found, "The tasks"), next_page }) },
			examples: [{ title: "Open tasks", params: { project: PROJECT, completed_since: "now" } }],
		},
		get_task: {
			title: "Get a task",
			method: "GET",
			path: "/tasks/{task}",
			params: params({ task }, { opt_fields }),
			query: pass("opt_fields"),
			output: { value: "{{data.data}}", schema: found },
			examples: [{ title: "One", params: { task: TASK } }],
		},
		create_task: {
			title: "Create a task",
			description: "Set projects, workspace or parent.",
			method: "POST",
			path: "/tasks",
			params: params(
				{ name: text("Its title") },
				{
					projects: list(project, "Projects"),
					workspace,
					parent: text("The gid of the task that it is a subtask of"),
					...fields,
				},
			),
			body: {
				kind: "json",
				value: { data: pass("name", "projects", "workspace", "parent", ...Object.keys(fields)) },
			},
			output: { value: "{{data.data}}", schema: whole },
			examples: [
				{ title: "A task", params: { name: "Call back", projects: [PROJECT], due_on: "2026-01-31" } },
			],
		},
		update_task: {
			title: "Update a task",
			description: "Changes only the given fields.",
			method: "PUT",
			path: "/tasks/{task}",
			params: params({ task }, { name: text("A new title"), ...fields }),
			body: { kind: "json", value: { data: pass("name", ...Object.keys(fields)) } },
			output: { value: "{{data.data}}", schema: whole },
			examples: [{ title: "Done", params: { task: TASK, completed: true } }],
		},
		move_task: {
			title: "Move a task to a section",
			method: "POST",
			path: "/sections/{section}/addTask",
			params: params({ task, section: text("The section's gid") }),
			body: { kind: "json", value: { data: { task: "{{params.task}}" } } },
			output: { schema: answer({}) },
			examples: [{ title: "One", params: { task: TASK, section: "1205000000000005" } }],
		},
		add_comment: {
			title: "Comment on a task",
			method: "POST",
			path: "/tasks/{task}/stories",
			params: params({ task, text: text("The comment") }),
			body: { kind: "json", value: { data: { text: "{{params.text}}" } } },
			output: {
				value: "{{data.data}}",
				schema: answer({ gid: text("The comment's gid"), text: text("Its text"), created_at: text("When") }),
			},
			examples: [{ title: "Done", params: { task: TASK, text: "Deployed." } }],
		},
		attach_file: {
			title: "Attach a file to a task",
			method: "POST",
			path: "/attachments",
			params: params({ task, file: file("The file") }),
			body: {
				kind: "multipart",
				parts: [
					{ name: "parent", text: "{{params.task}}" },
					{ name: "file", file: "{{params.file}}" },
				],
			},
			output: {
				value: "{{data.data}}",
				schema: answer({ gid: text("The attachment's gid"), name: text("Its name") }),
			},
			examples: [
				{ title: "A report", params: { task: TASK, file: exampleFile("report.pdf", "application/pdf") } },
			],
		},
	},
};
