import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { ids, type PagedRead, readCursors, readOffsets } from "./paged-read.ts";

const PIPEDRIVE = "https://acme.pipedrive.com/api/v2";
const MATTERMOST = "https://chat.example.com/api/v4/teams/t1/channels";
const WORDPRESS = "https://blog.example.com/wp-json/wp/v2";
const WEBFLOW = "https://api.webflow.com/v2";
const BASEROW = "https://api.baserow.io/api/database/rows/table/123/?user_field_names=true";
const QDRANT = "https://abc.eu-central-1-0.aws.cloud.qdrant.io:6333/collections/texts/points/scroll";
const PINECONE = "https://docs-abc123.svc.aped-4627-b74a.pinecone.io/vectors/list";
const ASANA = "https://app.asana.com/api/1.0";
const CLICKUP = "https://api.clickup.com/api/v2/list/901/task";
const SENDGRID = "https://api.sendgrid.com/v3";
const MAILCHIMP = "https://us21.api.mailchimp.com/3.0";
const JIRA = "https://my-team.atlassian.net/rest/api/2";
const TRELLO = "https://api.trello.com/1/search?query=due%3Aweek&modelTypes=cards";
const TRELLO_AUTH = "key=test-trello-key&token=test-trello-token";
const TWILIO = "/2010-04-01/Accounts/AC00000000000000000000000000000001/IncomingPhoneNumbers.json?PageSize=1";
const HUBSPOT = "https://api.hubapi.com/crm";
const VOICES = "https://api.elevenlabs.io/v2/voices?page_size=100";
const FIRECRAWL = "https://api.firecrawl.dev/v2";
const JOB = "123e4567-e89b-12d3-a456-426614174000";

/** A cursor in the query. */
const readByParam = (
	component: string,
	params: JsonObject,
	url: string,
	param: string,
	toAnswer: Parameters<typeof readCursors<string>>[4],
): PagedRead =>
	readCursors(
		component,
		params,
		["eyJ0", "eyJ1"],
		(cursor) => (cursor === null ? url : `${url}${url.includes("?") ? "&" : "?"}${param}=${cursor}`),
		toAnswer,
	);

const readAsana = (operation: string, params: JsonObject, path: string): PagedRead =>
	readByParam(`asana.${operation}`, params, `${ASANA}${path}limit=100`, "offset", (data, offset) => ({
		data,
		next_page: offset && { offset, path: "/", uri: "https://x" },
	}));

/** HubSpot leaves `paging` out of the last page. */
export const toHubspotPage = (results: Json, after: string | null): Json => ({
	results,
	...(after && { paging: { next: { after, link: `?after=${after}` } } }),
});

const readHubspot = (operation: string, params: JsonObject, url: string): PagedRead =>
	readByParam(`hubspot.${operation}`, params, url, "after", toHubspotPage);

const readFirecrawl = (operation: string, path: string): PagedRead =>
	readCursors(
		`firecrawl.${operation}`,
		{ job_id: JOB },
		[`${FIRECRAWL}${path}?skip=1`, `${FIRECRAWL}${path}?skip=2`],
		(next) => next ?? `${FIRECRAWL}${path}`,
		(data, next) => ({ status: "completed", total: 3, completed: 3, data, ...(next && { next }) }),
	);

const readSendgrid = (operation: string, path: string): PagedRead =>
	readCursors(
		`sendgrid.${operation}`,
		{},
		[`${SENDGRID}${path}&page_token=t2`, `${SENDGRID}${path}&page_token=t3`],
		(next) => next ?? `${SENDGRID}${path}`,
		(result, next) => ({ result, _metadata: { count: 3, ...(next && { next }) } }),
	);

const readMailchimp = (operation: string, params: JsonObject, path: string, items: string): PagedRead =>
	readOffsets(
		`mailchimp.${operation}`,
		params,
		100,
		(offset) => `${MAILCHIMP}${path}count=100&offset=${offset}`,
		(found) => ({ [items]: found, total_items: 101 }),
	);

