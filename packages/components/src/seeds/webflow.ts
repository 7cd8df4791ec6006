import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, done, object, orNull, params, pass } from "./schema.ts";

const COLLECTION = "580e63fc8c9a982ac9b8b745";
const ITEM = "580e64008c9a982ac9b8b754";
const SITE = "580e63e98c9a982ac9b8b741";
const site_id = text("The site's id, from list_sites");
const collection_id = text("The collection's id, from list_collections");
const item_id = text("The item's id");
const fieldData = object("Values by the field's slug; name and slug are required in a new item");
const paging = {
	offset: integer("Index of the first result", { minimum: 0, default: 0 }),
	limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 100 }),
};
const pages = { by: "page", param: "offset", start: 0, step: 100, size_param: "limit", size: 100 } as const;
const pagination = object("For paging", {
	limit: integer("Results per page"),
	offset: integer("Index of the first result"),
	total: integer("Total number of results"),
});
const item = answer({
	id: item_id,
	lastPublished: orNull(text("Time of the last publication")),
	lastUpdated: text("Time of the last change"),
	isArchived: flag("Whether it is archived"),
	isDraft: flag("Whether it is a draft"),
	fieldData: object("Its values by the field's slug"),
});
const body = {
	kind: "json",
	value: {
		isArchived: "{{params.is_archived}}",
		isDraft: "{{params.is_draft}}",
		fieldData: "{{params.fields}}",
	},
} as const;
const state = { is_draft: flag("Whether it stays a draft"), is_archived: flag("Whether it is archived") };

export const webflow: ApiRecipe = {
	id: "webflow",
	category: "web",
	title: "Webflow",
	description: "Items of Webflow's CMS, sites and form submissions.",
	auth: "webflow_token",
	base_url: "https://api.webflow.com/v2",
	docs_url: "https://developers.webflow.com/data/reference/rest-introduction",
	operations: {
		list_sites: {
			title: "List sites",
			method: "GET",
			path: "/sites",
			params: params({}),
			output: {
				schema: answer({
					sites: list(
						object("A site", {
							id: site_id,
							displayName: text("Its name"),
							shortName: text("Its short name"),
						}),
						"The sites",
					),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		list_collections: {
			title: "List the collections of a site",
			method: "GET",
			path: "/sites/{site_id}/collections",
			params: params({ site_id }),
			output: {
				schema: answer({
					collections: list(
						object("A collection", {
							id: collection_id,
							displayName: text("Its name"),
							slug: text("Its slug"),
						}),
						"The collections",
					),
				}),
			},
			examples: [{ title: "One site", params: { site_id: SITE } }],
		},
		list_items: {
			title: "List items of a collection",
			method: "GET",
			path: "/collections/{collection_id}/items",
			params: params(
				{ collection_id },
				{
					name: text("Only items with this name"),
					slug: text("Only items with this slug"),
					sort_by: choice(["lastPublished", "name", "slug"], "Sort field"),
					sort_order: choice(["asc", "desc"], "Sort direction"),
					...paging,
				},
			),
			query: {
				name: "{{params.name}}",
				slug: "{{params.slug}}",
				sortBy: "{{params.sort_by}}",
				sortOrder: "{{params.sort_order}}",
				...pass("offset", "limit"),
			},
			paginate: { ...pages, items: "items" },
			output: { schema: answer({ items: list(item, "The items"), pagination }) },
			examples: [{ title: "One collection", params: { collection_id: COLLECTION } }],
		},
		get_item: {
			title: "Get an item",
			method: "GET",
			path: "/collections/{collection_id}/items/{item_id}",
			params: params({ collection_id, item_id }),
			output: { schema: item },
			examples: [{ title: "One", params: { collection_id: COLLECTION, item_id: ITEM } }],
		},
		create_item: {
			title: "Create an item",
			description: "It is staged: publish it with publish_items, or use create_live_item.",
			method: "POST",
			path: "/collections/{collection_id}/items",
			params: params({ collection_id, fields: fieldData }, state),
			body,
			output: { schema: item },
			examples: [
				{ title: "A post", params: { collection_id: COLLECTION, fields: { name: "Hello", slug: "hello" } } },
			],
		},
		create_live_item: {
			title: "Create and publish an item",
			method: "POST",
			path: "/collections/{collection_id}/items/live",
			params: params({ collection_id, fields: fieldData }, state),
			body,
			output: { schema: item },
			examples: [
				{ title: "A post", params: { collection_id: COLLECTION, fields: { name: "Hello", slug: "hello" } } },
			],
		},
		update_item: {
			title: "Update an item",
			description: "Changes only the given fields. Publish the change with publish_items.",
			method: "PATCH",
			path: "/collections/{collection_id}/items/{item_id}",
			params: params(
				{ collection_id, item_id },
				{ fields: object("New values by the field's slug"), ...state },
			),
			body,
			output: { schema: item },
			examples: [
				{
					title: "A new title",
					params: { collection_id: COLLECTION, item_id: ITEM, fields: { name: "Hello, world" } },
				},
			],
		},
		delete_item: {
			title: "Delete an item",
			method: "DELETE",
			path: "/collections/{collection_id}/items/{item_id}",
			params: params({ collection_id, item_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { collection_id: COLLECTION, item_id: ITEM } }],
		},
		publish_items: {
			title: "Publish items",
			method: "POST",
			path: "/collections/{collection_id}/items/publish",
			params: params({
				collection_id,
				item_ids: list(text("An item's id"), "The items", { minItems: 1, maxItems: 100 }),
			}),
			body: { kind: "json", value: { itemIds: "{{params.item_ids}}" } },
			output: {
				schema: answer({
					publishedItemIds: list(text("An item's id"), "The published items"),
					errors: list(text("An error"), "What failed"),
				}),
			},
			examples: [{ title: "One", params: { collection_id: COLLECTION, item_ids: [ITEM] } }],
		},
		list_form_submissions: {
			title: "List submissions of a form",
			method: "GET",
			path: "/sites/{site_id}/forms/{form_id}/submissions",
			params: params({ site_id, form_id: text("The form's id") }, paging),
			query: pass("offset", "limit"),
			paginate: { ...pages, items: "formSubmissions" },
			output: {
				schema: answer({
					formSubmissions: list(
						object("A submission", {
							id: text("Its id"),
							dateSubmitted: text("When"),
							formResponse: object("The values by field"),
						}),
						"The submissions",
					),
					pagination,
				}),
			},
			examples: [{ title: "One form", params: { site_id: SITE, form_id: "589a331aa51e760df7ccb89d" } }],
		},
	},
};
