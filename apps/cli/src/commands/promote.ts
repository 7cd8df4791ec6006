import type { Command } from "../command.ts";
import { planFlags } from "../plan.ts";

export const promoteCommand: Command = {
	name: "promote",
	about: "copy workflows from one service to another, after checking them there",
	positionals: [{ name: "name", about: "workflows; default: all", isOptional: true, isRest: true }],
	flags: [
		{ name: "from", value: "service", about: "its name in tripline.json; default: the configured service" },
		{ name: "to", value: "service", about: "its name in tripline.json" },
		...planFlags,
	],
	examples: [
		{ line: "tripline promote --to production", about: "all workflows of the configured service" },
		{ line: "tripline promote orders --from staging --to production --yes", about: "one, without asking" },
		{
			line: "tripline promote --to production --dry-run",
			about: "what would change, and what is missing there",
		},
	],
	details: `Everything is checked at the target first: its compiler reads every workflow, and missing components,
credentials, auth recipes and called workflows are listed with the command that adds each. If anything is missing,
nothing is promoted. Drafts and switches of the target stay as they are, and its other workflows too.
Without a terminal --yes is required. Services are named in tripline.json, see tripline config --help.`,
	load: () => import("../promote/promote.ts"),
};
