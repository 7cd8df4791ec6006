import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, integer, list, text } from "../schema-words.ts";
import { answer, done, exampleFile, object, params, pass } from "./schema.ts";

const CHANNEL = "4xp9fdt77pncbef59f4k1qe83o";
const POST = "8fi7gxc3p7fyjcyoh7sqp5ydgr";
const channel_id = text("The channel's id, from find_channel");
const post_id = text("The post's id");
const post = answer({
	id: post_id,
	channel_id,
	message: text("Its text"),
	user_id: text("Author"),
	root_id: text("The post it replies to; empty if none"),
	create_at: integer("Time in milliseconds"),
});
const channel = answer({
	id: channel_id,
	name: text("Its name in addresses"),
	display_name: text("Its name"),
	type: text("O public, P private, D direct"),
});
const user = answer({
	id: text("The user's id"),
	username: text("User name"),
	email: text("E-mail address"),
});

export const mattermost: ApiRecipe = {
	id: "mattermost",
	category: "messaging",
	title: "Mattermost",
	description: "Posts, files, channels and users of a Mattermost server.",
	auth: "mattermost_token",
	base_url: "https://{{credential.host}}/api/v4",
	docs_url: "https://developers.mattermost.com/api-documentation/",
	operations: {
		create_post: {
			title: "Post a message",
			method: "POST",
			path: "/posts",
			params: params(
				{ channel_id, message: text("The text in Markdown") },
				{
					root_id: text("The post to reply to"),
					file_ids: list(text("A file's id, from upload_file"), "Files to attach", { maxItems: 10 }),
					props: object("Such as { attachments }"),
				},
			),
			body: { kind: "json", value: pass("channel_id", "message", "root_id", "file_ids", "props") },
			output: { schema: post },
			examples: [{ title: "Say hello", params: { channel_id: CHANNEL, message: "Hello, **world**" } }],
		},
		update_post: {
			title: "Edit a post",
			method: "PUT",
			path: "/posts/{post_id}/patch",
			params: params({ post_id, message: text("The new text") }),
			body: { kind: "json", value: pass("message") },
			output: { schema: post },
			examples: [{ title: "Mark as done", params: { post_id: POST, message: "Deployed" } }],
		},
		delete_post: {
			title: "Delete a post",
			method: "DELETE",
			path: "/posts/{post_id}",
			params: params({ post_id }),
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { post_id: POST } }],
		},
		list_posts: {
			title: "List posts of a channel",
			method: "GET",
			path: "/channels/{channel_id}/posts",
			params: params(
				{ channel_id },
				{
					since: integer("Only posts changed after this time in milliseconds; without pages"),
					page: integer("Page, from 0", { minimum: 0, default: 0 }),
					per_page: integer("Posts per page", { minimum: 1, maximum: 200, default: 60 }),
				},
			),
			query: pass("since", "page", "per_page"),
			output: {
				schema: answer({
					order: list(text("A post's id"), "The ids, newest first"),
					posts: object("The posts by id"),
				}),
			},
			examples: [{ title: "The last ten", params: { channel_id: CHANNEL, per_page: 10 } }],
		},
		list_channels: {
			title: "List public channels of a team",
			method: "GET",
			path: "/teams/{team_id}/channels",
			params: params(
				{ team_id: text("The team's id") },
				{
					page: integer("Page, from 0", { minimum: 0, default: 0 }),
					per_page: integer("Channels per page", { minimum: 1, maximum: 200, default: 60 }),
				},
			),
			query: pass("page", "per_page"),
			paginate: { by: "page", param: "page", start: 0, size_param: "per_page", size: 200 },
			output: { schema: list(channel, "The channels") },
			examples: [{ title: "All", params: { team_id: "rcgiyftm7jyrxnma1osd8zswby" } }],
		},
		find_channel: {
			title: "Find a channel by its name",
			method: "GET",
			path: "/teams/name/{team}/channels/name/{channel}",
			params: params({
				team: text("The team's name in addresses"),
				channel: text("The channel's name in addresses, such as town-square"),
			}),
			output: { schema: channel },
			examples: [{ title: "The main channel", params: { team: "acme", channel: "town-square" } }],
		},
		open_direct_channel: {
			title: "Open a direct channel",
			description: "Between two users, one of whom is the bot. Post into it with create_post.",
			method: "POST",
			path: "/channels/direct",
			params: params({
				user_id: text("The user's id, from find_user"),
				own_id: text("The bot's own id, from get_me"),
			}),
			body: { kind: "json", value: ["{{params.own_id}}", "{{params.user_id}}"] },
			output: { schema: channel },
			examples: [
				{
					title: "With a user",
					params: { user_id: "m91wx1hqt3bj7mxmp9xk8xo1wa", own_id: "b8n9pihrd3nyzjh7ywhkeaxqxr" },
				},
			],
		},
		upload_file: {
			title: "Upload a file",
			description: "Then attach it: pass id as one of file_ids to create_post.",
			method: "POST",
			path: "/files",
			params: params({ channel_id, file: file("The file") }),
			body: {
				kind: "multipart",
				parts: [
					{ name: "channel_id", text: "{{params.channel_id}}" },
					{ name: "files", file: "{{params.file}}" },
				],
			},
			output: {
				value: "{{data.file_infos[0]}}",
				schema: answer({ id: text("The file's id"), name: text("Its name"), size: integer("Size in bytes") }),
			},
			examples: [
				{
					title: "A report",
					params: { channel_id: CHANNEL, file: exampleFile("report.pdf", "application/pdf") },
				},
			],
		},
		find_user: {
			title: "Find a user by e-mail address",
			method: "GET",
			path: "/users/email/{email}",
			params: params({ email: text("The e-mail address") }),
			output: { schema: user },
			examples: [{ title: "Look up a user", params: { email: "ada@example.com" } }],
		},
		get_me: {
			title: "Get the token's own user",
			method: "GET",
			path: "/users/me",
			params: params({}),
			output: { schema: user },
			examples: [{ title: "Me", params: {} }],
		},
	},
};
