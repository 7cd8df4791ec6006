import type { Command } from "../command.ts";

export const listCommand: Command = {
	name: "list",
	about: "list the saved workflows",
	positionals: [],
	flags: [{ name: "tag", value: "tag", about: "only workflows with this tag" }],
	examples: [
		{ line: "tripline list", about: "all workflows, by name" },
		{ line: "tripline list --tag support", about: "those that belong together" },
	],
	load: () => import("../workflows/list.ts"),
};