const shopifyQuery = (name: string, fields: string) =>
	`query List($query: String, $first: Int, $after: String) { ${name}(query: $query, first: $first, after: $after, sortKey: UPDATED_AT, reverse: true) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;

const readShopify = (name: string, fields: string): PagedRead =>
	readCursors(
		`shopify.list_${name}`,
		{ first: 1 },
		["c1", "c2"],
		(after) => ({
			sends: "POST https://acme.myshopify.com/admin/api/2026-07/graphql.json",
			json: { query: shopifyQuery(name, fields), variables: { first: 1, ...(after && { after }) } },
		}),
		(nodes, next) => ({
			data: { [name]: { nodes, pageInfo: { hasNextPage: next !== null, endCursor: next ?? "c3" } } },
		}),
	);

/** The number of pages is in a header, and so is a link to the next one. */
const readWordpress = (operation: string, params: JsonObject, path: string): PagedRead =>
	readCursors<number>(
		`wordpress.${operation}`,
		{ ...params, per_page: 1 },
		[2, 3],
		(page) => `${WORDPRESS}${path}${page ?? 1}&per_page=1`,
		(items) => items,
		(next): Record<string, string> => ({
			"x-wp-totalpages": "3",
			...(next && { link: `<${WORDPRESS}${path}${next}&per_page=1>; rel="next"` }),
		}),
	);

/** Those of the services that take a key or a token. */
export const pagedReadsByKey: readonly PagedRead[] = [
	readByParam(
		"pipedrive.list_deals",
		{ status: "open" },
		`${PIPEDRIVE}/deals?status=open&limit=100`,
		"cursor",
		(data, next_cursor) => ({ success: true, data, additional_data: { next_cursor } }),
	),
	readByParam(
		"pipedrive.search_persons",
		{ term: "ada" },
		`${PIPEDRIVE}/persons/search?term=ada&limit=100`,
		"cursor",
		(items, next_cursor) => ({ success: true, data: { items }, additional_data: { next_cursor } }),
	),
	readOffsets(
		"mattermost.list_channels",
		{ team_id: "t1" },
		200,
		(_, page) => `${MATTERMOST}?page=${page}&per_page=200`,
		(channels) => channels,
	),
	readWordpress("list_posts", {}, "/posts?status=publish&page="),
	readWordpress("list_terms", { taxonomy: "tags" }, "/tags?page="),
	readOffsets(
		"webflow.list_items",
		{ collection_id: "c1" },
		100,
		(offset) => `${WEBFLOW}/collections/c1/items?offset=${offset}&limit=100`,
		(items) => ({ items, pagination: { limit: 100, offset: 0, total: 101 } }),
	),
	readOffsets(
		"webflow.list_form_submissions",
		{ site_id: "s1", form_id: "f1" },
		100,
		(offset) => `${WEBFLOW}/sites/s1/forms/f1/submissions?offset=${offset}&limit=100`,
		(formSubmissions) => ({ formSubmissions, pagination: { limit: 100, offset: 0, total: 101 } }),
	),
	readOffsets(
		"supabase.select_rows",
		{ table: "orders", order: "id", schema: "shop" },
		100,
		(offset) => `https://abcdefghijklmnop.supabase.co/rest/v1/orders?order=id&limit=100&offset=${offset}`,
		(rows) => rows,
	),
	readOffsets(
		"supabase.list_files",
		{ bucket: "reports", prefix: "2026" },
		100,
		(offset) => ({
			sends: "POST https://abcdefghijklmnop.supabase.co/storage/v1/object/list/reports",
			json: { prefix: "2026", limit: 100, offset },
		}),
		(files) => files,
	),
	readCursors(
		"baserow.list_rows",
		{ table_id: 123, size: 1 },
		[`${BASEROW}&page=2&size=1`, `${BASEROW}&page=3&size=1`],
		(next) => next ?? `${BASEROW}&page=1&size=1`,
		(results, next) => ({ count: 3, next, previous: null, results }),
	),
	readCursors<number>(
		"qdrant.scroll_points",
		{ collection: "texts", limit: 1 },
		[2, 3],
		(offset) => ({
			sends: `POST ${QDRANT}`,
			json: { limit: 1, with_payload: true, ...(offset !== null && { offset }) },
		}),
		(points, next_page_offset) => ({ status: "ok", result: { points, next_page_offset } }),
	),
	readByParam("pinecone.list_ids", {}, `${PINECONE}?limit=100`, "paginationToken", (vectors, next) => ({
		vectors,
		...(next && { pagination: { next } }),
	})),
	readAsana("list_workspaces", {}, "/workspaces?"),
	readAsana("list_projects", { workspace: "1" }, "/projects?workspace=1&"),
	readAsana("list_sections", { project: "1331" }, "/projects/1331/sections?"),
	readAsana("list_tasks", { project: "1331", opt_fields: "name" }, "/tasks?project=1331&opt_fields=name&"),
	{
		component: "clickup.list_tasks",
		params: { list_id: "901" },
		pages: [0, 1, 2, 3].map((page) => ({
			sends: `GET ${CLICKUP}?page=${page}&include_closed=false&subtasks=false&order_by=created`,
			answer: { tasks: page === 3 ? [] : ids(page + 1, 1), last_page: page > 1 },
		})),
		items: ids(1, 3),
	},
	readSendgrid("list_templates", "/templates?generations=dynamic&page_size=100"),
	readSendgrid("list_lists", "/marketing/lists?page_size=100"),
	readOffsets(
		"sendgrid.list_bounces",
		{},
		500,
		(offset) => `${SENDGRID}/suppression/bounces?limit=500&offset=${offset}`,
		(bounces) => bounces,
	),
	readMailchimp("list_audiences", {}, "/lists?", "lists"),
	readMailchimp("list_members", { list_id: "57afe96172" }, "/lists/57afe96172/members?", "members"),
	readMailchimp("list_campaigns", { status: "sent" }, "/campaigns?status=sent&", "campaigns"),
	readOffsets(
		"jira.list_comments",
		{ issue: "ENG-1" },
		50,
		(offset) => `${JIRA}/issue/ENG-1/comment?startAt=${offset}&maxResults=50&orderBy=created`,
		(comments) => ({ comments, total: 51 }),
	),
	readOffsets(
		"jira.list_projects",
		{},
		50,
		(offset) => `${JIRA}/project/search?startAt=${offset}&maxResults=50`,
		(values) => ({ values, total: 51, isLast: values.length < 50 }),
	),
	readOffsets(
		"trello.search_cards",
		{ query: "due:week" },
		100,
		(_, page) => `${TRELLO}&cards_limit=100&cards_page=${page}&${TRELLO_AUTH}`,
		(cards) => ({ cards }),
	),
	readCursors(
		"twilio.list_numbers",
		{ limit: 1 },
		[`${TWILIO}&Page=1&PageToken=PN1`, `${TWILIO}&Page=2&PageToken=PN2`],
		(next) => `https://api.twilio.com${next ?? TWILIO}`,
		(incoming_phone_numbers, next_page_uri) => ({ incoming_phone_numbers, next_page_uri }),
	),
	readHubspot(
		"list_associations",
		{ record_id: "1", to_object_type: "deals" },
		`${HUBSPOT}/v4/objects/contacts/1/associations/deals?limit=500`,
	),
	readHubspot(
		"list_records",
		{ object_type: "companies", limit: 1 },
		`${HUBSPOT}/v3/objects/companies?limit=1`,
	),
	readHubspot("list_owners", {}, `${HUBSPOT}/v3/owners?limit=100`),
	readByParam("elevenlabs.list_voices", {}, VOICES, "next_page_token", (voices, next_page_token) => ({
		voices,
		has_more: next_page_token !== null,
		total_count: 3,
		next_page_token,
	})),
	readFirecrawl("get_crawl", `/crawl/${JOB}`),
	readFirecrawl("get_batch", `/batch/scrape/${JOB}`),
	readShopify(
		"orders",
		"id name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet { shopMoney { amount currencyCode } } customer { id displayName defaultEmailAddress { emailAddress } } note tags",
	),
	readShopify(
		"products",
		"id title handle status vendor productType tags totalInventory onlineStoreUrl updatedAt",
	),
	readShopify(
		"customers",
		"id displayName firstName lastName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber } numberOfOrders tags",
	),
];
