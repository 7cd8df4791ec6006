import { toExchanges } from "../exchange.ts";

const issue = {
	id: 84,
	iid: 14,
	state: "opened",
	title: "Issues with auth",
	labels: ["bug"],
	web_url: "https://git.example.com/my-group/my-project/issues/14",
};
const project = "my-group/my-project";

export const gitlab = toExchanges(
	{
		id: "gitlab",
		authRecipe: "gitlab_token",
		fields: { host: "git.example.com:8443", token: "test-gitlab-token" },
		base: "https://git.example.com:8443/api/v4/projects/my-group%2Fmy-project",
		headers: { "private-token": "test-gitlab-token" },
	},
	{
		list_issues: {
			params: { project, labels: "bug", search: "auth" },
			sends: "GET /issues?state=opened&labels=bug&search=auth&per_page=20",
			answer: [issue],
		},
		create_issue: {
			params: { project, title: "Issues with auth", labels: "bug", assignee_ids: [1] },
			sends: "POST /issues",
			json: { title: "Issues with auth", labels: "bug", assignee_ids: [1] },
			status: 201,
			answer: issue,
		},
		comment_issue: {
			params: { project, number: 14, body: "Me too" },
			sends: "POST /issues/14/notes",
			json: { body: "Me too" },
			status: 201,
			answer: { id: 301, body: "Me too" },
		},
		create_merge_request: {
			params: { project, source_branch: "fix", target_branch: "main", title: "Fix it" },
			sends: "POST /merge_requests",
			json: { source_branch: "fix", target_branch: "main", title: "Fix it" },
			status: 201,
			answer: {
				iid: 1,
				state: "opened",
				web_url: "https://git.example.com/my-group/my-project/merge_requests/1",
			},
		},
		run_pipeline: {
			params: { project, ref: "main", variables: [{ key: "UPLOAD_TO_S3", value: "true" }] },
			sends: "POST /pipeline",
			json: { ref: "main", variables: [{ key: "UPLOAD_TO_S3", value: "true" }] },
			status: 201,
			answer: { id: 61, status: "pending", web_url: "https://git.example.com/foo/bar/pipelines/61" },
		},
	},
);
