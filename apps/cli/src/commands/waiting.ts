import type { Command } from "../command.ts";

export const waitingCommand: Command = {
	name: "waiting",
	about: "list the runs that wait for a time, an answer or an event, the next to go on first",
	positionals: [],
	flags: [],
	examples: [
		{ line: "tripline waiting", about: "when each was started, what it waits for, and until when" },
		{
			line: "tripline waiting --json | jq -r '.executions[].id'",
			about: "their ids, for executions show, watch or cancel",
		},
	],
	details: `A run waits in a wait node with for or until, in an ask node, or in a wait_for node. It goes on by itself at that
time, or before with the answer or the event, also after a restart. tripline answer answers a question;
tripline executions cancel <id> ends the run. Times are in UTC.`,
	load: () => import("../workflows/waiting.ts"),
};
