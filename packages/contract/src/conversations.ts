import * as z from "zod";
import { AnyJson } from "./json.ts";
import { Id, Namespace, nameUpTo } from "./names.ts";
import { Cursor, limit, NextCursor } from "./paging.ts";

/** By which tokens of what is remembered are estimated: most scripts have more of them per character than Latin. */
export const BYTES_PER_TOKEN = 4;

/** Of a conversation; more push out the oldest. */
export const MAX_TURNS = 1_000;

export const ConversationKey = nameUpTo(200).meta({ description: "Names the conversation in its workflow" });
const WorkflowOfRuns = nameUpTo(256).meta({ description: "The workflow as its runs are listed" });

const where = { workflow: WorkflowOfRuns, key: ConversationKey };
export const ConversationName = z.strictObject(where);
export type ConversationName = z.output<typeof ConversationName>;

/** The page of a conversation's entries. */
export const buildConversationPage = ({ workflow, key }: ConversationName): string => `${workflow}/${key}`;

/** The source of facts that a conversation has led to. */
export const buildConversationUri = (name: ConversationName): string =>
	`conversation:${buildConversationPage(name)}`;

export const AppendTurn = z
	.strictObject({
		owner_id: Namespace,
		...where,
		id: Id.meta({ description: "Of the turn: the same for each attempt to write it" }),
		execution_id: z.string().max(64).meta({ description: "The run that had it" }),
		messages_json: z.string().max(400_000).meta({ description: "A JSON list of messages, as text" }),
	})
	.meta({ id: "AppendTurn" });
export type AppendTurn = z.output<typeof AppendTurn>;

export const AppendedTurn = z.object({
	appended: z.boolean().meta({ description: "False if the turn was there already" }),
});

export const OwnedConversation = z.strictObject({ owner_id: Namespace, ...where });

export const ConversationQuery = z.strictObject({ limit: limit(20, 100), cursor: Cursor.optional() });
export const OwnedConversationQuery = ConversationQuery.extend({ owner_id: Namespace });

export const Conversation = z
	.object({
		workflow: z.string(),
		key: z.string(),
		turns: z.int().meta({ description: `Turns that are kept, at most ${MAX_TURNS}` }),
		tokens: z.int().meta({ description: "Of the turns and the summary, estimated" }),
		has_summary: z.boolean().meta({ description: "Whether older turns are summarised" }),
		started_at: z.string(),
		last_at: z.string().meta({ description: "When the last turn was kept" }),
	})
	.meta({ id: "Conversation" });
export type Conversation = z.output<typeof Conversation>;

export const ConversationPage = z.object({
	conversations: z.array(Conversation),
	next_cursor: NextCursor,
});
export type ConversationPage = z.output<typeof ConversationPage>;

export const TurnQuery = ConversationQuery.extend(where);

export const TurnPage = z.object({
	summary: z.string().nullable().meta({ description: "Of older turns; null if there is none" }),
	turns: z.array(
		z.object({
			id: Id,
			execution_id: z.string().meta({ description: "The run that had it" }),
			at: z.string(),
			messages: z.array(AnyJson).meta({ description: "Messages as of `llm_chat`" }),
		}),
	),
	next_cursor: NextCursor,
});
export type TurnPage = z.output<typeof TurnPage>;

export const OwnedFactQuery = TurnQuery.extend({ owner_id: Namespace });

export const ConversationFacts = z.object({
	source: z.string().meta({ description: "The source of the facts" }),
	facts: z
		.array(
			z.object({
				id: Id,
				subject: z.string(),
				predicate: z.string(),
				object: z.string(),
				execution_id: z.string().nullable().meta({ description: "The run that has stated it" }),
				at: z.string(),
			}),
		)
		.meta({ description: "Those that are not outdated, the latest first" }),
	next_cursor: NextCursor,
});
export type ConversationFacts = z.output<typeof ConversationFacts>;

export const DeletedConversation = z.object({
	deleted: z.literal(true),
	turns: z.int().meta({ description: "How many turns were deleted" }),
	facts: z
		.object({
			source: z.string().meta({ description: "The source of the facts" }),
			count: z.int().meta({ description: "How many there are, counted up to 1000" }),
		})
		.meta({ description: "Facts that the conversation has led to. They stay in the knowledge graph" }),
});
export type DeletedConversation = z.output<typeof DeletedConversation>;
