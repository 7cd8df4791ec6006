import { toExchanges } from "../exchange.ts";

const SITE = "580e63e98c9a982ac9b8b741";
const COLLECTION = "580e63fc8c9a982ac9b8b745";
const ITEM = "580e64008c9a982ac9b8b754";
const item = {
	id: ITEM,
	lastPublished: null,
	lastUpdated: "2026-01-31T09:00:00.000Z",
	createdOn: "2026-01-31T09:00:00.000Z",
	isArchived: false,
	isDraft: false,
	fieldData: { name: "Hello", slug: "hello" },
};
const pagination = { limit: 100, offset: 0, total: 1 };

export const webflow = toExchanges(
	{
		id: "webflow",
		authRecipe: "webflow_token",
		fields: { token: "test-webflow-token" },
		base: "https://api.webflow.com/v2",
		headers: { authorization: "Bearer test-webflow-token" },
	},
	{
		list_sites: {
			sends: "GET /sites",
			answer: { sites: [{ id: SITE, displayName: "Acme", shortName: "acme" }] },
		},
		list_collections: {
			params: { site_id: SITE },
			sends: `GET /sites/${SITE}/collections`,
			answer: { collections: [{ id: COLLECTION, displayName: "Posts", slug: "posts" }] },
		},
		list_items: {
			params: { collection_id: COLLECTION, slug: "hello", sort_by: "lastPublished", sort_order: "desc" },
			sends: `GET /collections/${COLLECTION}/items?slug=hello&sortBy=lastPublished&sortOrder=desc&offset=0&limit=100`,
			answer: { items: [item], pagination },
		},
		get_item: {
			params: { collection_id: COLLECTION, item_id: ITEM },
			sends: `GET /collections/${COLLECTION}/items/${ITEM}`,
			answer: item,
		},
		create_item: {
			params: { collection_id: COLLECTION, fields: { name: "Hello", slug: "hello" }, is_draft: true },
			sends: `POST /collections/${COLLECTION}/items`,
			json: { isDraft: true, fieldData: { name: "Hello", slug: "hello" } },
			status: 202,
			answer: item,
		},
		create_live_item: {
			params: { collection_id: COLLECTION, fields: { name: "Hello", slug: "hello" } },
			sends: `POST /collections/${COLLECTION}/items/live`,
			json: { fieldData: { name: "Hello", slug: "hello" } },
			status: 202,
			answer: item,
		},
		update_item: {
			params: { collection_id: COLLECTION, item_id: ITEM, fields: { name: "Hello, world" } },
			sends: `PATCH /collections/${COLLECTION}/items/${ITEM}`,
			json: { fieldData: { name: "Hello, world" } },
			answer: item,
		},
		delete_item: {
			params: { collection_id: COLLECTION, item_id: ITEM },
			sends: `DELETE /collections/${COLLECTION}/items/${ITEM}`,
			status: 204,
			output: { deleted: true },
		},
		publish_items: {
			params: { collection_id: COLLECTION, item_ids: [ITEM] },
			sends: `POST /collections/${COLLECTION}/items/publish`,
			json: { itemIds: [ITEM] },
			status: 202,
			answer: { publishedItemIds: [ITEM], errors: [] },
		},
		list_form_submissions: {
			params: { site_id: SITE, form_id: "589a331aa51e760df7ccb89d", limit: 10 },
			sends: `GET /sites/${SITE}/forms/589a331aa51e760df7ccb89d/submissions?offset=0&limit=10`,
			answer: {
				formSubmissions: [
					{
						id: "6321ca84df3949bfc6752327",
						dateSubmitted: "2026-01-31T09:00:00.000Z",
						formResponse: { Name: "Ada" },
					},
				],
				pagination,
			},
		},
	},
);
