import type { JsonObject } from "@tripline/contract/workflows";
import { type PagedRead, readCursors } from "./paged-read.ts";
import { pagedReadsByKey, toHubspotPage } from "./paged-reads-by-key.ts";
import { pagedReadsOfGoogle } from "./paged-reads-google.ts";
import { pagedReadsOfMicrosoft } from "./paged-reads-microsoft.ts";

const GITHUB = "https://api.github.com";
const GITLAB = "https://git.example.com:8443/api/v4/projects/my-group%2Fmy-project/issues";
const AIRTABLE = "https://api.airtable.com/v0/appLkNDICXNqxSDhG/To%20do/listRecords";
const DISCORD = "https://discord.com/api/v10/channels/290926798999357250/messages";
const JQL =
	"https://my-team.atlassian.net/rest/api/2/search/jql?jql=project%20%3D%20ENG&fields=summary%2Cstatus%2Cassignee&maxResults=50";
const NOTION = "https://api.notion.com/v1";
const SALESFORCE = "https://acme.my.salesforce.com";
const SALESFORCE_QUERY = "/services/data/v64.0/query";
const SLACK = "https://slack.com/api";
const STRIPE = "https://api.stripe.com/v1";
const TWILIO = "/2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json?PageSize=1";
const ISSUES_QUERY =
	"query ListIssues($filter: IssueFilter, $first: Int, $after: String) { issues(filter: $filter, first: $first, after: $after) { nodes { id identifier title url description priority state { id name type } assignee { id name } team { id key } createdAt } pageInfo { hasNextPage endCursor } } }";
const TEAMS_QUERY =
	"query ListTeams($first: Int, $after: String) { teams(first: $first, after: $after) { nodes { id key name states { nodes { id name type } } } pageInfo { hasNextPage endCursor } } }";

/** Links as in a Link header, such as those of GitHub and GitLab. */
const readLinkHeaders = (
	component: string,
	params: JsonObject,
	first: string,
	links: readonly [second: string, third: string],
): PagedRead =>
	readCursors(
		component,
		params,
		links,
		(link) => link ?? first,
		(items) => items,
		(next): Record<string, string> => ({
			link: next === null ? `<${first}>; rel="first"` : `<${first}>; rel="first", <${next}>; rel="next"`,
		}),
	);

/** The cursor is the id of a page's last item; `has_more` says whether there is a further page. */
const readAfterLast = (
	component: string,
	params: JsonObject,
	url: string,
	param: string,
	toFields: (lastId: number) => JsonObject = () => ({}),
): PagedRead =>
	readCursors<number>(
		component,
		params,
		[1, 2],
		(after) => (after === null ? url : `${url}${url.includes("?") ? "&" : "?"}${param}=${after}`),
		(data, next) => ({ data, has_more: next !== null, ...toFields(data[0]?.id ?? 0) }),
	);

