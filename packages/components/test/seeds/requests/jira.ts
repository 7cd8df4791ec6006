import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const found = { id: "10002", key: "ENG-1", fields: { summary: "Main order flow broken" } };

export const jira = toExchanges(
	{
		id: "jira",
		authRecipe: "jira_token",
		fields: { host: "my-team.atlassian.net", email: "ada@example.com", api_token: "test-jira-token" },
		base: "https://my-team.atlassian.net/rest/api/2",
		headers: { authorization: "Basic YWRhQGV4YW1wbGUuY29tOnRlc3QtamlyYS10b2tlbg==" },
	},
	{
		create_issue: {
			params: {
				project: "ENG",
				issue_type: "Bug",
				summary: "Main order flow broken",
				labels: ["blitz_test"],
				assignee_id: "5b109f2e9729b51b54dc274d",
				priority: "High",
				parent: "ENG-9",
			},
			sends: "POST /issue",
			json: {
				fields: {
					project: { key: "ENG" },
					issuetype: { name: "Bug" },
					summary: "Main order flow broken",
					labels: ["blitz_test"],
					assignee: { accountId: "5b109f2e9729b51b54dc274d" },
					priority: { name: "High" },
					parent: { key: "ENG-9" },
				},
			},
			status: 201,
			answer: { id: "10000", key: "ENG-24", self: "https://my-team.atlassian.net/rest/api/2/issue/10000" },
		},
		get_issue: {
			params: { issue: "ENG-1", fields: "summary,status" },
			sends: "GET /issue/ENG-1?fields=summary%2Cstatus",
			answer: found,
		},
		update_issue: {
			params: { issue: "ENG-1", fields: { summary: "Completed orders still displaying in pending" } },
			sends: "PUT /issue/ENG-1",
			json: { fields: { summary: "Completed orders still displaying in pending" } },
			status: 204,
			output: { changed: true },
		},
		add_comment: {
			params: { issue: "ENG-1", body: "Deployed." },
			sends: "POST /issue/ENG-1/comment",
			json: { body: "Deployed." },
			status: 201,
			answer: { id: "10000", body: "Deployed.", created: "2021-01-17T12:34:00.000+0000" },
		},
		search_issues: {
			params: { jql: "project = ENG AND status = Open", limit: 10, next_page_token: "abc" },
			sends:
				"GET /search/jql?jql=project%20%3D%20ENG%20AND%20status%20%3D%20Open&fields=summary%2Cstatus%2Cassignee&maxResults=10&nextPageToken=abc",
			answer: { issues: [found], isLast: true },
		},
		list_transitions: {
			params: { issue: "ENG-1" },
			sends: "GET /issue/ENG-1/transitions",
			answer: { transitions: [{ id: "31", name: "Done" }] },
		},
		transition_issue: {
			params: { issue: "ENG-1", transition_id: "31" },
			sends: "POST /issue/ENG-1/transitions",
			json: { transition: { id: "31" } },
			status: 204,
			output: { moved: true },
		},
		assign_issue: {
			params: { issue: "ENG-1", account_id: "5b10ac8d82e05b22cc7d4ef5" },
			sends: "PUT /issue/ENG-1/assignee",
			json: { accountId: "5b10ac8d82e05b22cc7d4ef5" },
			status: 204,
			output: { assigned: true },
		},
		attach_file: {
			params: { issue: "ENG-1", file: picture },
			sends: "POST /issue/ENG-1/attachments",
			headers: { "x-atlassian-token": "no-check" },
			parts: [{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE }],
			answer: [
				{
					id: "10001",
					filename: "chart ü.png",
					content: "https://my-team.atlassian.net/rest/api/2/attachment/content/10001",
				},
			],
			output: {
				id: "10001",
				filename: "chart ü.png",
				content: "https://my-team.atlassian.net/rest/api/2/attachment/content/10001",
			},
		},
		link_issues: {
			params: { type: "Duplicate", from: "ENG-1", to: "ENG-2" },
			sends: "POST /issueLink",
			json: { type: { name: "Duplicate" }, inwardIssue: { key: "ENG-1" }, outwardIssue: { key: "ENG-2" } },
			status: 201,
			output: { linked: true },
		},
		list_comments: {
			params: { issue: "ENG-1", limit: 10 },
			sends: "GET /issue/ENG-1/comment?startAt=0&maxResults=10&orderBy=created",
			answer: {
				comments: [
					{
						id: "10000",
						body: "Deployed.",
						created: "2021-01-17T12:34:00.000+0000",
						author: { displayName: "Mia" },
					},
				],
				startAt: 0,
				maxResults: 10,
				total: 1,
			},
		},
		list_projects: {
			params: { query: "eng", start_at: 50 },
			sends: "GET /project/search?query=eng&startAt=50&maxResults=50",
			answer: {
				values: [{ id: "10000", key: "ENG", name: "Engineering" }],
				startAt: 50,
				maxResults: 50,
				total: 51,
				isLast: true,
			},
		},
		find_users: {
			params: { query: "ada@example.com" },
			sends: "GET /user/search?query=ada%40example.com&maxResults=50",
			answer: [{ accountId: "5b10ac8d82e05b22cc7d4ef5", displayName: "Ada", active: true }],
		},
	},
);
