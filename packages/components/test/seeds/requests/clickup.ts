import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const task = {
	id: "9hx",
	name: "Call back",
	url: "https://app.clickup.com/t/9hx",
	status: { status: "to do", type: "open", color: "#d3d3d3" },
	due_date: null,
};

export const clickup = toExchanges(
	{
		id: "clickup",
		authRecipe: "clickup_token",
		fields: { token: "pk_test" },
		base: "https://api.clickup.com/api/v2",
		headers: { authorization: "pk_test" },
	},
	{
		list_workspaces: { sends: "GET /team", answer: { teams: [{ id: "1234", name: "Acme", members: [] }] } },
		list_spaces: {
			params: { workspace_id: "1234" },
			sends: "GET /team/1234/space?archived=false",
			answer: { spaces: [{ id: "790", name: "Sales" }] },
		},
		list_folders: {
			params: { space_id: "790" },
			sends: "GET /space/790/folder?archived=false",
			answer: { folders: [{ id: "457", name: "Leads", lists: [{ id: "901", name: "New" }] }] },
		},
		list_lists: {
			params: { space_id: "790", archived: true },
			sends: "GET /space/790/list?archived=true",
			answer: { lists: [{ id: "124", name: "Old" }] },
		},
		list_tasks: {
			params: { list_id: "901", statuses: ["to do", "in progress"], page: 1 },
			sends:
				"GET /list/901/task?statuses%5B%5D=to%20do&statuses%5B%5D=in%20progress&page=1&include_closed=false&subtasks=false&order_by=created",
			answer: { tasks: [task], last_page: true },
		},
		get_task: {
			params: { task_id: "9hx", include_subtasks: true },
			sends: "GET /task/9hx?include_subtasks=true",
			answer: task,
		},
		create_task: {
			params: { list_id: "901", name: "Call back", priority: 2, assignees: [183], tags: ["lead"] },
			sends: "POST /list/901/task",
			json: { name: "Call back", priority: 2, assignees: [183], tags: ["lead"] },
			answer: task,
		},
		update_task: {
			params: { task_id: "9hx", status: "complete", add_assignees: [182], remove_assignees: [183] },
			sends: "PUT /task/9hx",
			json: { status: "complete", assignees: { add: [182], rem: [183] } },
			answer: task,
		},
		set_custom_field: {
			params: { task_id: "9hx", field_id: "03efda77-c7a0-42d3-8afd-fd546353c2f5", value: { current: 20 } },
			sends: "POST /task/9hx/field/03efda77-c7a0-42d3-8afd-fd546353c2f5",
			json: { value: { current: 20 } },
			answer: {},
			output: { set: true },
		},
		delete_task: {
			params: { task_id: "9hx" },
			sends: "DELETE /task/9hx",
			status: 204,
			output: { deleted: true },
		},
		add_comment: {
			params: { task_id: "9hx", comment_text: "Deployed.", assignee: 183 },
			sends: "POST /task/9hx/comment",
			json: { comment_text: "Deployed.", assignee: 183, notify_all: false },
			answer: { id: "458", hist_id: "26508", date: 1_568_036_964_079 },
		},
		attach_file: {
			params: { task_id: "9hx", file: picture },
			sends: "POST /task/9hx/attachment",
			parts: [{ name: "attachment", filename: "chart ü.png", type: "image/png", content: PICTURE }],
			answer: {
				id: "ac434d4e.png",
				title: "chart ü.png",
				url: "https://attachments-public.clickup.com/ac434d4e/chart.png",
			},
		},
	},
);
