import type { Json } from "@tripline/contract/json";
import type { PagedRead } from "./paged-read.ts";
import { pagedReadsByKey } from "./paged-reads-by-key.ts";

/** Links as in a Link header, such as those of GitHub and GitLab. */
const link = (next: string, first: string) => ({
	link: `<${first}>; rel="first", <${next}>; rel="next", <${next}>; rel="last"`,
});

const GITHUB = "https://api.github.com";
const GITLAB = "https://git.example.com:8443/api/v4/projects/my-group%2Fmy-project/issues";
const EVENTS = "https://www.googleapis.com/calendar/v3/calendars/team%40example.com/events";
const FILES = "https://www.googleapis.com/drive/v3/files";
const FILES_QUERY =
	"orderBy=modifiedTime%20desc&pageSize=2&fields=nextPageToken%2Cfiles%28id%2Cname%2CmimeType%2CmodifiedTime%2Csize%2CwebViewLink%2Cparents%29&supportsAllDrives=true&includeItemsFromAllDrives=true";
const JQL =
	"https://my-team.atlassian.net/rest/api/2/search/jql?jql=project%20%3D%20ENG&fields=summary%2Cstatus%2Cassignee&maxResults=50";
const HUBSPOT = "https://api.hubapi.com/crm/v3/objects";
const NOTION = "https://api.notion.com/v1";
const TWILIO = "/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json";
const ISSUES_QUERY =
	"query ListIssues($filter: IssueFilter, $first: Int, $after: String) { issues(filter: $filter, first: $first, after: $after) { nodes { id identifier title url description priority state { id name type } assignee { id name } team { id key } createdAt } pageInfo { hasNextPage endCursor } } }";
const TEAMS_QUERY =
	"query ListTeams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { id key name states { nodes { id name type } } } pageInfo { hasNextPage endCursor } } }";

const notionPage = (id: string, next_cursor: string | null): Json => ({
	object: "list",
	results: [{ object: "page", id }],
	next_cursor,
	has_more: next_cursor !== null,
});
const bothNotion = [
	{ object: "page", id: "p1" },
	{ object: "page", id: "p2" },
];

