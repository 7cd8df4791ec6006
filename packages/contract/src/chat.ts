import * as z from "zod";
import { limit, NextCursor } from "./paging.ts";

/** A message of a chat and its reply; its page is the conversation. */
export const CHAT_TURN = "chat_turn";

/** 144 random bits: who knows the id may read the conversation. */
export const CONVERSATION_ID_BYTES = 18;
const CONVERSATION_ID = /^[A-Za-z0-9_-]{24}$/;
export const isConversationId = (text: string): boolean => CONVERSATION_ID.test(text);
const ConversationId = z
	.string()
	.regex(CONVERSATION_ID, "must be the id of a conversation")
	.meta({ description: "Id of a conversation, made by the service" });

/** In characters. */
const MAX_MESSAGE_LENGTH = 32_000;
export const MAX_MESSAGE_FILES = 10;
/** Of one conversation. */
export const MAX_CHAT_TURNS = 200;
const MAX_LINK_DAYS = 365;
const DEFAULT_LINK_DAYS = 30;

export const ChatMessage = z
	.strictObject({
		conversation: ConversationId.optional().meta({ description: "Omitted: a new conversation begins" }),
		message: z.string().max(MAX_MESSAGE_LENGTH).meta({ description: "What the person writes" }),
	})
	.meta({ id: "ChatMessage" });

export const ChatSettings = z
	.object({
		title: z.string(),
		greeting: z.string().nullable().meta({ description: "In Markdown" }),
		takes_files: z.boolean(),
	})
	.meta({ id: "ChatSettings" });

const TURN_STATUSES = ["answered", "failed", "stopped", "waiting", "unfinished"] as const;

export const ChatTurn = z
	.object({
		time: z.string().meta({ description: "When the message came" }),
		message: z.string(),
		files: z.array(z.object({ name: z.string(), type: z.string(), size: z.int() })),
		reply: z.string().nullable().meta({ description: "Null if there is none, or not yet" }),
		status: z.enum(TURN_STATUSES).meta({
			description: "`waiting`: the run goes on by itself, and its reply comes later",
		}),
		waits_for: z.enum(["time", "answer", "event"]).nullable().meta({
			description:
				"What a run waits for that goes on by itself. `answer`: a person is asked, not the visitor",
		}),
		execution_id: z.string().nullable().meta({ description: "The run that answers it" }),
	})
	.meta({ id: "ChatTurn" });
export type ChatTurn = z.output<typeof ChatTurn>;

export const ChatConversation = z
	.object({ id: ConversationId, turns: z.array(ChatTurn).meta({ description: "Oldest first" }) })
	.meta({ id: "ChatConversation" });

export const ChatTurnQuery = z.strictObject({
	last: limit(MAX_CHAT_TURNS, MAX_CHAT_TURNS).meta({
		description: `Only the last messages: 1 to ${MAX_CHAT_TURNS}, default ${MAX_CHAT_TURNS}`,
	}),
});

export const DeletedChatConversation = z.object({
	deleted: z.literal(true),
	has_more: z.boolean().meta({ description: "True: repeat the call for the rest" }),
});

export const ChatConversationQuery = z.strictObject({
	limit: limit(100, 500).meta({ description: "Messages that are looked at: 1 to 500, default 100" }),
	cursor: z.string().max(64).optional().meta({ description: "`next_cursor` of the previous page" }),
});

export const ChatConversationList = z
	.object({
		conversations: z.array(
			z.object({
				id: ConversationId,
				message: z.string().meta({ description: "The last message in it, shortened" }),
				updated_at: z.string(),
			}),
		),
		next_cursor: NextCursor,
	})
	.meta({ id: "ChatConversationList" });

export const CreateChatLink = z
	.strictObject({
		days: z.int().min(1).max(MAX_LINK_DAYS).default(DEFAULT_LINK_DAYS).meta({
			description: "How long the link is valid; an owner's link is always valid for 12 hours",
		}),
	})
	.meta({ id: "CreateChatLink" });
export const DEFAULT_CHAT_LINK = { days: DEFAULT_LINK_DAYS } as const;

export const ChatLink = z
	.object({
		url: z.string().meta({ description: "The address of the page, with a token unless the chat is public" }),
		expires_at: z.string().nullable().meta({ description: "Null: it does not expire" }),
	})
	.meta({ id: "ChatLink" });
export type ChatLink = z.output<typeof ChatLink>;
