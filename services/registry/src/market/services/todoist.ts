import { flag, integer, list, text } from "@tripline/components/schema-words";
import { recipe } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

const task = object(
	{
		id: text("Its id"),
		content: text("What is to be done"),
		description: text("More about it"),
		project_id: text("Its project"),
		priority: integer("1 is normal, 4 is urgent"),
		labels: list({ type: "string" }, "Its labels"),
		due: orNull(object({ date: text("The day, or the time") }, "When it is due", ["date"])),
		checked: flag("Whether it is done"),
	},
	"The task",
	["id", "content"],
);
const page = (items: typeof task, description: string) =>
	object(
		{
			results: list(items, description),
			next_cursor: orNull(text("Give it as cursor to read on; null at the end")),
		},
		"A page",
	);
const cursor = text("next_cursor of the page before");
const limit = integer("How many at most", { minimum: 1, maximum: 200, default: 50 });
const written = {
	description: text("More about it, in Markdown", { maxLength: 16_383 }),
	labels: list({ type: "string" }, "Names of labels"),
	priority: integer("1 is normal, 4 is urgent", { minimum: 1, maximum: 4 }),
	due_string: text("When it is due, in words: tomorrow at 12, every monday", { maxLength: 150 }),
	due_date: text("Instead: the day, such as 2026-03-01"),
	due_datetime: text("Instead: the time, as ISO 8601 in UTC"),
};
const sent = Object.fromEntries(Object.keys(written).map((name) => [name, `{{params.${name}}}`]));

export const todoist = recipe({
	id: "todoist",
	title: "Todoist",
	description: `Tasks and projects of [Todoist](https://todoist.com): create, find, change and complete tasks.

Use it to turn mails, forms and alerts into tasks, and to send a list of what is due. It takes an API token, from Todoist's settings under Integrations, Developer.`,
	tags: ["tasks", "productivity"],
	hosts: ["api.todoist.com"],
	auth_recipes: {
		token: {
			title: "Todoist API token",
			type: "bearer",
			fields: [{ name: "token", secret: true, help: "Settings, Integrations, Developer: API token" }],
			inject: { token: "{token}" },
			hosts: ["api.todoist.com"],
		},
	},
	recipe: {
		auth: "token",
		base_url: "https://api.todoist.com/api/v1",
		docs_url: "https://developer.todoist.com/api/v1/",
		operations: {
			create_task: {
				title: "Create a task",
				method: "POST",
				path: "/tasks",
				params: params(
					{
						content: text("What is to be done", { minLength: 1, maxLength: 500 }),
						project_id: text("Its project; default the inbox"),
						section_id: text("Its section"),
						parent_id: text("The task that it is a part of"),
						...written,
					},
					["content"],
				),
				body: {
					kind: "json",
					value: {
						content: "{{params.content}}",
						project_id: "{{params.project_id}}",
						section_id: "{{params.section_id}}",
						parent_id: "{{params.parent_id}}",
						...sent,
					},
				},
				output: { schema: task },
				examples: [
					{
						title: "In the inbox, for tomorrow",
						params: { content: "Buy tea", due_string: "tomorrow at 12", priority: 4 },
					},
				],
			},
			quick_add: {
				title: "Add a task in one line",
				description: "As in the app: dates, #projects, @labels and p1 to p4 in the text are understood.",
				method: "POST",
				path: "/tasks/quick",
				params: params({ text: text("The line", { minLength: 1 }), note: text("A comment on it") }, ["text"]),
				body: { kind: "json", value: { text: "{{params.text}}", note: "{{params.note}}" } },
				output: { schema: task },
				examples: [{ title: "One line", params: { text: "Buy milk #Shopping @groceries tomorrow p1" } }],
			},
			find_tasks: {
				title: "Find tasks",
				description: "Open tasks by Todoist's filter language, such as `today | overdue` or `#Work & p1`.",
				method: "GET",
				path: "/tasks/filter",
				params: params({ query: text("The filter", { minLength: 1, maxLength: 1_024 }), limit, cursor }, [
					"query",
				]),
				query: { query: "{{params.query}}", limit: "{{params.limit}}", cursor: "{{params.cursor}}" },
				output: { schema: page(task, "The tasks") },
				examples: [{ title: "What is due", params: { query: "today | overdue" } }],
			},
			list_tasks: {
				title: "List tasks",
				description: "Open tasks, all or those of a project, section or label.",
				method: "GET",
				path: "/tasks",
				params: params(
					{
						project_id: text("Only of this project"),
						section_id: text("Only of this section"),
						label: text("Only with this label"),
						limit,
						cursor,
					},
					[],
				),
				query: {
					project_id: "{{params.project_id}}",
					section_id: "{{params.section_id}}",
					label: "{{params.label}}",
					limit: "{{params.limit}}",
					cursor: "{{params.cursor}}",
				},
				output: { schema: page(task, "The tasks") },
				examples: [{ title: "With a label", params: { label: "groceries" } }],
			},
			update_task: {
				title: "Change a task",
				description: "Only what is given changes.",
				method: "POST",
				path: "/tasks/{task_id}",
				params: params(
					{
						task_id: text("The task's id"),
						content: text("What is to be done", { minLength: 1, maxLength: 500 }),
						...written,
					},
					["task_id"],
				),
				body: { kind: "json", value: { content: "{{params.content}}", ...sent } },
				output: { schema: task },
				examples: [{ title: "Urgent now", params: { task_id: "6X7rM8997g3RQmvh", priority: 4 } }],
			},
			close_task: {
				title: "Complete a task",
				description: "A task that repeats moves to its next day.",
				method: "POST",
				path: "/tasks/{task_id}/close",
				params: params({ task_id: text("The task's id") }, ["task_id"]),
				output: {
					value: { closed: true },
					schema: object({ closed: flag("True") }, "That it is done"),
				},
				response: "text",
				examples: [{ title: "Done", params: { task_id: "6X7rM8997g3RQmvh" } }],
			},
			list_projects: {
				title: "List projects",
				method: "GET",
				path: "/projects",
				params: params({ limit, cursor }, []),
				query: { limit: "{{params.limit}}", cursor: "{{params.cursor}}" },
				output: {
					schema: page(object({ id: text("Its id"), name: text("Its name") }, "The project"), "The projects"),
				},
				examples: [{ title: "The first 50", params: {} }],
			},
		},
	},
});
