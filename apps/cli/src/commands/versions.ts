import type { Command } from "../command.ts";
import { planFlags } from "../plan.ts";

const name = { name: "name", about: "the workflow" } as const;

export const versionsCommand: Command = {
	name: "versions",
	about: "list a workflow's versions: when, who, by what",
	positionals: [name],
	flags: [{ name: "limit", value: "count", about: "how many at most: 1 to 1000, default 20" }],
	examples: [{ line: "tripline versions orders", about: "newest first, the current one marked" }],
	details: "Every change of a workflow's text makes a version. They are kept as long as the workflow.",
	load: () => import("../versions/list.ts"),
};

export const diffCommand: Command = {
	name: "diff",
	about: "compare versions of a workflow, its draft, or a file",
	positionals: [name],
	flags: [
		{ name: "from", value: "version", about: "a number, or draft; default: the version before --to" },
		{ name: "to", value: "version", about: "a number, or draft; default: the current version" },
		{ name: "file", value: "path", about: "compare --from, by default the current version, with this file" },
	],
	examples: [
		{ line: "tripline diff orders", about: "what the current version changed" },
		{ line: "tripline diff orders --from 3 --to 5", about: "what changed between two versions" },
		{ line: "tripline diff orders --to draft", about: "what publishing the draft would change" },
		{
			line: "tripline diff orders --file workflows/orders.yaml",
			about: "what pushing the file would change",
		},
	],
	load: () => import("../versions/diff.ts"),
};

export const rollbackCommand: Command = {
	name: "rollback",
	about: "make an old version of a workflow the current one again",
	positionals: [name],
	flags: [
		{ name: "to", value: "version", about: "its number; default: the version before the current one" },
		...planFlags,
	],
	examples: [
		{ line: "tripline rollback orders", about: "shows the changes, then asks" },
		{ line: "tripline rollback orders --to 3 --yes", about: "to version 3, without asking" },
	],
	details: `It makes a new version with the old text, so nothing is lost and a rollback can be rolled back.
The old version must still compile. Without a terminal --yes is required.`,
	load: () => import("../versions/roll-back.ts"),
};

export const enableCommand: Command = {
	name: "enable",
	about: "switch a workflow's triggers on",
	positionals: [name],
	flags: planFlags,
	examples: [{ line: "tripline enable orders", about: "it starts runs again" }],
	load: async () => ({ run: (await import("../versions/switch.ts")).enable }),
};

export const disableCommand: Command = {
	name: "disable",
	about: "switch a workflow's triggers off",
	positionals: [name],
	flags: planFlags,
	examples: [
		{ line: "tripline disable orders", about: "its addresses answer 409, its schedule starts no run" },
	],
	details: `Runs from the console, from assistants and from other workflows still work. What was due meanwhile is not
made up for. The switch is no version: pushing a file or rolling back leaves it as it is.`,
	load: async () => ({ run: (await import("../versions/switch.ts")).disable }),
};

export const renameCommand: Command = {
	name: "rename",
	about: "rename a workflow, with its versions and records",
	positionals: [name, { name: "new", about: "its new name" }],
	flags: planFlags,
	examples: [{ line: "tripline rename orders shop-orders", about: "its addresses change too" }],
	load: () => import("../versions/rename.ts"),
};
