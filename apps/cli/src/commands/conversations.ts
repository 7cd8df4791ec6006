import type { Command } from "../command.ts";
import { planFlags } from "../plan.ts";

const positionals = [
	{ name: "workflow", about: "the workflow of the agent" },
	{ name: "key", about: "the conversation's key, as conversations list shows it" },
] as const;

export const conversationsListCommand: Command = {
	name: "conversations list",
	about: "list the conversations that agents remember, the latest started first",
	positionals: [],
	flags: [{ name: "limit", value: "count", about: "how many at most: 1 to 1000, default 20" }],
	examples: [{ line: "tripline conversations list", about: "by workflow and key, with the number of turns" }],
	load: async () => ({ run: (await import("../conversations/conversations.ts")).list }),
};

export const conversationsShowCommand: Command = {
	name: "conversations show",
	about: "show a conversation: its summary, and its latest turns",
	positionals,
	flags: [{ name: "limit", value: "count", about: "how many turns at most: 1 to 1000, default 20" }],
	examples: [{ line: "tripline conversations show support c-7", about: "what was said, oldest first" }],
	details: "--json also prints calls of tools and their results.",
	load: async () => ({ run: (await import("../conversations/conversations.ts")).show }),
};

export const conversationsDeleteCommand: Command = {
	name: "conversations delete",
	about: "delete a conversation for good",
	positionals,
	flags: planFlags,
	examples: [{ line: "tripline conversations delete support c-7", about: "asks before it deletes" }],
	details: "Facts that the conversation has led to stay in the knowledge graph; their source is printed.",
	load: async () => ({ run: (await import("../conversations/conversations.ts")).remove }),
};
