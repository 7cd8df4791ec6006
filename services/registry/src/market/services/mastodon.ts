import { choice, flag, integer, list, text } from "@tripline/components/schema-words";
import { recipe } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

const account = object(
	{
		id: text("Its id"),
		acct: text("Its name, with the server if it is another one"),
		display_name: text("How it calls itself"),
		url: text("Its page"),
	},
	"The account",
	["id", "acct"],
);
const status = object(
	{
		id: text("Its id"),
		url: orNull(text("Its page")),
		created_at: text("When it was posted"),
		content: text("What it says, in HTML"),
		visibility: text("Who sees it"),
		account,
		favourites_count: integer("How many like it"),
		reblogs_count: integer("How often it was boosted"),
		replies_count: integer("How many answers it has"),
	},
	"The post",
	["id"],
);

export const mastodon = recipe({
	id: "mastodon",
	title: "Mastodon",
	description: `Posts, timelines and search of a [Mastodon](https://joinmastodon.org) account, on any server.

Use it to announce releases and articles, and to watch what is said. It takes an access token: on your server under Preferences, Development, make an application with the scopes \`read\` and \`write:statuses\`. Most servers allow posts of 500 characters.`,
	tags: ["social", "publish"],
	hosts: ["{host}"],
	auth_recipes: {
		token: {
			title: "Mastodon access token",
			type: "bearer",
			fields: [
				{ name: "host", secret: false, help: "Your server's name, such as mastodon.social" },
				{ name: "token", secret: true, help: "Preferences, Development, your application: access token" },
			],
			inject: { token: "{token}" },
			hosts: ["{host}"],
		},
	},
	recipe: {
		auth: "token",
		base_url: "https://{{credential.host}}/api",
		docs_url: "https://docs.joinmastodon.org/methods/statuses/",
		operations: {
			post_status: {
				title: "Post",
				description:
					"Posts a text. With the same idempotency_key again within an hour nothing new is posted, so retries are safe.",
				method: "POST",
				path: "/v1/statuses",
				params: params(
					{
						status: text("What it says", { minLength: 1, maxLength: 5_000 }),
						visibility: choice(["public", "unlisted", "private", "direct"], "Who sees it", {
							default: "public",
						}),
						in_reply_to_id: text("The post that it answers"),
						spoiler_text: text("A warning to show instead of it until it is opened"),
						sensitive: flag("Whether its media are hidden until they are opened"),
						language: text("Code of its language, such as en"),
						idempotency_key: text("Any text that is the same for the same post", {
							minLength: 1,
							maxLength: 200,
						}),
					},
					["status"],
				),
				headers: { "Idempotency-Key": "{{params.idempotency_key}}" },
				body: {
					kind: "json",
					value: {
						status: "{{params.status}}",
						visibility: "{{params.visibility}}",
						in_reply_to_id: "{{params.in_reply_to_id}}",
						spoiler_text: "{{params.spoiler_text}}",
						sensitive: "{{params.sensitive}}",
						language: "{{params.language}}",
					},
				},
				output: { schema: status },
				examples: [
					{
						title: "A release",
						params: { status: "Version 1.4 is out: https://example.com", idempotency_key: "v1.4" },
					},
				],
			},
			delete_status: {
				title: "Delete a post",
				method: "DELETE",
				path: "/v1/statuses/{id}",
				params: params({ id: text("The post's id") }, ["id"]),
				output: { schema: object({ id: text("Its id") }, "The post that was deleted") },
				examples: [{ title: "One post", params: { id: "103254962155278888" } }],
			},
			home_timeline: {
				title: "Read the home timeline",
				method: "GET",
				path: "/v1/timelines/home",
				params: params(
					{
						limit: integer("Posts at most", { minimum: 1, maximum: 40, default: 20 }),
						since_id: text("Only posts after this one"),
						max_id: text("Only posts before this one"),
					},
					[],
				),
				query: {
					limit: "{{params.limit}}",
					since_id: "{{params.since_id}}",
					max_id: "{{params.max_id}}",
				},
				output: { schema: list(status, "The posts, the newest first") },
				examples: [{ title: "What is new", params: { since_id: "103254962155278888" } }],
			},
			tag_timeline: {
				title: "Read posts with a hashtag",
				method: "GET",
				path: "/v1/timelines/tag/{hashtag}",
				params: params(
					{
						hashtag: text("The hashtag, without #", { minLength: 1 }),
						limit: integer("Posts at most", { minimum: 1, maximum: 40, default: 20 }),
						since_id: text("Only posts after this one"),
					},
					["hashtag"],
				),
				query: { limit: "{{params.limit}}", since_id: "{{params.since_id}}" },
				output: { schema: list(status, "The posts, the newest first") },
				examples: [{ title: "About tea", params: { hashtag: "tea" } }],
			},
			search: {
				title: "Search",
				method: "GET",
				path: "/v2/search",
				params: params(
					{
						q: text("What to look for", { minLength: 1 }),
						type: choice(["accounts", "hashtags", "statuses"], "Only these"),
						limit: integer("Of each kind at most", { minimum: 1, maximum: 40, default: 20 }),
					},
					["q"],
				),
				query: { q: "{{params.q}}", type: "{{params.type}}", limit: "{{params.limit}}" },
				output: {
					schema: object(
						{
							accounts: list(account, "Accounts"),
							statuses: list(status, "Posts"),
							hashtags: list(object({ name: text("Without #") }, "A hashtag"), "Hashtags"),
						},
						"What was found",
					),
				},
				examples: [{ title: "An account", params: { q: "@Mastodon@mastodon.social", type: "accounts" } }],
			},
			my_account: {
				title: "Whose token it is",
				method: "GET",
				path: "/v1/accounts/verify_credentials",
				params: params({}, []),
				output: { schema: account },
				examples: [{ title: "The account", params: {} }],
			},
		},
	},
});
