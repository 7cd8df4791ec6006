import type { Command } from "../command.ts";

export const runCommand: Command = {
	name: "run",
	about: "run a workflow and print its data",
	positionals: [{ name: "name", about: "of a saved workflow; omit it with --file", isOptional: true }],
	flags: [
		{
			name: "input",
			value: "json",
			about: "the trigger context: a JSON object, @file, or - for standard input",
		},
		{
			name: "file-input",
			value: "name=path",
			about: "upload a file and pass it as this field of the input; a repeated name makes a list",
			isMany: true,
		},
		{ name: "file", value: "path", about: "run this workflow document instead, without saving it" },
		{ name: "trace", about: "also print the status of each node, on stderr" },
	],
	examples: [
		{ line: `tripline run greet --input '{"name":"Ada"}'`, about: "run a saved workflow" },
		{
			line: "tripline run greet --input @order.json --trace",
			about: "input from a file, with the status of each node",
		},
		{
			line: "tripline run import --file-input report=report.xlsx",
			about: "with a file, which {{input.report}} names",
		},
		{ line: "tripline run --file draft.yaml --input -", about: "try a document, input from standard input" },
	],
	details: `--json prints the whole result: data, duration, execution id, nodes. Exit code 1 if the run failed.
A run that waits for a time goes on by itself: its id is printed instead of its data.
With --file the document's trigger and signature are ignored. A saved workflow that accepts only signed
calls cannot be run: only its sender can sign.
For files in the data, the command that downloads each is printed on stderr.`,
	load: () => import("../workflows/run.ts"),
};
