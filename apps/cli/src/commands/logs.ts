import type { Command } from "../command.ts";

export const logsCommand: Command = {
	name: "logs",
	about: "print runs that have ended, a line for each, and follow them",
	positionals: [{ name: "workflow", about: "its name; default: all saved workflows", isOptional: true }],
	flags: [
		{ name: "follow", short: "f", about: "go on with runs as they end, until Ctrl-C" },
		{ name: "failed", about: "only failed runs" },
		{ name: "limit", value: "count", about: "how many earlier runs at most: 1 to 1000, default 20" },
	],
	examples: [
		{ line: "tripline logs", about: "the latest 20 runs, the last one below" },
		{ line: "tripline logs -f orders", about: "runs of orders as they end" },
		{ line: "tripline logs -f --failed --json", about: "one JSON object per line, for other programs" },
	],
	details: `A line has the time at which the run ended, the workflow, its verdict, its duration, its id and its error.
With -f, a service that is away for a while is asked again until it answers.`,
	load: () => import("../workflows/logs.ts"),
};
