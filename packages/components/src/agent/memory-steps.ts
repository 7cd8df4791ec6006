import { ConversationKey } from "@tripline/contract/conversations";
import { NodeName } from "@tripline/contract/triplets";
import * as z from "zod";
import { define } from "../define.ts";
import type { ConversationTurn, Effects } from "../effects.ts";
import { anyObject } from "../schemas.ts";
import { estimateTokens, recallTurns } from "./memory.ts";

const TURNS_PER_PAGE = 50;
const MAX_READ_TURNS = 500;
/** What is read for a summary, in budgets, and in tokens. */
const MAX_READ_BUDGETS = 4;
const MAX_READ_TOKENS = 100_000;
const MAX_FACT_LENGTH = 200;

const Summary = z.strictObject({ id: z.string(), text: z.string(), through: z.string().nullable() });
const Turn = z.strictObject({ id: z.string(), messages: z.array(anyObject()) });

/** A step of an agent: what it remembers of a conversation. */
export const recall = define({
	id: "agent_recall",
	title: "Recall a conversation",
	description: "Reads the turns of a conversation that fit into a budget of tokens.",
	params: z.strictObject({
		key: ConversationKey,
		max_tokens: z.int(),
		summarise: z.boolean(),
	}),
	output: z.object({ summary: Summary.nullable(), turns: z.array(Turn), older: z.array(Turn) }),
	examples: [],
	async run({ params: { key, max_tokens, summarise }, effects: { conversations }, signal, meter }) {
		const summary = await conversations.readSummary(key, signal);
		if (summary === null) return { summary, turns: [], older: [] };
		const turns = await readTurns(conversations, key, summary.through, max_tokens, summarise, signal);
		for (const { messages } of turns) meter.spendOnText(JSON.stringify(messages).length);
		const recalled = recallTurns(summary, turns, max_tokens, summarise);
		return {
			summary: { ...summary },
			turns: recalled.turns.map(toJson),
			older: recalled.older.map(toJson),
		};
	},
});

const toJson = ({ id, messages }: ConversationTurn) => ({ id, messages: [...messages] });

/** The turns after the summary, newest first, as far as they are needed. */
async function readTurns(
	conversations: Effects["conversations"],
	key: string,
	through: string | null,
	budget: number,
	summarises: boolean,
	signal: AbortSignal,
): Promise<ConversationTurn[]> {
	const read: ConversationTurn[] = [];
	const most = summarises ? Math.min(MAX_READ_BUDGETS * budget, MAX_READ_TOKENS) : budget;
	let tokens = 0;
	let cursor: string | null = null;
	do {
		const page: Awaited<ReturnType<typeof conversations.listTurns>> = await conversations.listTurns(
			key,
			{ limit: TURNS_PER_PAGE, cursor },
			signal,
		);
		for (const turn of page.turns) {
			if (turn.id === through) return read;
			tokens += estimateTokens(turn.messages);
			// One more than fits, which may fit without its calls of tools.
			read.push(turn);
			if (tokens > most || read.length === MAX_READ_TURNS) return read;
		}
		cursor = page.next_cursor;
	} while (cursor !== null);
	return read;
}

/** A step of an agent: keeps a turn, or the summary of older ones. */
export const keep = define({
	id: "agent_keep",
	title: "Keep a conversation",
	description: "Adds a turn to a conversation, or replaces the summary of its older turns.",
	params: z.strictObject({
		key: ConversationKey,
		messages: z.array(anyObject()).optional(),
		summary: Summary.optional(),
	}),
	output: z.object({ kept: z.boolean() }),
	examples: [],
	async run({ params: { key, messages, summary }, effects, step, signal }) {
		const { conversations } = effects;
		if (messages !== undefined) await conversations.append(key, effects.buildStepKey(step), messages, signal);
		return { kept: summary === undefined || (await conversations.saveSummary(key, summary, signal)) };
	},
});

const Name = NodeName.refine(
	(text) => text.length <= MAX_FACT_LENGTH,
	`must be at most ${MAX_FACT_LENGTH} characters`,
);

/** A tool of an agent: adds a fact to the knowledge graph. */
export const remember = define({
	id: "agent_remember",
	title: "Remember a fact",
	description:
		"Keeps a lasting fact that the user has told, as subject, predicate and object, such as: Ada, lives in, Lyon. No secrets.",
	params: z.strictObject({
		key: ConversationKey,
		subject: Name.meta({ description: "Who or what it is about" }),
		predicate: Name.meta({ description: "The relation, such as: lives in" }),
		object: Name.meta({ description: "What is said about it" }),
	}),
	output: z.object({ remembered: z.literal(true) }),
	examples: [],
	async run({ params: { key, ...fact }, effects, signal }) {
		await effects.conversations.addFact(key, fact, signal);
		return { remembered: true };
	},
});
