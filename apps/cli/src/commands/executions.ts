import type { Command } from "../command.ts";
import { planFlags } from "../plan.ts";

const timeoutFlag = {
	name: "timeout",
	value: "duration",
	about: "stop waiting after it: 90s, 10m, 24h; the run goes on",
} as const;

export const executionsCommand: Command = {
	name: "executions",
	about: "list the latest runs, of one workflow or of all",
	positionals: [{ name: "workflow", about: "its name; default: all saved workflows", isOptional: true }],
	flags: [
		{ name: "failed", about: "only failed runs" },
		{ name: "unfinished", about: "runs that have not ended and that no caller waits for, instead" },
		{ name: "since", value: "time", about: "30m, 24h, 7d, a date, or an ISO 8601 time" },
		{ name: "limit", value: "count", about: "how many at most: 1 to 1000, default 20" },
	],
	examples: [
		{ line: "tripline executions", about: "the latest 20 runs" },
		{ line: "tripline executions greet --failed --since 24h", about: "what failed since yesterday" },
		{ line: "tripline executions --unfinished", about: "what runs or waits now, and until when" },
	],
	load: async () => ({ run: (await import("../workflows/executions.ts")).list }),
};

export const executionsShowCommand: Command = {
	name: "executions show",
	about: "show one run",
	positionals: [{ name: "id", about: "its execution id" }],
	flags: [
		{ name: "data", about: "also what its nodes received and gave, if it is kept" },
		{ name: "node", value: "name", about: "the data of this node, in full" },
		{ name: "place", value: "numbers", about: "its place in loops, such as 0.2; with --node" },
	],
	examples: [
		{
			line: "tripline executions show 0193…",
			about: "its record, and its nodes while the service still has them",
		},
		{ line: "tripline executions show 0193… --node price", about: "what the node received and gave" },
	],
	load: async () => ({ run: (await import("../workflows/executions.ts")).show }),
};

export const executionsWatchCommand: Command = {
	name: "executions watch",
	about: "wait until a run has ended, and show it",
	positionals: [{ name: "id", about: "its execution id" }],
	flags: [timeoutFlag],
	examples: [
		{ line: "tripline executions watch 0193… --timeout 10m", about: "exit code 0 if it succeeds in time" },
	],
	details: "Exit code 1 if the run failed, was cancelled, or has not ended in time.",
	load: () => import("../workflows/watch.ts"),
};

export const executionsCancelCommand: Command = {
	name: "executions cancel",
	about: "cancel a run that has not ended",
	positionals: [{ name: "id", about: "its execution id" }],
	flags: [],
	examples: [{ line: "tripline executions cancel 0193…", about: "only its cleanup still runs" }],
	details: "What the run has started may still complete. Its record is that of a failed run.",
	load: async () => ({ run: (await import("../workflows/executions.ts")).cancel }),
};

export const executionsReplayCommand: Command = {
	name: "executions replay",
	about: "repeat a run that has ended, or failed runs, as new runs",
	positionals: [{ name: "id", about: "its execution id; omit it with --failed", isOptional: true }],
	flags: [
		{ name: "from", value: "start|failed", about: "failed: completed steps are taken over; default: start" },
		{ name: "current", about: "with the current version of the workflow, not the one that ran" },
		{
			name: "input",
			value: "json",
			about: "another trigger context: a JSON object, @file, or - for standard input",
		},
		{ name: "watch", about: "wait until the new run has ended" },
		timeoutFlag,
		{ name: "failed", about: "repeat failed runs by filter, the oldest first" },
		{ name: "workflow", value: "name", about: "only runs of this workflow; with --failed" },
		{
			name: "since",
			value: "time",
			about: "30m, 24h, 7d, a date, or an ISO 8601 time; required with --failed",
		},
		{ name: "limit", value: "count", about: "how many at most: 1 to 1000, default 20; with --failed" },
		...planFlags,
	],
	examples: [
		{ line: "tripline executions replay 0193… --from failed --watch", about: "go on where it failed" },
		{
			line: `tripline executions replay 0193… --current --input '{"name":"Ada"}'`,
			about: "the current version with another input",
		},
		{
			line: "tripline executions replay --failed --workflow orders --since 1h",
			about: "lists what failed within the hour, and asks before it repeats it",
		},
	],
	details: `A run can be repeated while its input and steps are kept: options.keep of the workflow is failed or all.
--failed leaves out cancelled runs and runs that repeat others. It repeats a run again even if an earlier
repetition succeeded: narrow --since. Exit code 1 if a run could not be repeated.`,
	load: () => import("../workflows/replay.ts"),
};
