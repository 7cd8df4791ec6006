import type { ApiRecipe } from "@tripline/contract/recipes";
import { integer, list, text } from "../schema-words.ts";
import { answer, done, object, params } from "./schema.ts";

/** Discord requires this format of the header and sometimes rejects others. */
const headers = { "user-agent": "DiscordBot (tripline, 1.0.0)" };
const channel_id = text("The channel's or thread's id");
const message_id = text("The message's id");
const embeds = list(object("An embed: title, description, url, color, fields"), "Embeds below the text", {
	maxItems: 10,
});
const content = text("The text in Markdown", { maxLength: 2000 });
const allowed_mentions = {
	...object("Who is notified by mentions in the text, such as { parse: [users, roles] }; nobody if left out"),
	default: { parse: [] },
};
const channel = answer({
	id: text("Its id"),
	name: text("Its name"),
	type: integer("0 is a text channel, 11 a public thread"),
});
const message = answer({
	id: text("The message's id"),
	channel_id: text("The channel's id"),
	content: text("Its text"),
	timestamp: text("Time it was sent, ISO 8601"),
	author: object("Author", { id: text("Id"), username: text("User name") }),
});

export const discord: ApiRecipe = {
	id: "discord",
	category: "messaging",
	title: "Discord",
	description: "Messages, threads and channels of Discord servers, as a bot.",
	auth: "discord_bot",
	base_url: "https://discord.com/api/v10",
	docs_url: "https://discord.com/developers/docs/reference",
	operations: {
		send_message: {
			title: "Send a message",
			description: "The bot needs the permission Send Messages.",
			method: "POST",
			path: "/channels/{channel_id}/messages",
			params: params({ channel_id, content }, { embeds, allowed_mentions }),
			headers,
			body: {
				kind: "json",
				value: {
					content: "{{params.content}}",
					embeds: "{{params.embeds}}",
					allowed_mentions: "{{params.allowed_mentions}}",
				},
			},
			output: { schema: message },
			examples: [{ title: "Say hello", params: { channel_id: "290926798999357250", content: "Hello" } }],
		},
		reply: {
			title: "Reply to a message",
			method: "POST",
			path: "/channels/{channel_id}/messages",
			params: params({ channel_id, message_id, content }, { embeds, allowed_mentions }),
			headers,
			body: {
				kind: "json",
				value: {
					content: "{{params.content}}",
					embeds: "{{params.embeds}}",
					allowed_mentions: "{{params.allowed_mentions}}",
					message_reference: { message_id: "{{params.message_id}}" },
				},
			},
			output: { schema: message },
			examples: [
				{
					title: "Report completion",
					params: { channel_id: "290926798999357250", message_id: "334385199974967042", content: "Done" },
				},
			],
		},
		edit_message: {
			title: "Edit a message of the bot",
			method: "PATCH",
			path: "/channels/{channel_id}/messages/{message_id}",
			params: params({ channel_id, message_id, content }, { embeds }),
			headers,
			body: { kind: "json", value: { content: "{{params.content}}", embeds: "{{params.embeds}}" } },
			output: { schema: message },
			examples: [
				{
					title: "Show progress",
					params: { channel_id: "290926798999357250", message_id: "334385199974967042", content: "50 %" },
				},
			],
		},
		list_messages: {
			title: "List messages of a channel",
			description: "Newest first. Texts are empty unless the bot has the Message Content intent.",
			method: "GET",
			path: "/channels/{channel_id}/messages",
			params: params(
				{ channel_id },
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 50 }),
					before: text("Only messages before this message id"),
					after: text("Only messages after this message id; not with before or paginate"),
				},
			),
			query: { limit: "{{params.limit}}", before: "{{params.before}}", after: "{{params.after}}" },
			headers,
			paginate: { by: "cursor", last: "id", param: "before" },
			output: { schema: list(message, "The messages") },
			examples: [{ title: "The last ten", params: { channel_id: "290926798999357250", limit: 10 } }],
		},
		add_reaction: {
			title: "React to a message with an emoji",
			method: "PUT",
			path: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me",
			params: params({
				channel_id,
				message_id,
				emoji: text("The emoji itself, or name:id for a custom emoji of the server"),
			}),
			headers,
			response: "text",
			output: done("added", "Always true"),
			examples: [
				{
					title: "Fire",
					params: { channel_id: "290926798999357250", message_id: "334385199974967042", emoji: "\u{1f525}" },
				},
			],
		},
		start_thread: {
			title: "Start a thread on a message",
			method: "POST",
			path: "/channels/{channel_id}/messages/{message_id}/threads",
			params: params({ channel_id, message_id, name: text("The thread's name", { maxLength: 100 }) }),
			headers,
			body: { kind: "json", value: { name: "{{params.name}}" } },
			output: { schema: channel },
			examples: [
				{
					title: "Discuss a release",
					params: { channel_id: "290926798999357250", message_id: "334385199974967042", name: "Release 2" },
				},
			],
		},
		list_channels: {
			title: "List the channels of a server",
			method: "GET",
			path: "/guilds/{guild_id}/channels",
			params: params({ guild_id: text("The server's id") }),
			headers,
			output: { schema: list(channel, "The channels, without threads") },
			examples: [{ title: "All channels", params: { guild_id: "197038439483310086" } }],
		},
	},
};
