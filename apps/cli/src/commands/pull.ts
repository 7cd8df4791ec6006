import type { Command } from "../command.ts";
import { planFlags } from "../plan.ts";

export const pullCommand: Command = {
	name: "pull",
	about: "write deployed workflows to files",
	positionals: [{ name: "name", about: "workflows; default: all", isOptional: true, isRest: true }],
	flags: [
		{
			name: "to",
			value: "folder",
			about: "where to; default: their files, new ones in the project's workflows",
		},
		{ name: "force", about: "overwrite local changes" },
		...planFlags,
	],
	examples: [
		{ line: "tripline pull", about: "all workflows, one file each" },
		{ line: "tripline pull orders --dry-run", about: "what would change in its file" },
		{ line: "tripline pull orders --force", about: "even if the file has local changes" },
	],
	details: `A file gets the text byte for byte as it was saved, with its comments. A workflow that was saved as JSON by a
program is written as YAML, or as JSON if it is too long for YAML. A file with changes of your own is not
overwritten: if its workflow has changed too, nothing is pulled. No file is deleted. The pulled versions are
recorded in .tripline in the project's folder, which is not committed; tripline push sends them along.
Before files are replaced it asks; without a terminal --yes is then required.`,
	load: () => import("../sync/pull.ts"),
};
