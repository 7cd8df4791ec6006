import type { Command } from "../command.ts";

export const pushCommand: Command = {
	name: "push",
	about: "save workflow documents, after showing what changes",
	positionals: [{ name: "path", about: "files, or folders with *.yaml, *.yml and *.json", isRest: true }],
	flags: [
		{ name: "yes", about: "replace without asking" },
		{ name: "dry-run", about: "show what would change, and change nothing" },
	],
	examples: [
		{ line: "tripline push order.yaml", about: "save one, and say which URL starts it" },
		{ line: "tripline push workflows --yes", about: "save all that changed in a folder" },
		{ line: "tripline push workflows --dry-run", about: "only the differences" },
	],
	details: `All are checked first: if one has an error, none is saved. Those that are saved already as they are
stay untouched. On a terminal it asks before it replaces a workflow; elsewhere it does not.`,
	load: () => import("../workflows/push.ts"),
};