const readSlack = (operation: string, params: JsonObject, url: string, items: string): PagedRead =>
	readCursors(
		`slack.${operation}`,
		params,
		["dGVhbQ==", "bmV4dA=="],
		(cursor) => `${SLACK}${url}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
		(found, next) => ({ ok: true, [items]: found, response_metadata: { next_cursor: next ?? "" } }),
	);

function readNotion(
	operation: string,
	params: JsonObject,
	sends: string,
	json: JsonObject | null,
): PagedRead {
	const isGet = json === null;
	return readCursors(
		`notion.${operation}`,
		params,
		["7c6b1c95-de50-45ca", "8d7c2da6-ef61-56db"],
		(start_cursor) =>
			isGet
				? { sends: start_cursor === null ? sends : `${sends}&start_cursor=${start_cursor}` }
				: { sends, json: { ...json, ...(start_cursor && { start_cursor }) } },
		(results, next_cursor) => ({ object: "list", results, next_cursor, has_more: next_cursor !== null }),
	);
}

const readLinear = (name: string, params: JsonObject, query: string, first: number): PagedRead =>
	readCursors(
		`linear.list_${name}`,
		params,
		["a", "b"],
		(after) => ({
			sends: "POST https://api.linear.app/graphql",
			json: { query, variables: { first, ...(after && { after }) } },
		}),
		(nodes, next) => ({
			data: { [name]: { nodes, pageInfo: { hasNextPage: next !== null, endCursor: next ?? "c" } } },
		}),
	);

const readSalesforce = (operation: string, params: JsonObject, path: string): PagedRead =>
	readCursors(
		`salesforce.${operation}`,
		params,
		[`${SALESFORCE_QUERY}/01gD0000002HU6KIAW-4000`, `${SALESFORCE_QUERY}/01gD0000002HU6KIAW-6000`],
		(next) => `${SALESFORCE}${next ?? `${SALESFORCE_QUERY}${path}`}`,
		(records, nextRecordsUrl) => ({
			totalSize: 3,
			done: nextRecordsUrl === null,
			...(nextRecordsUrl && { nextRecordsUrl }),
			records,
		}),
	);

/** One for every operation with pages of every bundled recipe. */
export const pagedReads: readonly PagedRead[] = [
	...pagedReadsByKey,
	...pagedReadsOfGoogle,
	...pagedReadsOfMicrosoft,
	readCursors(
		"airtable.list_records",
		{ base_id: "appLkNDICXNqxSDhG", table: "To do", page_size: 1 },
		["itr/rec1", "itr/rec2"],
		(offset) => ({ sends: `POST ${AIRTABLE}`, json: { pageSize: 1, ...(offset && { offset }) } }),
		(records, offset) => ({ records, ...(offset && { offset }) }),
	),
	readAfterLast(
		"anthropic.list_models",
		{ limit: 1 },
		"https://api.anthropic.com/v1/models?limit=1",
		"after_id",
		(last_id) => ({ first_id: last_id, last_id }),
	),
	{
		component: "discord.list_messages",
		params: { channel_id: "290926798999357250", limit: 2 },
		pages: [
			{ sends: `GET ${DISCORD}?limit=2`, answer: [{ id: "30" }, { id: "20" }] },
			{ sends: `GET ${DISCORD}?limit=2&before=20`, answer: [{ id: "10" }] },
			{ sends: `GET ${DISCORD}?limit=2&before=10`, answer: [] },
		],
		items: [{ id: "30" }, { id: "20" }, { id: "10" }],
	},
	readLinkHeaders(
		"github.list_issues",
		{ owner: "octocat", repo: "Hello-World", per_page: 1 },
		`${GITHUB}/repos/octocat/Hello-World/issues?state=open&per_page=1`,
		[
			`${GITHUB}/repositories/1300192/issues?state=open&per_page=1&after=Y3Vyc29y&page=2`,
			`${GITHUB}/repositories/1300192/issues?state=open&per_page=1&after=c29yY3Vy&page=3`,
		],
	),
	readLinkHeaders(
		"github.list_pull_requests",
		{ owner: "octocat", repo: "Hello-World", state: "all" },
		`${GITHUB}/repos/octocat/Hello-World/pulls?state=all&per_page=30`,
		[
			`${GITHUB}/repositories/1300192/pulls?state=all&per_page=30&page=2`,
			`${GITHUB}/repositories/1300192/pulls?state=all&per_page=30&page=3`,
		],
	),
	readLinkHeaders(
		"gitlab.list_issues",
		{ project: "my-group/my-project" },
		`${GITLAB}?state=opened&per_page=20`,
		[`${GITLAB}?page=2&per_page=20&state=opened`, `${GITLAB}?page=3&per_page=20&state=opened`],
	),
	readCursors(
		"hubspot.search_records",
		{ query: "ada", limit: 1 },
		["1", "2"],
		(after) => ({
			sends: "POST https://api.hubapi.com/crm/v3/objects/contacts/search",
			json: { query: "ada", limit: 1, ...(after && { after }) },
		}),
		toHubspotPage,
	),
	readCursors(
		"jira.search_issues",
		{ jql: "project = ENG" },
		["CAEaAggD", "CAEaAggE"],
		(token) => `${JQL}${token === null ? "" : `&nextPageToken=${token}`}`,
		(issues, nextPageToken) => ({
			issues,
			...(nextPageToken && { nextPageToken }),
			isLast: nextPageToken === null,
		}),
	),
	readLinear("issues", { first: 1 }, ISSUES_QUERY, 1),
	readLinear("teams", {}, TEAMS_QUERY, 50),
	readNotion(
		"query_database",
		{ database_id: "d9824bdc84454327be8b5b47500af6ce", page_size: 1 },
		`POST ${NOTION}/databases/d9824bdc84454327be8b5b47500af6ce/query`,
		{ page_size: 1 },
	),
	readNotion(
		"list_blocks",
		{ block_id: "b55c9c91384d452b81dbd1ef79372b75" },
		`GET ${NOTION}/blocks/b55c9c91384d452b81dbd1ef79372b75/children?page_size=100`,
		null,
	),
	readNotion("search", { query: "kale" }, `POST ${NOTION}/search`, { query: "kale", page_size: 100 }),
	readAfterLast("resend.list_domains", {}, "https://api.resend.com/domains", "after"),
	readSalesforce("query", { query: "SELECT Id FROM Lead" }, "?q=SELECT%20Id%20FROM%20Lead"),
	readSalesforce("query_more", { locator: "01gD0000002HU6KIAW-2000" }, "/01gD0000002HU6KIAW-2000"),
	readSlack(
		"list_messages",
		{ channel: "C1", limit: 1 },
		"/conversations.history?channel=C1&limit=1",
		"messages",
	),
	readSlack(
		"list_channels",
		{ limit: 1 },
		"/conversations.list?types=public_channel&exclude_archived=true&limit=1",
		"channels",
	),
	readAfterLast("stripe.list_customers", { limit: 1 }, `${STRIPE}/customers?limit=1`, "starting_after"),
	readAfterLast(
		"stripe.list_payment_intents",
		{ customer: "cus_1", limit: 1 },
		`${STRIPE}/payment_intents?customer=cus_1&limit=1`,
		"starting_after",
	),
	readCursors(
		"twilio.list_messages",
		{ limit: 1 },
		[`${TWILIO}&Page=1&PageToken=PASM2`, `${TWILIO}&Page=2&PageToken=PASM1`],
		(next) => `https://api.twilio.com${next ?? TWILIO}`,
		(messages, next_page_uri) => ({ messages, next_page_uri }),
	),
];
