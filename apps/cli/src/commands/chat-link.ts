import type { Command } from "../command.ts";

export const chatLinkCommand: Command = {
	name: "chat-link",
	about: "make a link to the chat page of a workflow",
	positionals: [{ name: "workflow", about: "the name of a saved workflow with a chat" }],
	flags: [{ name: "days", value: "count", about: "how long the link works: 1 to 365, default 30" }],
	examples: [
		{ line: "tripline chat-link support", about: "a link to share" },
		{ line: "tripline chat-link support --days 1", about: "one that works for a day" },
	],
	details:
		"Whoever has the link can talk to the workflow. A link to a chat for its owner works for 12 hours. To end all links, change links in the trigger's chat.",
	load: () => import("../workflows/chat-link.ts"),
};
