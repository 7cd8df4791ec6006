import { toExchanges } from "../exchange.ts";

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
			},
			sends: "POST /issue",
			json: {
				fields: {
					project: { key: "ENG" },
					issuetype: { name: "Bug" },
					summary: "Main order flow broken",
					labels: ["blitz_test"],
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
	},
);
