import type { Json } from "@tripline/contract/json";
import type { PagedRead } from "./paged-read.ts";

const ids = (from: number, count: number): { id: number }[] =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

/** The first page is full, the second one is not. */
function readOffsets(
	component: string,
	params: PagedRead["params"],
	size: number,
	toUrl: (offset: number) => string,
	toAnswer: (items: { id: number }[]) => Json,
): PagedRead {
	const [full, rest] = [ids(0, size), ids(size, 1)];
	return {
		component,
		params,
		pages: [
			{ sends: `GET ${toUrl(0)}`, answer: toAnswer(full) },
			{ sends: `GET ${toUrl(size)}`, answer: toAnswer(rest) },
		],
		items: [...full, ...rest],
	};
}

/** Two pages with one item each; the first one has the cursor. */
function readCursor(
	component: string,
	params: PagedRead["params"],
	[first, second]: readonly [url: string, url: string],
	toAnswer: (items: { id: number }[], isLast: boolean) => Json,
): PagedRead {
	return {
		component,
		params,
		pages: [
			{ sends: `GET ${first}`, answer: toAnswer(ids(1, 1), false) },
			{ sends: `GET ${second}`, answer: toAnswer(ids(2, 1), true) },
		],
		items: ids(1, 2),
	};
}

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
const TWILIO = "/2010-04-01/Accounts/AC00000000000000000000000000000001/IncomingPhoneNumbers.json";
const HUBSPOT = "https://api.hubapi.com/crm";
const GEMINI = "https://generativelanguage.googleapis.com/v1beta/models";
const VOICES = "https://api.elevenlabs.io/v2/voices?page_size=100";
const FIRECRAWL = "https://api.firecrawl.dev/v2";
const JOB = "123e4567-e89b-12d3-a456-426614174000";

const readAsana = (operation: string, params: PagedRead["params"], path: string): PagedRead =>
	readCursor(
		`asana.${operation}`,
		params,
		[`${ASANA}${path}limit=100`, `${ASANA}${path}limit=100&offset=eyJ0`],
		(data, isLast) => ({ data, next_page: isLast ? null : { offset: "eyJ0", path: "/", uri: "https://x" } }),
	);

const readHubspot = (operation: string, params: PagedRead["params"], url: string): PagedRead =>
	readCursor(`hubspot.${operation}`, params, [url, `${url}&after=NTI1`], (results, isLast) =>
		isLast ? { results } : { results, paging: { next: { after: "NTI1", link: "?after=NTI1" } } },
	);

const readFirecrawl = (operation: string, path: string): PagedRead =>
	readCursor(
		`firecrawl.${operation}`,
		{ job_id: JOB },
		[`${FIRECRAWL}${path}`, `${FIRECRAWL}${path}?skip=1`],
		(data, isLast) => ({
			status: "completed",
			total: 2,
			completed: 2,
			data,
			...(isLast ? {} : { next: `${FIRECRAWL}${path}?skip=1` }),
		}),
	);

const readSendgrid = (operation: string, path: string): PagedRead =>
	readCursor(
		`sendgrid.${operation}`,
		{},
		[`${SENDGRID}${path}`, `${SENDGRID}${path}&page_token=t2`],
		(result, isLast) => ({
			result,
			_metadata: { count: 2, ...(isLast ? {} : { next: `${SENDGRID}${path}&page_token=t2` }) },
		}),
	);

const readMailchimp = (
	operation: string,
	params: PagedRead["params"],
	path: string,
	items: string,
): PagedRead =>
	readOffsets(
		`mailchimp.${operation}`,
		params,
		100,
		(offset) => `${MAILCHIMP}${path}count=100&offset=${offset}`,
		(found) => ({ [items]: found, total_items: 101 }),
	);

