import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, done, exampleFile, object, orNull, params, pass } from "./schema.ts";

const task_id = text("The task's id");
const list_id = text("The list's id");
const space_id = text("The space's id, from list_spaces");
const archived = flag("Archived ones instead", { default: false });
const fields = {
	markdown_content: text("Its text in Markdown"),
	status: text("A status of the list, such as in progress"),
	priority: integer("1 urgent, 2 high, 3 normal, 4 low", { minimum: 1, maximum: 4 }),
	due_date: integer("Time in milliseconds", { minimum: 0 }),
	start_date: integer("Time in milliseconds", { minimum: 0 }),
	time_estimate: integer("Milliseconds", { minimum: 0 }),
	parent: text("The id of the task that it is a subtask of"),
};
const task = answer({
	id: task_id,
	name: text("Its title"),
	url: text("URL of its page"),
	status: object("Its status", { status: text("Its name"), type: text("open, custom, done or closed") }),
	due_date: orNull(text("Time in milliseconds")),
});
const named = (what: string) => list(object("One", { id: text("Its id"), name: text("Its name") }), what);

export const clickup: ApiRecipe = {
	id: "clickup",
	category: "projects",
	title: "ClickUp",
	description: "Tasks, comments and lists of ClickUp.",
	auth: "clickup_token",
	base_url: "https://api.clickup.com/api/v2",
	docs_url: "https://developer.clickup.com/reference",
	operations: {
		list_workspaces: {
			title: "List workspaces",
			method: "GET",
			path: "/team",
			params: params({}),
			output: { schema: answer({ teams: named("The workspaces") }) },
			examples: [{ title: "All", params: {} }],
		},
		list_spaces: {
			title: "List the spaces of a workspace",
			method: "GET",
			path: "/team/{workspace_id}/space",
			params: params({ workspace_id: text("The workspace's id, from list_workspaces") }, { archived }),
			query: pass("archived"),
			output: { schema: answer({ spaces: named("The spaces") }) },
			examples: [{ title: "One workspace", params: { workspace_id: "9007000001" } }],
		},
		list_folders: {
			title: "List the folders of a space with their lists",
			method: "GET",
			path: "/space/{space_id}/folder",
			params: params({ space_id }, { archived }),
			query: pass("archived"),
			output: {
				schema: answer({
					folders: list(
						object("A folder", { id: text("Its id"), name: text("Its name"), lists: named("Its lists") }),
						"The folders",
					),
				}),
			},
			examples: [{ title: "One space", params: { space_id: "790" } }],
		},
		list_lists: {
			title: "List the lists of a space that are in no folder",
			method: "GET",
			path: "/space/{space_id}/list",
			params: params({ space_id }, { archived }),
			query: pass("archived"),
			output: { schema: answer({ lists: named("The lists") }) },
			examples: [{ title: "One space", params: { space_id: "790" } }],
		},
		list_tasks: {
			title: "List the tasks of a list",
			description: "Returns at most 100 tasks.",
			method: "GET",
			path: "/list/{list_id}/task",
			params: params(
				{ list_id },
				{
					page: integer("Page, from 0", { minimum: 0, default: 0 }),
					statuses: list(text("A status"), "Only tasks with one of these statuses"),
					assignees: list(text("A user's id"), "Only tasks of one of these users"),
					include_closed: flag("Also closed tasks", { default: false }),
					subtasks: flag("Also subtasks", { default: false }),
					updated_after: integer("Only tasks changed after this time in milliseconds"),
					order_by: text("id, created, updated or due_date", { default: "created" }),
				},
			),
			query: {
				"statuses[]": "{{params.statuses}}",
				"assignees[]": "{{params.assignees}}",
				...pass("page", "include_closed", "subtasks", "order_by"),
				date_updated_gt: "{{params.updated_after}}",
			},
			paginate: { by: "page", param: "page", start: 0, items: "tasks" },
			output: {
				schema: answer({ tasks: list(task, "The tasks"), last_page: flag("Whether this is the last page") }),
			},
			examples: [{ title: "Open tasks", params: { list_id: "901", statuses: ["to do"] } }],
		},
		get_task: {
			title: "Get a task",
			method: "GET",
			path: "/task/{task_id}",
			params: params({ task_id }, { include_subtasks: flag("Also its subtasks", { default: false }) }),
			query: pass("include_subtasks"),
			output: { schema: task },
			examples: [{ title: "One", params: { task_id: "9hx" } }],
		},
		create_task: {
			title: "Create a task",
			method: "POST",
			path: "/list/{list_id}/task",
			params: params(
				{ list_id, name: text("Its title") },
				{
					...fields,
					assignees: list(integer("A user's id"), "Assignees"),
					tags: list(text("A tag"), "Tags"),
					custom_fields: list(
						object("{ id, value }", { id: text("The field's id") }),
						"Values of custom fields",
					),
					notify_all: flag("Notify everyone, including the creator"),
				},
			),
			body: {
				kind: "json",
				value: pass("name", ...Object.keys(fields), "assignees", "tags", "custom_fields", "notify_all"),
			},
			output: { schema: task },
			examples: [{ title: "A task", params: { list_id: "901", name: "Call back", priority: 2 } }],
		},
		update_task: {
			title: "Update a task",
			description: "Changes only the given fields.",
			method: "PUT",
			path: "/task/{task_id}",
			params: params(
				{ task_id },
				{
					name: text("A new title"),
					...fields,
					add_assignees: list(integer("A user's id"), "Users to assign"),
					remove_assignees: list(integer("A user's id"), "Users to remove"),
					archived: flag("Whether it is archived"),
				},
			),
			body: {
				kind: "json",
				value: {
					...pass("name", ...Object.keys(fields), "archived"),
					assignees: { add: "{{params.add_assignees}}", rem: "{{params.remove_assignees}}" },
				},
			},
			output: { schema: task },
			examples: [{ title: "Done", params: { task_id: "9hx", status: "complete" } }],
		},
		set_custom_field: {
			title: "Set a custom field of a task",
			method: "POST",
			path: "/task/{task_id}/field/{field_id}",
			params: params({
				task_id,
				field_id: text("The field's id"),
				value: { description: "Its value; the form depends on the field's type" },
			}),
			body: { kind: "json", value: pass("value") },
			response: "text",
			output: done("set", "Always true"),
			examples: [
				{
					title: "A number",
					params: { task_id: "9hx", field_id: "03efda77-c7a0-42d3-8afd-fd546353c2f5", value: 80 },
				},
			],
		},
		delete_task: {
			title: "Delete a task",
			method: "DELETE",
			path: "/task/{task_id}",
			params: params({ task_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { task_id: "9hx" } }],
		},
		add_comment: {
			title: "Comment on a task",
			method: "POST",
			path: "/task/{task_id}/comment",
			params: params(
				{ task_id, comment_text: text("The comment") },
				{
					assignee: integer("Assign it to this user"),
					notify_all: flag("Notify everyone", { default: false }),
				},
			),
			body: { kind: "json", value: pass("comment_text", "assignee", "notify_all") },
			output: {
				schema: answer({
					id: anyOf([{ type: "string" }, { type: "integer" }], "The comment's id"),
					date: { description: "Time in milliseconds" },
				}),
			},
			examples: [{ title: "Done", params: { task_id: "9hx", comment_text: "Deployed." } }],
		},
		attach_file: {
			title: "Attach a file to a task",
			method: "POST",
			path: "/task/{task_id}/attachment",
			params: params({ task_id, file: file("The file") }),
			body: { kind: "multipart", parts: [{ name: "attachment", file: "{{params.file}}" }] },
			output: {
				schema: answer({
					id: text("The attachment's id"),
					title: text("Its name"),
					url: text("URL of the file"),
				}),
			},
			examples: [
				{ title: "A report", params: { task_id: "9hx", file: exampleFile("report.pdf", "application/pdf") } },
			],
		},
	},
};
