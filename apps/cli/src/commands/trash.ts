import type { Command } from "../command.ts";
import { planFlags } from "../plan.ts";

export const deleteCommand: Command = {
	name: "delete",
	about: "delete a workflow; it can be restored for 30 days",
	positionals: [{ name: "name", about: "the workflow" }],
	flags: planFlags,
	examples: [{ line: "tripline delete orders", about: "asks before it deletes" }],
	load: async () => ({ run: (await import("../versions/trash.ts")).remove }),
};

export const trashCommand: Command = {
	name: "trash",
	about: "list deleted workflows that can be restored",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline trash", about: "last deleted first, with their ids" }],
	load: async () => ({ run: (await import("../versions/trash.ts")).list }),
};

export const restoreCommand: Command = {
	name: "restore",
	about: "restore a deleted workflow with its versions, draft and switch",
	positionals: [{ name: "workflow", about: "its name, or its id if several have that name" }],
	flags: planFlags,
	examples: [{ line: "tripline restore orders", about: "under the name that it had" }],
	load: async () => ({ run: (await import("../versions/trash.ts")).restore }),
};
