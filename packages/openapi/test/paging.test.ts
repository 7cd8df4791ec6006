import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeResponse, makeOperation } from "./make.ts";

const TEXT = { type: "string" };
const WHOLE = { type: "integer" };
const LIST = { type: "array", items: TEXT };
const object = (properties: JsonObject) => ({ type: "object", properties });

async function findPaging(query: Record<string, JsonObject>, schema: JsonObject, more: JsonObject = {}) {
	const parameters = Object.entries(query).map(([name, one]) => ({ name, in: "query", schema: one }));
	return (await makeOperation(describeResponse(schema, { parameters, ...more }))).operation.paginate;
}

const RECOGNISED: readonly (readonly [
	what: string,
	query: Record<string, JsonObject>,
	schema: JsonObject,
	paginate: JsonObject,
])[] = [
	[
		"a cursor beside the items",
		{ cursor: TEXT },
		object({ items: LIST, next_cursor: TEXT }),
		{ by: "cursor", cursor: "next_cursor", optional: true, param: "cursor", items: "items" },
	],
	[
		"a cursor in an object about the page",
		{ cursor: TEXT },
		object({ channels: LIST, response_metadata: object({ next_cursor: TEXT }) }),
		{
			by: "cursor",
			cursor: "response_metadata.next_cursor",
			optional: true,
			param: "cursor",
			items: "channels",
		},
	],
	[
		"a page token",
		{ pageToken: TEXT },
		object({ files: LIST, nextPageToken: TEXT }),
		{ by: "cursor", cursor: "nextPageToken", optional: true, param: "pageToken", items: "files" },
	],
	[
		"the word continue",
		{ continue: TEXT },
		object({ items: LIST, metadata: object({ continue: TEXT }) }),
		{ by: "cursor", cursor: "metadata.continue", optional: true, param: "continue", items: "items" },
	],
	[
		"the id of the last item",
		{ starting_after: TEXT },
		object({ data: { type: "array", items: object({ id: TEXT }) }, has_more: { type: "boolean" } }),
		{ by: "cursor", last: "id", more: "has_more", param: "starting_after", items: "data" },
	],
	[
		"an address in the body",
		{},
		object({ messages: LIST, next_page_uri: { type: "string", nullable: true } }),
		{ by: "link", url: "next_page_uri", items: "messages" },
	],
	[
		"an address in links",
		{},
		object({ data: LIST, links: object({ next: TEXT }) }),
		{ by: "link", url: "links.next", items: "data" },
	],
	[
		"an address in links of HAL",
		{},
		object({ data: LIST, _links: object({ next: object({ href: TEXT }) }) }),
		{ by: "link", url: "_links.next.href", items: "data" },
	],
	[
		"an address of OData",
		{},
		object({ value: LIST, "@odata.nextLink": TEXT }),
		{ by: "link", url: '["@odata.nextLink"]', items: "value" },
	],
	["numbers of pages", { page: WHOLE }, LIST, { by: "page", param: "page", start: 1 }],
	[
		"numbers of pages from 0",
		{ page: { type: "integer", default: 0 } },
		object({ rows: LIST, total: WHOLE }),
		{ by: "page", param: "page", start: 0, items: "rows" },
	],
	[
		"an offset with a known size",
		{ offset: WHOLE, limit: { type: "integer", default: 20 } },
		object({ items: LIST, total: WHOLE }),
		{ by: "page", param: "offset", start: 0, step: 20, size_param: "limit", size: 20, items: "items" },
	],
	[
		"an offset of Jira",
		{ startAt: { type: "integer", default: 0 }, maxResults: { type: "integer", default: 50 } },
		object({ values: LIST, total: WHOLE }),
		{ by: "page", param: "startAt", start: 0, step: 50, size_param: "maxResults", size: 50, items: "values" },
	],
];

const DOUBTFUL: readonly (readonly [what: string, query: Record<string, JsonObject>, schema: JsonObject])[] =
	[
		["there is no list", { cursor: TEXT }, object({ next_cursor: TEXT })],
		["there are two lists", { cursor: TEXT }, object({ a: LIST, b: LIST, next_cursor: TEXT })],
		["no cursor is returned", { cursor: TEXT }, object({ items: LIST })],
		["the cursor is a number", { cursor: WHOLE }, object({ items: LIST, next_cursor: TEXT })],
		["the size of a page is unknown", { offset: WHOLE, limit: WHOLE }, object({ items: LIST, total: WHOLE })],
		["nothing says that there are pages", { page: WHOLE }, object({ items: LIST })],
		[
			"the offset starts anywhere",
			{ offset: { type: "integer", default: 7 }, limit: { type: "integer", default: 20 } },
			object({ items: LIST, total: WHOLE }),
		],
	];

describe("paging", () => {
	for (const [what, query, schema, paginate] of RECOGNISED)
		test(`is recognised by ${what}`, async () => assert.deepEqual(await findPaging(query, schema), paginate));

	test("is recognised by the header Link", async () => {
		const response = { headers: { Link: {} }, content: { "application/json": { schema: LIST } } };
		assert.deepEqual(await findPaging({}, LIST, { responses: { 200: response } }), { by: "link" });
	});

	for (const [what, query, schema] of DOUBTFUL)
		test(`is not guessed if ${what}`, async () => assert.equal(await findPaging(query, schema), undefined));
});
