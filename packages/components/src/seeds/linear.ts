import type { ApiRecipe } from "@tripline/contract/recipes";
import { flag, integer, list, text } from "../schema-words.ts";
import { answer, object, orNull, params } from "./schema.ts";

/** GraphQL responds with 200 to many failed calls. */
const error = "Linear: {{data.errors[0].message}}";
const ISSUE =
	"id identifier title url description priority state { id name type } assignee { id name } team { id key } createdAt";

const paging = {
	first: integer("Maximum number of results", { minimum: 1, maximum: 250, default: 50 }),
	after: text("pageInfo.endCursor of the previous page"),
};
/** Linear gives an end cursor on the last page too. */
const paginate = (items: string) =>
	({
		by: "cursor",
		cursor: `data.${items}.pageInfo.endCursor`,
		more: `data.${items}.pageInfo.hasNextPage`,
		body: "variables.after",
		items: `data.${items}.nodes`,
	}) as const;
const pageInfo = object("For paging", {
	hasNextPage: flag("Whether there are more"),
	endCursor: orNull(text("Pass as after to get the next page")),
});
const details = {
	description: text("Its text in Markdown"),
	assignee_id: text("A user's id"),
	state_id: text("A workflow state's id"),
	project_id: text("A project's id"),
	label_ids: list(text("A label's id"), "Its labels"),
	priority: integer("0 none, 1 urgent, 2 high, 3 normal, 4 low", { minimum: 0, maximum: 4 }),
	due_date: text("A day, such as 2026-01-31"),
};
const given = {
	description: "{{params.description}}",
	assigneeId: "{{params.assignee_id}}",
	stateId: "{{params.state_id}}",
	projectId: "{{params.project_id}}",
	labelIds: "{{params.label_ids}}",
	priority: "{{params.priority}}",
	dueDate: "{{params.due_date}}",
};
const issue = answer({
	id: text("The issue's id"),
	identifier: text("Such as ENG-123"),
	title: text("Its title"),
	url: text("URL of its page"),
	priority: integer("0 none, 1 urgent, 4 low"),
	state: object("Its state", {
		id: text("Id"),
		name: text("Name"),
		type: text("Such as started or completed"),
	}),
});

export const linear: ApiRecipe = {
	id: "linear",
	category: "projects",
	title: "Linear",
	description: "Issues, comments and teams of a Linear workspace.",
	auth: ["linear_key", "linear_oauth"],
	base_url: "https://api.linear.app",
	docs_url: "https://linear.app/developers/graphql",
	operations: {
		create_issue: {
			title: "Create an issue",
			method: "POST",
			path: "/graphql",
			params: params({ team_id: text("The team's id, from list_teams"), title: text("Its title") }, details),
			body: {
				kind: "json",
				value: {
					query: `mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${ISSUE} } } }`,
					variables: { input: { teamId: "{{params.team_id}}", title: "{{params.title}}", ...given } },
				},
			},
			error,
			output: { value: "{{data.data.issueCreate.issue}}", schema: issue },
			examples: [
				{
					title: "A bug",
					params: { team_id: "9cfb482a-81e3-4154-b5b9-2c805e70a02d", title: "Crash on start", priority: 2 },
				},
			],
		},
		update_issue: {
			title: "Update an issue",
			description: "Changes only the given fields.",
			method: "POST",
			path: "/graphql",
			params: params(
				{ issue_id: text("The issue's id, or its identifier such as ENG-123") },
				{ title: text("A new title"), ...details },
			),
			body: {
				kind: "json",
				value: {
					query: `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${ISSUE} } } }`,
					variables: { id: "{{params.issue_id}}", input: { title: "{{params.title}}", ...given } },
				},
			},
			error,
			output: { value: "{{data.data.issueUpdate.issue}}", schema: issue },
			examples: [{ title: "Raise the priority", params: { issue_id: "ENG-123", priority: 1 } }],
		},
		list_issues: {
			title: "List issues",
			method: "POST",
			path: "/graphql",
			params: params(
				{},
				{
					filter: object("Linear's IssueFilter, such as { team: { key: { eq: ENG } } }"),
					...paging,
				},
			),
			body: {
				kind: "json",
				value: {
					query: `query ListIssues($filter: IssueFilter, $first: Int, $after: String) { issues(filter: $filter, first: $first, after: $after) { nodes { ${ISSUE} } pageInfo { hasNextPage endCursor } } }`,
					variables: {
						filter: "{{params.filter}}",
						first: "{{params.first}}",
						after: "{{params.after}}",
					},
				},
			},
			error,
			paginate: paginate("issues"),
			output: {
				value: "{{data.data.issues}}",
				schema: answer({ nodes: list(issue, "The issues"), pageInfo }),
			},
			examples: [
				{
					title: "Issues in progress",
					params: { filter: { state: { type: { eq: "started" } } }, first: 20 },
				},
			],
		},
		add_comment: {
			title: "Comment on an issue",
			method: "POST",
			path: "/graphql",
			params: params({
				issue_id: text("The issue's id, or its identifier such as ENG-123"),
				body: text("The comment in Markdown"),
			}),
			body: {
				kind: "json",
				value: {
					query:
						"mutation CreateComment($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id body url createdAt } } }",
					variables: { input: { issueId: "{{params.issue_id}}", body: "{{params.body}}" } },
				},
			},
			error,
			output: {
				value: "{{data.data.commentCreate.comment}}",
				schema: answer({
					id: text("The comment's id"),
					body: text("Its text"),
					url: text("URL of its page"),
				}),
			},
			examples: [{ title: "Done", params: { issue_id: "ENG-123", body: "Deployed." } }],
		},
		list_teams: {
			title: "List teams and their states",
			method: "POST",
			path: "/graphql",
			params: params({}, paging),
			body: {
				kind: "json",
				value: {
					query:
						"query ListTeams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { id key name states { nodes { id name type } } } pageInfo { hasNextPage endCursor } } }",
					variables: { first: "{{params.first}}", after: "{{params.after}}" },
				},
			},
			error,
			paginate: paginate("teams"),
			output: {
				value: "{{data.data.teams}}",
				schema: answer({
					nodes: list(
						object("A team", { id: text("Its id"), key: text("Such as ENG"), name: text("Its name") }),
						"The teams",
					),
					pageInfo,
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
