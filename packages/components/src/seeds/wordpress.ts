import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, text } from "../schema-words.ts";
import { answer, exampleFile, object, params, pass } from "./schema.ts";

const post_id = integer("The post's id");
const page = integer("Page, from 1", { minimum: 1, default: 1 });
const per_page = integer("Results per page", { minimum: 1, maximum: 100, default: 10 });
const categories = list(integer("A category's id"), "Its categories, from list_terms");
const tags = list(integer("A tag's id"), "Its tags, from list_terms");
const status = choice(["publish", "future", "draft", "pending", "private"], "Its status; future needs date");
const fields = {
	content: text("Its text as HTML"),
	excerpt: text("A summary"),
	status,
	slug: text("The last part of its address"),
	date: text("Publication time in the site's time zone, such as 2026-01-31T09:00:00"),
	categories,
	tags,
	featured_media: integer("An image's id, from upload_media"),
	meta: object("Custom fields that are registered for the API"),
};
const rendered = (description: string) => object(description, { rendered: text("As HTML") });
const post = answer({
	id: post_id,
	link: text("URL of its page"),
	status: text("Its status"),
	slug: text("The last part of its address"),
	date: text("Publication time"),
	title: rendered("Its title"),
	content: rendered("Its text"),
});

export const wordpress: ApiRecipe = {
	id: "wordpress",
	category: "web",
	title: "WordPress",
	description: "Posts, pages, media and comments of a WordPress site.",
	auth: "wordpress_password",
	base_url: "https://{{credential.host}}/wp-json/wp/v2",
	docs_url: "https://developer.wordpress.org/rest-api/reference/",
	operations: {
		list_posts: {
			title: "List posts",
			description: "Newest first.",
			method: "GET",
			path: "/posts",
			params: params(
				{},
				{
					search: text("Search words"),
					status: text("publish, draft, pending, private or any, comma-separated", { default: "publish" }),
					after: text("Only posts published after this time, such as 2026-01-31T09:00:00"),
					categories: text("Ids of categories, comma-separated"),
					tags: text("Ids of tags, comma-separated"),
					page,
					per_page,
				},
			),
			query: pass("search", "status", "after", "categories", "tags", "page", "per_page"),
			paginate: { by: "link" },
			output: { schema: list(post, "The posts") },
			examples: [{ title: "Drafts", params: { status: "draft" } }],
		},
		get_post: {
			title: "Get a post",
			method: "GET",
			path: "/posts/{post_id}",
			params: params({ post_id }),
			output: { schema: post },
			examples: [{ title: "One", params: { post_id: 7 } }],
		},
		create_post: {
			title: "Create a post",
			method: "POST",
			path: "/posts",
			params: params({ title: text("Its title") }, { ...fields, status: { ...status, default: "draft" } }),
			body: { kind: "json", value: pass("title", ...Object.keys(fields)) },
			output: { schema: post },
			examples: [
				{ title: "Publish", params: { title: "Hello", content: "<p>World</p>", status: "publish" } },
			],
		},
		update_post: {
			title: "Update a post",
			description: "Changes only the given fields.",
			method: "POST",
			path: "/posts/{post_id}",
			params: params({ post_id }, { title: text("A new title"), ...fields }),
			body: { kind: "json", value: pass("title", ...Object.keys(fields)) },
			output: { schema: post },
			examples: [{ title: "Publish a draft", params: { post_id: 7, status: "publish" } }],
		},
		delete_post: {
			title: "Delete a post",
			method: "DELETE",
			path: "/posts/{post_id}",
			params: params({ post_id }, { force: flag("Delete it for good instead of moving it to the trash") }),
			query: pass("force"),
			output: { schema: answer({}) },
			examples: [{ title: "To the trash", params: { post_id: 7 } }],
		},
		create_page: {
			title: "Create a page",
			method: "POST",
			path: "/pages",
			params: params(
				{ title: text("Its title") },
				{
					content: text("Its text as HTML"),
					status: { ...status, default: "draft" },
					slug: text("The last part of its address"),
					parent: integer("The parent page's id"),
				},
			),
			body: { kind: "json", value: pass("title", "content", "status", "slug", "parent") },
			output: { schema: post },
			examples: [{ title: "A draft", params: { title: "About us", content: "<p>We build.</p>" } }],
		},
		upload_media: {
			title: "Upload an image or another file",
			method: "POST",
			path: "/media",
			params: params(
				{ file: file("The file") },
				{
					title: text("Its title"),
					alt_text: text("Description for screen readers"),
					caption: text("Its caption"),
				},
			),
			body: {
				kind: "multipart",
				parts: [
					{ name: "file", file: "{{params.file}}" },
					{ name: "title", text: "{{params.title}}" },
					{ name: "alt_text", text: "{{params.alt_text}}" },
					{ name: "caption", text: "{{params.caption}}" },
				],
			},
			output: {
				schema: answer({
					id: integer("Use it as featured_media"),
					source_url: text("URL of the file"),
					mime_type: text("Its media type"),
				}),
			},
			examples: [{ title: "A picture", params: { file: exampleFile("chart.png", "image/png") } }],
		},
		list_terms: {
			title: "List categories or tags",
			method: "GET",
			path: "/{taxonomy}",
			params: params(
				{ taxonomy: choice(["categories", "tags"], "Which") },
				{ search: text("Search words"), page, per_page },
			),
			query: pass("search", "page", "per_page"),
			paginate: { by: "link" },
			output: {
				schema: list(
					answer({ id: integer("Its id"), name: text("Its name"), count: integer("Number of posts") }),
					"The categories or tags",
				),
			},
			examples: [{ title: "Categories", params: { taxonomy: "categories", per_page: 100 } }],
		},
		create_comment: {
			title: "Comment on a post",
			method: "POST",
			path: "/comments",
			params: params(
				{ post: post_id, content: text("Its text") },
				{ parent: integer("The comment to reply to") },
			),
			body: { kind: "json", value: pass("post", "content", "parent") },
			output: {
				schema: answer({
					id: integer("Its id"),
					link: text("URL of the comment"),
					status: text("Such as approved"),
				}),
			},
			examples: [{ title: "Thanks", params: { post: 7, content: "Thank you." } }],
		},
	},
};
