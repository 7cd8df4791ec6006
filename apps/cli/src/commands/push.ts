import type { Command } from "../command.ts";

export const pushCommand: Command = {
	name: "push",
	about: "save workflow documents, after showing the changes",
	positionals: [{ name: "path", about: "files, or folders with *.yaml, *.yml and *.json", isRest: true }],
	flags: [
		{ name: "yes", about: "replace without asking" },
		{ name: "dry-run", about: "show the changes without saving them" },
	],
	examples: [
		{ line: "tripline push order.yaml", about: "save one, and print the URL that starts it" },
		{ line: "tripline push workflows --yes", about: "save all changed documents in a folder" },
		{ line: "tripline push workflows --dry-run", about: "only show the differences" },
	],
	details: `All documents are checked first: if one has an error, none is saved. Unchanged workflows are not
saved again. On a terminal it asks before it replaces a workflow; elsewhere it does not ask.`,
	load: () => import("../workflows/push.ts"),
};
