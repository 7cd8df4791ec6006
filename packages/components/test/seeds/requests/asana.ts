import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const task = {
	gid: "12345",
	resource_type: "task",
	name: "Buy catnip",
	completed: false,
	due_on: null,
	permalink_url: "https://app.asana.com/0/1331/12345",
};
const next_page = {
	offset: "eyJ0eXAiOiJKV1QiLCJhbGciOiJIRzI1NiJ9",
	path: "/tasks",
	uri: "https://app.asana.com/",
};

export const asana = toExchanges(
	{
		id: "asana",
		authRecipe: "asana_token",
		fields: { token: "test-asana-token" },
		base: "https://app.asana.com/api/1.0",
		headers: { authorization: "Bearer test-asana-token" },
	},
	{
		list_workspaces: {
			sends: "GET /workspaces?limit=100",
			answer: { data: [{ gid: "1", resource_type: "workspace", name: "Acme" }], next_page: null },
		},
		list_projects: {
			params: { workspace: "1", archived: false, limit: 50 },
			sends: "GET /projects?workspace=1&archived=false&limit=50",
			answer: { data: [{ gid: "1331", resource_type: "project", name: "Stuff to buy" }], next_page },
		},
		list_sections: {
			params: { project: "1331" },
			sends: "GET /projects/1331/sections?limit=100",
			answer: { data: [{ gid: "5", resource_type: "section", name: "Next actions" }] },
		},
		list_tasks: {
			params: {
				project: "1331",
				completed_since: "now",
				opt_fields: "name,due_on",
				offset: "eyJ0eXAiOiJKV1QiLCJhbGciOiJIRzI1NiJ9",
			},
			sends:
				"GET /tasks?project=1331&completed_since=now&opt_fields=name%2Cdue_on&limit=100&offset=eyJ0eXAiOiJKV1QiLCJhbGciOiJIRzI1NiJ9",
			answer: { data: [task], next_page: null },
		},
		get_task: {
			params: { task: "12345", opt_fields: "name" },
			sends: "GET /tasks/12345?opt_fields=name",
			answer: { data: task },
			output: task,
		},
		create_task: {
			params: { name: "Buy catnip", projects: ["1331"], assignee: "me", due_on: "2026-01-31" },
			sends: "POST /tasks",
			json: { data: { name: "Buy catnip", projects: ["1331"], assignee: "me", due_on: "2026-01-31" } },
			status: 201,
			answer: { data: task },
			output: task,
		},
		update_task: {
			params: { task: "12345", completed: true },
			sends: "PUT /tasks/12345",
			json: { data: { completed: true } },
			answer: { data: { ...task, completed: true } },
			output: { ...task, completed: true },
		},
		move_task: {
			params: { task: "12345", section: "5" },
			sends: "POST /sections/5/addTask",
			json: { data: { task: "12345" } },
			answer: { data: {} },
		},
		add_comment: {
			params: { task: "12345", text: "This is a comment." },
			sends: "POST /tasks/12345/stories",
			json: { data: { text: "This is a comment." } },
			status: 201,
			answer: { data: { gid: "9", text: "This is a comment.", created_at: "2026-01-31T02:06:58.147Z" } },
			output: { gid: "9", text: "This is a comment.", created_at: "2026-01-31T02:06:58.147Z" },
		},
		attach_file: {
			params: { task: "12345", file: picture },
			sends: "POST /attachments",
			parts: [
				{ name: "parent", content: "12345" },
				{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE },
			],
			answer: { data: { gid: "77", resource_type: "attachment", name: "chart ü.png" } },
			output: { gid: "77", resource_type: "attachment", name: "chart ü.png" },
		},
	},
);
