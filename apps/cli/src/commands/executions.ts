import type { Command } from "../command.ts";

export const executionsCommand: Command = {
	name: "executions",
	about: "list the latest runs, of one workflow or of all",
	positionals: [{ name: "workflow", about: "its name; default: all saved workflows", isOptional: true }],
	flags: [
		{ name: "failed", about: "only failed runs" },
		{ name: "since", value: "time", about: "30m, 24h, 7d, a date, or an ISO 8601 time" },
		{ name: "limit", value: "count", about: "how many at most: 1 to 1000, default 20" },
	],
	examples: [
		{ line: "tripline executions", about: "the latest 20 runs" },
		{ line: "tripline executions greet --failed --since 24h", about: "what failed since yesterday" },
	],
	load: async () => ({ run: (await import("../workflows/executions.ts")).list }),
};

export const executionsShowCommand: Command = {
	name: "executions show",
	about: "show one run",
	positionals: [{ name: "id", about: "its execution id" }],
	flags: [],
	examples: [
		{
			line: "tripline executions show 0193…",
			about: "its record, and its nodes while the service still has them",
		},
	],
	load: async () => ({ run: (await import("../workflows/executions.ts")).show }),
};
