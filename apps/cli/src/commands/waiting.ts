import type { Command } from "../command.ts";

export const waitingCommand: Command = {
	name: "waiting",
	about: "list the runs that wait for a time, the next to go on first",
	positionals: [],
	flags: [],
	examples: [
		{ line: "tripline waiting", about: "when each was started, and until when it waits" },
		{
			line: "tripline waiting --json | jq -r '.executions[].id'",
			about: "their ids, for executions show, watch or cancel",
		},
	],
	details: `A run waits in a wait node with for or until, and goes on by itself at that time, also after a restart.
tripline executions cancel <id> ends it before. Times are in UTC.`,
	load: () => import("../workflows/waiting.ts"),
};
