import { toExchanges } from "../exchange.ts";

const FIELDS =
	"id identifier title url description priority state { id name type } assignee { id name } team { id key } createdAt";
const issue = {
	id: "2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9",
	identifier: "ENG-123",
	title: "Crash on start",
	url: "https://linear.app/acme/issue/ENG-123/crash-on-start",
	description: null,
	priority: 2,
	state: { id: "s1", name: "Todo", type: "unstarted" },
	assignee: null,
	team: { id: "9cfb482a-81e3-4154-b5b9-2c805e70a02d", key: "ENG" },
	createdAt: "2026-01-31T09:00:00.000Z",
};
const pageInfo = { hasNextPage: false, endCursor: null };
const comment = { id: "c1", body: "Deployed.", url: "https://linear.app/acme/issue/ENG-123#c1" };
const teams = {
	nodes: [{ id: "9cfb482a-81e3-4154-b5b9-2c805e70a02d", key: "ENG", name: "Engineering" }],
	pageInfo,
};

export const linear = toExchanges(
	{
		id: "linear",
		authRecipe: "linear_key",
		fields: { key: "test-linear-key" },
		base: "https://api.linear.app",
		headers: { authorization: "test-linear-key" },
	},
	{
		create_issue: {
			params: {
				team_id: "9cfb482a-81e3-4154-b5b9-2c805e70a02d",
				title: "Crash on start",
				priority: 2,
				label_ids: ["l1"],
			},
			sends: "POST /graphql",
			json: {
				query: `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${FIELDS} } } }`,
				variables: {
					input: {
						teamId: "9cfb482a-81e3-4154-b5b9-2c805e70a02d",
						title: "Crash on start",
						labelIds: ["l1"],
						priority: 2,
					},
				},
			},
			answer: { data: { issueCreate: { success: true, issue } } },
			output: issue,
		},
		update_issue: {
			params: { issue_id: "ENG-123", state_id: "s2" },
			sends: "POST /graphql",
			json: {
				query: `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${FIELDS} } } }`,
				variables: { id: "ENG-123", input: { stateId: "s2" } },
			},
			answer: { data: { issueUpdate: { success: true, issue } } },
			output: issue,
		},
		list_issues: {
			params: { filter: { team: { key: { eq: "ENG" } } }, first: 20 },
			sends: "POST /graphql",
			json: {
				query: `query ListIssues($filter: IssueFilter, $first: Int, $after: String) { issues(filter: $filter, first: $first, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
				variables: { filter: { team: { key: { eq: "ENG" } } }, first: 20 },
			},
			answer: { data: { issues: { nodes: [issue], pageInfo } } },
			output: { nodes: [issue], pageInfo },
		},
		add_comment: {
			params: { issue_id: "ENG-123", body: "Deployed." },
			sends: "POST /graphql",
			json: {
				query:
					"mutation CreateComment($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id body url createdAt } } }",
				variables: { input: { issueId: "ENG-123", body: "Deployed." } },
			},
			answer: { data: { commentCreate: { success: true, comment } } },
			output: comment,
		},
		list_teams: {
			sends: "POST /graphql",
			json: {
				query:
					"query ListTeams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { id key name states { nodes { id name type } } } pageInfo { hasNextPage endCursor } } }",
				variables: { first: 50 },
			},
			answer: { data: { teams } },
			output: teams,
		},
	},
);
