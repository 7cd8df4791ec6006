import type { Command } from "../command.ts";

export const statusCommand: Command = {
	name: "status",
	about: "show what the service does, and what needs attention",
	positionals: [],
	flags: [],
	examples: [
		{ line: "tripline status", about: "version, runs, schedules, triggers, database and disk" },
		{ line: "tripline status --json", about: "for other programs" },
	],
	details: `The exit code is 1 if there is a problem. Of a multi-tenant service, a partner key sees its own runs and triggers.
If the service does not answer, tripline doctor says why.`,
	load: () => import("../status/status.ts"),
};
