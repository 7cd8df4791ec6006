import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, integer, list, text } from "../schema-words.ts";
import { followNextLinks } from "./paging.ts";
import { answer, object, params } from "./schema.ts";

const team_id = text("The team's id");
const channel_id = text("The channel's id, such as 19:abc@thread.tacv2");
const chat_id = text("The chat's id");
const content = text("The message, as text or HTML");
const content_type = choice(["text", "html"], "Whether the message is text or HTML", { default: "text" });
const body = { contentType: "{{params.content_type}}", content: "{{params.content}}" };
const limit = integer("Maximum number of results", { minimum: 1, maximum: 50, default: 50 });
const message = answer({
	id: text("Its id"),
	createdDateTime: text("When it was sent"),
	webUrl: text("URL of the message"),
	body: object("Its text", { contentType: text("text or html"), content: text("The text") }),
});
const nextLink = { "@odata.nextLink": text("URL of the next page, if there is one") };

export const microsoftTeams: ApiRecipe = {
	id: "microsoft_teams",
	category: "messaging",
	title: "Microsoft Teams",
	description:
		"Messages in channels and chats, with work and school accounts. The permissions are Team.ReadBasic.All, Channel.ReadBasic.All, ChannelMessage.Send, ChannelMessage.Read.All, Chat.ReadWrite and ChatMessage.Send.",
	auth: ["microsoft_oauth", "microsoft_token"],
	base_url: "https://graph.microsoft.com/v1.0",
	docs_url: "https://learn.microsoft.com/graph/api/resources/teams-api-overview",
	operations: {
		list_teams: {
			title: "List teams",
			description: "Those that the account is a member of.",
			method: "GET",
			path: "/me/joinedTeams",
			params: params({}),
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(object("A team", { id: text("Its id"), displayName: text("Its name") }), "The teams"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		list_channels: {
			title: "List the channels of a team",
			method: "GET",
			path: "/teams/{team_id}/channels",
			params: params({ team_id }),
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(
						object("A channel", {
							id: text("Its id"),
							displayName: text("Its name"),
							membershipType: text("standard, private or shared"),
						}),
						"The channels",
					),
				}),
			},
			examples: [{ title: "One team", params: { team_id: "fbe2bf47" } }],
		},
		send_channel_message: {
			title: "Send a message to a channel",
			method: "POST",
			path: "/teams/{team_id}/channels/{channel_id}/messages",
			params: params({ team_id, channel_id, content }, { content_type, subject: text("Its title") }),
			body: { kind: "json", value: { subject: "{{params.subject}}", body } },
			output: { schema: message },
			examples: [
				{
					title: "A note",
					params: { team_id: "fbe2bf47", channel_id: "19:abc@thread.tacv2", content: "Deployed." },
				},
			],
		},
		reply_to_channel_message: {
			title: "Reply to a message in a channel",
			method: "POST",
			path: "/teams/{team_id}/channels/{channel_id}/messages/{message_id}/replies",
			params: params(
				{ team_id, channel_id, message_id: text("The message's id"), content },
				{ content_type },
			),
			body: { kind: "json", value: { body } },
			output: { schema: message },
			examples: [
				{
					title: "An answer",
					params: {
						team_id: "fbe2bf47",
						channel_id: "19:abc@thread.tacv2",
						message_id: "1616990032035",
						content: "Done.",
					},
				},
			],
		},
		list_channel_messages: {
			title: "List messages of a channel",
			description: "Newest first, without replies.",
			method: "GET",
			path: "/teams/{team_id}/channels/{channel_id}/messages",
			params: params({ team_id, channel_id }, { limit }),
			query: { $top: "{{params.limit}}" },
			paginate: followNextLinks,
			output: { schema: answer({ value: list(message, "The messages"), ...nextLink }) },
			examples: [
				{
					title: "The newest",
					params: { team_id: "fbe2bf47", channel_id: "19:abc@thread.tacv2", limit: 10 },
				},
			],
		},
		list_chats: {
			title: "List chats",
			method: "GET",
			path: "/me/chats",
			params: params({}, { limit }),
			query: { $expand: "members", $top: "{{params.limit}}" },
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(
						object("A chat", {
							id: text("Its id"),
							topic: { ...text("Its topic"), type: ["string", "null"] },
							chatType: text("oneOnOne, group or meeting"),
							members: list(object("A member: { displayName, email }"), "Its members"),
						}),
						"The chats",
					),
					...nextLink,
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		send_chat_message: {
			title: "Send a message to a chat",
			method: "POST",
			path: "/chats/{chat_id}/messages",
			params: params({ chat_id, content }, { content_type }),
			body: { kind: "json", value: { body } },
			output: { schema: message },
			examples: [{ title: "Hello", params: { chat_id: "19:2da4c29f@unq.gbl.spaces", content: "Hello!" } }],
		},
		list_chat_messages: {
			title: "List messages of a chat",
			description: "Newest first.",
			method: "GET",
			path: "/chats/{chat_id}/messages",
			params: params({ chat_id }, { limit }),
			query: { $top: "{{params.limit}}" },
			paginate: followNextLinks,
			output: { schema: answer({ value: list(message, "The messages"), ...nextLink }) },
			examples: [{ title: "The newest", params: { chat_id: "19:2da4c29f@unq.gbl.spaces", limit: 10 } }],
		},
	},
};
