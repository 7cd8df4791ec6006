import { toExchanges } from "../exchange.ts";

const message = {
	id: "334385199974967042",
	channel_id: "290926798999357250",
	content: "Supa Hot",
	timestamp: "2017-07-11T17:27:07.299000+00:00",
	author: { id: "53908099506183680", username: "mason" },
};
const channel_id = "290926798999357250";
const message_id = "334385199974967042";

export const discord = toExchanges(
	{
		id: "discord",
		authRecipe: "discord_bot",
		fields: { token: "test-discord-token" },
		base: "https://discord.com/api/v10",
		headers: { authorization: "Bot test-discord-token", "user-agent": "DiscordBot (tripline, 1.0.0)" },
	},
	{
		send_message: {
			params: { channel_id, content: "Supa Hot", embeds: [{ title: "Hello, Embed!" }] },
			sends: "POST /channels/290926798999357250/messages",
			json: { content: "Supa Hot", embeds: [{ title: "Hello, Embed!" }], allowed_mentions: { parse: [] } },
			answer: message,
		},
		reply: {
			params: { channel_id, message_id, content: "Supa Hot", allowed_mentions: { parse: ["users"] } },
			sends: "POST /channels/290926798999357250/messages",
			json: {
				content: "Supa Hot",
				allowed_mentions: { parse: ["users"] },
				message_reference: { message_id: "334385199974967042" },
			},
			answer: { ...message, id: "334385199974967043" },
		},
		edit_message: {
			params: { channel_id, message_id, content: "Supa Hot" },
			sends: "PATCH /channels/290926798999357250/messages/334385199974967042",
			json: { content: "Supa Hot" },
			answer: message,
		},
		list_messages: {
			params: { channel_id, limit: 10, before: message_id },
			sends: "GET /channels/290926798999357250/messages?limit=10&before=334385199974967042",
			answer: [message],
		},
		add_reaction: {
			params: { channel_id, message_id, emoji: "🔥" },
			sends: "PUT /channels/290926798999357250/messages/334385199974967042/reactions/%F0%9F%94%A5/@me",
			status: 204,
			output: { added: true },
		},
		start_thread: {
			params: { channel_id, message_id, name: "Release 2" },
			sends: "POST /channels/290926798999357250/messages/334385199974967042/threads",
			json: { name: "Release 2" },
			status: 201,
			answer: { id: "41771983423143937", name: "Release 2", type: 11 },
		},
		list_channels: {
			params: { guild_id: "197038439483310086" },
			sends: "GET /guilds/197038439483310086/channels",
			answer: [{ id: "41771983423143937", name: "general", type: 0 }],
		},
	},
);
