import type { Command } from "../command.ts";

export const pushCommand: Command = {
	name: "push",
	about: "save workflow documents, after showing the changes",
	positionals: [{ name: "path", about: "files, or folders with *.yaml, *.yml and *.json", isRest: true }],
	flags: [
		{ name: "yes", about: "replace without asking" },
		{ name: "dry-run", about: "show the changes without saving them" },
		{ name: "force", about: "replace workflows that have changed at the service since they were pulled" },
		{ name: "prune", about: "delete the deployed workflows that have no file in the folders" },
	],
	examples: [
		{ line: "tripline push order.yaml", about: "save one, and print the URL that starts it" },
		{ line: "tripline push workflows --yes", about: "save all changed documents in a folder" },
		{ line: "tripline push workflows --dry-run", about: "only show the differences" },
		{ line: "tripline push workflows --prune --yes", about: "make the service equal to the folder" },
	],
	details: `All documents are checked first: if one has an error, none is saved. Unchanged workflows are not
saved again. On a terminal it asks before it replaces a workflow; elsewhere it does not ask. If a workflow has
changed at the service since it was last pulled or pushed here, the change is shown and nothing is saved.
Drafts and switches stay as they are. --prune asks before it deletes, and without a terminal it requires --yes;
tripline restore brings a deleted workflow back.`,
	load: () => import("../workflows/push.ts"),
};
