import type { Command } from "../command.ts";

export const triggersCommand: Command = {
	name: "triggers",
	about: "list what starts each workflow, its next run, and the state of mailboxes and polls",
	positionals: [{ name: "workflow", about: "its name; default: all saved workflows", isOptional: true }],
	flags: [],
	examples: [
		{ line: "tripline triggers", about: "all workflows" },
		{ line: "tripline triggers 'support mail'", about: "whether its mailbox is read, and the last error" },
	],
	details: "Times are in UTC.",
	load: () => import("../workflows/triggers.ts"),
};
