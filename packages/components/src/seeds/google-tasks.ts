import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { readTokens } from "./paging.ts";
import { answer, done, object, params } from "./schema.ts";

const list_id = text("The list's id; @default is the account's first", { default: "@default" });
const task_id = text("The task's id");
const due = text("The day it is due, such as 2026-01-31T00:00:00Z; the time is ignored");
const page_token = text("nextPageToken of the previous page");
const task = answer({
	id: text("Its id"),
	title: text("Its title"),
	notes: text("Its notes"),
	status: text("needsAction or completed"),
	due: text("The day it is due"),
	updated: text("Time of the last change"),
});

export const googleTasks: ApiRecipe = {
	id: "google_tasks",
	category: "projects",
	title: "Google Tasks",
	description:
		"Lists of tasks. The scope is https://www.googleapis.com/auth/tasks. A service account needs domain-wide delegation and a subject.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://tasks.googleapis.com/tasks/v1",
	docs_url: "https://developers.google.com/workspace/tasks/reference/rest",
	operations: {
		list_task_lists: {
			title: "List the lists of tasks",
			method: "GET",
			path: "/users/@me/lists",
			params: params({}, { page_token }),
			query: { maxResults: 100, pageToken: "{{params.page_token}}" },
			paginate: readTokens("items"),
			output: {
				schema: answer({
					items: list(object("A list", { id: text("Its id"), title: text("Its title") }), "The lists"),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		list_tasks: {
			title: "List tasks",
			method: "GET",
			path: "/lists/{list_id}/tasks",
			params: params(
				{},
				{
					list_id,
					show_completed: flag("Include completed tasks", { default: true }),
					due_before: text("Only tasks that are due before this time"),
					updated_after: text("Only tasks that changed after this time"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
					page_token,
				},
			),
			query: {
				showCompleted: "{{params.show_completed}}",
				showHidden: "{{params.show_completed}}",
				dueMax: "{{params.due_before}}",
				updatedMin: "{{params.updated_after}}",
				maxResults: "{{params.limit}}",
				pageToken: "{{params.page_token}}",
			},
			paginate: readTokens("items"),
			output: {
				schema: answer({
					items: list(task, "The tasks; missing if there are none"),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [{ title: "What is open", params: { show_completed: false } }],
		},
		create_task: {
			title: "Create a task",
			method: "POST",
			path: "/lists/{list_id}/tasks",
			params: params({ title: text("Its title") }, { list_id, notes: text("Its notes"), due }),
			body: {
				kind: "json",
				value: { title: "{{params.title}}", notes: "{{params.notes}}", due: "{{params.due}}" },
			},
			output: { schema: task },
			examples: [{ title: "One", params: { title: "Call Ada", due: "2026-01-31T00:00:00Z" } }],
		},
		update_task: {
			title: "Change or complete a task",
			method: "PATCH",
			path: "/lists/{list_id}/tasks/{task_id}",
			params: params(
				{ task_id },
				{
					list_id,
					title: text("A new title"),
					notes: text("New notes"),
					due,
					status: choice(["needsAction", "completed"], "Whether it is done"),
				},
			),
			body: {
				kind: "json",
				value: {
					title: "{{params.title}}",
					notes: "{{params.notes}}",
					due: "{{params.due}}",
					status: "{{params.status}}",
				},
			},
			output: { schema: task },
			examples: [{ title: "Done", params: { task_id: "abc", status: "completed" } }],
		},
		delete_task: {
			title: "Delete a task",
			method: "DELETE",
			path: "/lists/{list_id}/tasks/{task_id}",
			params: params({ task_id }, { list_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { task_id: "abc" } }],
		},
	},
};