/** One for every operation with pages of every bundled recipe. */
export const pagedReads: readonly PagedRead[] = [
	...pagedReadsByKey,
	{
		component: "airtable.list_records",
		params: { base_id: "appLkNDICXNqxSDhG", table: "To do", page_size: 1 },
		pages: [
			{
				sends: "POST https://api.airtable.com/v0/appLkNDICXNqxSDhG/To%20do/listRecords",
				json: { pageSize: 1 },
				answer: { records: [{ id: "rec1" }], offset: "itr/rec1" },
			},
			{
				sends: "POST https://api.airtable.com/v0/appLkNDICXNqxSDhG/To%20do/listRecords",
				json: { pageSize: 1, offset: "itr/rec1" },
				answer: { records: [{ id: "rec2" }] },
			},
		],
		items: [{ id: "rec1" }, { id: "rec2" }],
	},
	{
		component: "anthropic.list_models",
		params: { limit: 1 },
		pages: [
			{
				sends: "GET https://api.anthropic.com/v1/models?limit=1",
				answer: { data: [{ id: "claude-b" }], has_more: true, first_id: "claude-b", last_id: "claude-b" },
			},
			{
				sends: "GET https://api.anthropic.com/v1/models?limit=1&after_id=claude-b",
				answer: { data: [{ id: "claude-a" }], has_more: false, first_id: "claude-a", last_id: "claude-a" },
			},
		],
		items: [{ id: "claude-b" }, { id: "claude-a" }],
	},
	{
		component: "discord.list_messages",
		params: { channel_id: "290926798999357250", limit: 2 },
		pages: [
			{
				sends: "GET https://discord.com/api/v10/channels/290926798999357250/messages?limit=2",
				answer: [{ id: "30" }, { id: "20" }],
			},
			{
				sends: "GET https://discord.com/api/v10/channels/290926798999357250/messages?limit=2&before=20",
				answer: [{ id: "10" }],
			},
			{
				sends: "GET https://discord.com/api/v10/channels/290926798999357250/messages?limit=2&before=10",
				answer: [],
			},
		],
		items: [{ id: "30" }, { id: "20" }, { id: "10" }],
	},
	{
		component: "github.list_issues",
		params: { owner: "octocat", repo: "Hello-World", per_page: 1 },
		pages: [
			{
				sends: `GET ${GITHUB}/repos/octocat/Hello-World/issues?state=open&per_page=1`,
				answer: [{ number: 2 }],
				answerHeaders: link(
					`${GITHUB}/repositories/1300192/issues?state=open&per_page=1&after=Y3Vyc29y&page=2`,
					`${GITHUB}/repositories/1300192/issues?state=open&per_page=1&page=1`,
				),
			},
			{
				sends: `GET ${GITHUB}/repositories/1300192/issues?state=open&per_page=1&after=Y3Vyc29y&page=2`,
				answer: [{ number: 1 }],
				answerHeaders: { link: `<${GITHUB}/repositories/1300192/issues?per_page=1&page=1>; rel="prev"` },
			},
		],
		items: [{ number: 2 }, { number: 1 }],
	},
	{
		component: "github.list_pull_requests",
		params: { owner: "octocat", repo: "Hello-World", state: "all" },
		pages: [
			{
				sends: `GET ${GITHUB}/repos/octocat/Hello-World/pulls?state=all&per_page=30`,
				answer: [{ number: 2 }],
				answerHeaders: link(
					`${GITHUB}/repositories/1300192/pulls?state=all&per_page=30&page=2`,
					`${GITHUB}/repositories/1300192/pulls?state=all&per_page=30&page=1`,
				),
			},
			{
				sends: `GET ${GITHUB}/repositories/1300192/pulls?state=all&per_page=30&page=2`,
				answer: [{ number: 1 }],
			},
		],
		items: [{ number: 2 }, { number: 1 }],
	},
	{
		component: "gitlab.list_issues",
		params: { project: "my-group/my-project" },
		pages: [
			{
				sends: `GET ${GITLAB}?state=opened&per_page=20`,
				answer: [{ iid: 2 }],
				answerHeaders: link(`${GITLAB}?page=2&per_page=20&state=opened`, `${GITLAB}?page=1&per_page=20`),
			},
			{ sends: `GET ${GITLAB}?page=2&per_page=20&state=opened`, answer: [{ iid: 1 }] },
		],
		items: [{ iid: 2 }, { iid: 1 }],
	},
	{
		component: "google_calendar.list_events",
		params: { calendar_id: "team@example.com", limit: 1 },
		pages: [
			{
				sends: `GET ${EVENTS}?maxResults=1&singleEvents=true&orderBy=startTime`,
				answer: { kind: "calendar#events", items: [{ id: "a" }], nextPageToken: "EiMKGg" },
			},
			{
				sends: `GET ${EVENTS}?maxResults=1&singleEvents=true&orderBy=startTime&pageToken=EiMKGg`,
				answer: { kind: "calendar#events", items: [{ id: "b" }], nextSyncToken: "CPDAlvWDx70CEPDAlvWDx70" },
			},
		],
		items: [{ id: "a" }, { id: "b" }],
	},
	{
		component: "google_drive.list_files",
		params: { limit: 2 },
		pages: [
			{
				sends: `GET ${FILES}?${FILES_QUERY}`,
				answer: { files: [{ id: "a" }, { id: "b" }], nextPageToken: "AI9fV7" },
			},
			{
				sends: `GET ${FILES}?${FILES_QUERY}&pageToken=AI9fV7`,
				answer: { files: [{ id: "c" }] },
			},
		],
		items: [{ id: "a" }, { id: "b" }, { id: "c" }],
	},
	{
		component: "hubspot.list_records",
		params: { object_type: "companies", limit: 1 },
		pages: [
			{
				sends: `GET ${HUBSPOT}/companies?limit=1`,
				answer: {
					results: [{ id: "1" }],
					paging: { next: { after: "NTI1Cg", link: "?after=NTI1Cg" } },
				},
			},
			{ sends: `GET ${HUBSPOT}/companies?limit=1&after=NTI1Cg`, answer: { results: [{ id: "2" }] } },
		],
		items: [{ id: "1" }, { id: "2" }],
	},
	{
		component: "hubspot.search_records",
		params: { query: "ada", limit: 1 },
		pages: [
			{
				sends: `POST ${HUBSPOT}/contacts/search`,
				json: { query: "ada", limit: 1 },
				answer: { total: 2, results: [{ id: "1" }], paging: { next: { after: "1" } } },
			},
			{
				sends: `POST ${HUBSPOT}/contacts/search`,
				json: { query: "ada", limit: 1, after: "1" },
				answer: { total: 2, results: [{ id: "2" }] },
			},
		],
		items: [{ id: "1" }, { id: "2" }],
	},
	{
		component: "jira.search_issues",
		params: { jql: "project = ENG" },
		pages: [
			{
				sends: `GET ${JQL}`,
				answer: { issues: [{ key: "ENG-2" }], nextPageToken: "CAEaAggD", isLast: false },
			},
			{ sends: `GET ${JQL}&nextPageToken=CAEaAggD`, answer: { issues: [{ key: "ENG-1" }], isLast: true } },
		],
		items: [{ key: "ENG-2" }, { key: "ENG-1" }],
	},
	{
		component: "linear.list_issues",
		params: { first: 1 },
		pages: [
			{
				sends: "POST https://api.linear.app/graphql",
				json: { query: ISSUES_QUERY, variables: { first: 1 } },
				answer: {
					data: { issues: { nodes: [{ id: "a" }], pageInfo: { hasNextPage: true, endCursor: "a" } } },
				},
			},
			{
				sends: "POST https://api.linear.app/graphql",
				json: { query: ISSUES_QUERY, variables: { first: 1, after: "a" } },
				answer: {
					data: { issues: { nodes: [{ id: "b" }], pageInfo: { hasNextPage: false, endCursor: "b" } } },
				},
			},
		],
		items: [{ id: "a" }, { id: "b" }],
	},
	{
		component: "linear.list_teams",
		params: {},
		pages: [
			{
				sends: "POST https://api.linear.app/graphql",
				json: { query: TEAMS_QUERY, variables: { first: 50 } },
				answer: {
					data: { teams: { nodes: [{ key: "ENG" }], pageInfo: { hasNextPage: true, endCursor: "a" } } },
				},
			},
			{
				sends: "POST https://api.linear.app/graphql",
				json: { query: TEAMS_QUERY, variables: { first: 50, after: "a" } },
				answer: {
					data: { teams: { nodes: [{ key: "OPS" }], pageInfo: { hasNextPage: false, endCursor: "b" } } },
				},
			},
		],
		items: [{ key: "ENG" }, { key: "OPS" }],
	},
	{
		component: "notion.query_database",
		params: { database_id: "d9824bdc84454327be8b5b47500af6ce", page_size: 1 },
		pages: [
			{
				sends: `POST ${NOTION}/databases/d9824bdc84454327be8b5b47500af6ce/query`,
				json: { page_size: 1 },
				answer: notionPage("p1", "p2"),
			},
			{
				sends: `POST ${NOTION}/databases/d9824bdc84454327be8b5b47500af6ce/query`,
				json: { page_size: 1, start_cursor: "p2" },
				answer: notionPage("p2", null),
			},
		],
		items: bothNotion,
	},
	{
		component: "notion.list_blocks",
		params: { block_id: "b55c9c91384d452b81dbd1ef79372b75" },
		pages: [
			{
				sends: `GET ${NOTION}/blocks/b55c9c91384d452b81dbd1ef79372b75/children?page_size=100`,
				answer: notionPage("p1", "p2"),
			},
			{
				sends: `GET ${NOTION}/blocks/b55c9c91384d452b81dbd1ef79372b75/children?page_size=100&start_cursor=p2`,
				answer: notionPage("p2", null),
			},
		],
		items: bothNotion,
	},
	{
		component: "notion.search",
		params: { query: "kale" },
		pages: [
			{
				sends: `POST ${NOTION}/search`,
				json: { query: "kale", page_size: 100 },
				answer: notionPage("p1", "p2"),
			},
			{
				sends: `POST ${NOTION}/search`,
				json: { query: "kale", page_size: 100, start_cursor: "p2" },
				answer: notionPage("p2", null),
			},
		],
		items: bothNotion,
	},
	{
		component: "resend.list_domains",
		params: {},
		pages: [
			{
				sends: "GET https://api.resend.com/domains",
				answer: { object: "list", has_more: true, data: [{ id: "d2" }, { id: "d1" }] },
			},
			{
				sends: "GET https://api.resend.com/domains?after=d1",
				answer: { object: "list", has_more: false, data: [{ id: "d0" }] },
			},
		],
		items: [{ id: "d2" }, { id: "d1" }, { id: "d0" }],
	},
	{
		component: "slack.list_messages",
		params: { channel: "C1", limit: 1 },
		pages: [
			{
				sends: "GET https://slack.com/api/conversations.history?channel=C1&limit=1",
				answer: {
					ok: true,
					messages: [{ ts: "2" }],
					has_more: true,
					response_metadata: { next_cursor: "bmV4dA==" },
				},
			},
			{
				sends: "GET https://slack.com/api/conversations.history?channel=C1&limit=1&cursor=bmV4dA%3D%3D",
				answer: { ok: true, messages: [{ ts: "1" }], has_more: false },
			},
		],
		items: [{ ts: "2" }, { ts: "1" }],
	},
	{
		component: "slack.list_channels",
		params: { limit: 1 },
		pages: [
			{
				sends:
					"GET https://slack.com/api/conversations.list?types=public_channel&exclude_archived=true&limit=1",
				answer: { ok: true, channels: [{ id: "C1" }], response_metadata: { next_cursor: "dGVhbQ==" } },
			},
			{
				sends:
					"GET https://slack.com/api/conversations.list?types=public_channel&exclude_archived=true&limit=1&cursor=dGVhbQ%3D%3D",
				answer: { ok: true, channels: [{ id: "C2" }], response_metadata: { next_cursor: "" } },
			},
		],
		items: [{ id: "C1" }, { id: "C2" }],
	},
	{
		component: "stripe.list_customers",
		params: { limit: 2 },
		pages: [
			{
				sends: "GET https://api.stripe.com/v1/customers?limit=2",
				answer: { object: "list", has_more: true, data: [{ id: "cus_3" }, { id: "cus_2" }] },
			},
			{
				sends: "GET https://api.stripe.com/v1/customers?limit=2&starting_after=cus_2",
				answer: { object: "list", has_more: false, data: [{ id: "cus_1" }] },
			},
		],
		items: [{ id: "cus_3" }, { id: "cus_2" }, { id: "cus_1" }],
	},
	{
		component: "stripe.list_payment_intents",
		params: { customer: "cus_1", limit: 1 },
		pages: [
			{
				sends: "GET https://api.stripe.com/v1/payment_intents?customer=cus_1&limit=1",
				answer: { object: "list", has_more: true, data: [{ id: "pi_2" }] },
			},
			{
				sends: "GET https://api.stripe.com/v1/payment_intents?customer=cus_1&limit=1&starting_after=pi_2",
				answer: { object: "list", has_more: false, data: [{ id: "pi_1" }] },
			},
		],
		items: [{ id: "pi_2" }, { id: "pi_1" }],
	},
	{
		component: "twilio.list_messages",
		params: { limit: 1 },
		pages: [
			{
				sends: `GET https://api.twilio.com${TWILIO}?PageSize=1`,
				answer: {
					messages: [{ sid: "SM2" }],
					next_page_uri: `${TWILIO}?PageSize=1&Page=1&PageToken=PASM2`,
				},
			},
			{
				sends: `GET https://api.twilio.com${TWILIO}?PageSize=1&Page=1&PageToken=PASM2`,
				answer: { messages: [{ sid: "SM1" }], next_page_uri: null },
			},
		],
		items: [{ sid: "SM2" }, { sid: "SM1" }],
	},
];
