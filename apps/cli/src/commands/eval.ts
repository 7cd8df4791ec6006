import type { Command } from "../command.ts";

export const evalCommand: Command = {
	name: "eval",
	about: "run a workflow for a list of cases, and check what comes",
	positionals: [
		{ name: "workflow", about: "the name of a saved workflow" },
		{ name: "cases", about: "a YAML or JSON file with cases" },
	],
	flags: [
		{ name: "concurrency", value: "count", about: "runs at the same time: 1 to 32, default 4" },
		{ name: "timeout", value: "duration", about: "longest time of a run: 90s, 10m; default 10m" },
	],
	examples: [
		{ line: "tripline eval support support.cases.yaml", about: "run all cases, four at a time" },
		{
			line: "tripline eval support support.cases.yaml --service staging --json",
			about: "in CI: exit code 1 if a case fails",
		},
	],
	details: `The file lists cases:

  cases:
    - name: refund
      input: { question: How long do refunds take? }
      expect:
        contains: 30 days
        cel: size(output.text) < 500
      repeats: 5
      min_pass: 4

input     the trigger context; default {}
expect    all that is given must hold; without it the run must only succeed
  equals    the output is this value
  contains  a text: some text of the output contains it; an object: the output has these fields
  schema    the output matches this JSON Schema
  cel       this CEL expression over input and output is true
  judge     a question that another workflow answers: judge: <question> with a workflow for all cases,
            "judge: { workflow: <name> }" beside cases, or judge: { workflow: <name>, question: <text> }.
            It gets { input, output, question } and returns { pass, reason }
repeats   runs of the case: 1 to 100, default 1
min_pass  how many of them must pass; default all

Exit code 0: all cases passed, 1: a case failed, 2: wrong usage or a wrong file, 130: Ctrl-C, after the
cases so far were printed. The runs are real: calls, mails and costs too.`,
	load: () => import("../evals/eval.ts"),
};