const shopifyQuery = (name: string, fields: string) =>
	`query List($query: String, $first: Int, $after: String) { ${name}(query: $query, first: $first, after: $after, sortKey: UPDATED_AT, reverse: true) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;

function readShopify(name: string, fields: string): PagedRead {
	const sends = "POST https://acme.myshopify.com/admin/api/2026-07/graphql.json";
	const query = shopifyQuery(name, fields);
	const answer = (id: number, hasNextPage: boolean): Json => ({
		data: { [name]: { nodes: [{ id }], pageInfo: { hasNextPage, endCursor: `c${id}` } } },
	});
	return {
		component: `shopify.list_${name}`,
		params: { first: 1 },
		pages: [
			{ sends, json: { query, variables: { first: 1 } }, answer: answer(1, true) },
			{ sends, json: { query, variables: { first: 1, after: "c1" } }, answer: answer(2, false) },
		],
		items: ids(1, 2),
	};
}

/** Those of the services that take a key or a token. */
export const pagedReadsByKey: readonly PagedRead[] = [
	readCursor(
		"pipedrive.list_deals",
		{ status: "open" },
		[`${PIPEDRIVE}/deals?status=open&limit=100`, `${PIPEDRIVE}/deals?status=open&limit=100&cursor=eyJk`],
		(data, isLast) => ({ success: true, data, additional_data: { next_cursor: isLast ? null : "eyJk" } }),
	),
	readCursor(
		"pipedrive.search_persons",
		{ term: "ada" },
		[
			`${PIPEDRIVE}/persons/search?term=ada&limit=100`,
			`${PIPEDRIVE}/persons/search?term=ada&limit=100&cursor=eyJk`,
		],
		(items, isLast) => ({
			success: true,
			data: { items },
			additional_data: { next_cursor: isLast ? null : "eyJk" },
		}),
	),
	{
		component: "mattermost.list_channels",
		params: { team_id: "t1" },
		pages: [
			{ sends: `GET ${MATTERMOST}?page=0&per_page=200`, answer: ids(0, 200) },
			{ sends: `GET ${MATTERMOST}?page=1&per_page=200`, answer: ids(200, 1) },
		],
		items: ids(0, 201),
	},
	...["/posts?status=publish&page=", "/tags?page="].map((path) => ({
		component: path.startsWith("/posts") ? "wordpress.list_posts" : "wordpress.list_terms",
		params: path.startsWith("/posts") ? { per_page: 1 } : { taxonomy: "tags", per_page: 1 },
		pages: [
			{
				sends: `GET ${WORDPRESS}${path}1&per_page=1`,
				answer: ids(1, 1),
				answerHeaders: { link: `<${WORDPRESS}${path}2&per_page=1>; rel="next"`, "x-wp-totalpages": "2" },
			},
			{
				sends: `GET ${WORDPRESS}${path}2&per_page=1`,
				answer: ids(2, 1),
				answerHeaders: { link: `<${WORDPRESS}${path}1&per_page=1>; rel="prev"` },
			},
		],
		items: ids(1, 2),
	})),
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
	readCursor(
		"baserow.list_rows",
		{ table_id: 123, size: 1 },
		[`${BASEROW}&page=1&size=1`, `${BASEROW}&page=2&size=1`],
		(results, isLast) => ({
			count: 2,
			next: isLast ? null : `${BASEROW}&page=2&size=1`,
			previous: null,
			results,
		}),
	),
	{
		component: "qdrant.scroll_points",
		params: { collection: "texts", limit: 1 },
		pages: [
			{
				sends: `POST ${QDRANT}`,
				json: { limit: 1, with_payload: true },
				answer: { status: "ok", result: { points: ids(1, 1), next_page_offset: 2 } },
			},
			{
				sends: `POST ${QDRANT}`,
				json: { limit: 1, with_payload: true, offset: 2 },
				answer: { status: "ok", result: { points: ids(2, 1), next_page_offset: null } },
			},
		],
		items: ids(1, 2),
	},
	readCursor(
		"pinecone.list_ids",
		{},
		[`${PINECONE}?limit=100`, `${PINECONE}?limit=100&paginationToken=Tm90`],
		(vectors, isLast) => (isLast ? { vectors } : { vectors, pagination: { next: "Tm90" } }),
	),
	readAsana("list_workspaces", {}, "/workspaces?"),
	readAsana("list_projects", { workspace: "1" }, "/projects?workspace=1&"),
	readAsana("list_sections", { project: "1331" }, "/projects/1331/sections?"),
	readAsana("list_tasks", { project: "1331", opt_fields: "name" }, "/tasks?project=1331&opt_fields=name&"),
	{
		component: "clickup.list_tasks",
		params: { list_id: "901" },
		pages: [0, 1, 2].map((page) => ({
			sends: `GET ${CLICKUP}?page=${page}&include_closed=false&subtasks=false&order_by=created`,
			answer: { tasks: page === 2 ? [] : ids(page + 1, 1), last_page: page > 0 },
		})),
		items: ids(1, 2),
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
	{
		component: "trello.search_cards",
		params: { query: "due:week" },
		pages: [
			{
				sends: `GET ${TRELLO}&cards_limit=100&cards_page=0&${TRELLO_AUTH}`,
				answer: { cards: ids(0, 100) },
			},
			{ sends: `GET ${TRELLO}&cards_limit=100&cards_page=1&${TRELLO_AUTH}`, answer: { cards: ids(100, 1) } },
		],
		items: ids(0, 101),
	},
	readCursor(
		"twilio.list_numbers",
		{ limit: 1 },
		[
			`https://api.twilio.com${TWILIO}?PageSize=1`,
			`https://api.twilio.com${TWILIO}?PageSize=1&Page=1&PageToken=PN1`,
		],
		(incoming_phone_numbers, isLast) => ({
			incoming_phone_numbers,
			next_page_uri: isLast ? null : `${TWILIO}?PageSize=1&Page=1&PageToken=PN1`,
		}),
	),
	readHubspot(
		"list_associations",
		{ record_id: "1", to_object_type: "deals" },
		`${HUBSPOT}/v4/objects/contacts/1/associations/deals?limit=500`,
	),
	readHubspot("list_owners", {}, `${HUBSPOT}/v3/owners?limit=100`),
	readCursor(
		"gemini.list_models",
		{},
		[`${GEMINI}?pageSize=50`, `${GEMINI}?pageSize=50&pageToken=Chh`],
		(models, isLast) => (isLast ? { models } : { models, nextPageToken: "Chh" }),
	),
	readCursor("elevenlabs.list_voices", {}, [VOICES, `${VOICES}&next_page_token=t2`], (voices, isLast) => ({
		voices,
		has_more: !isLast,
		total_count: 2,
		next_page_token: isLast ? null : "t2",
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
