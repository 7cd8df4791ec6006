import * as z from "zod";
import { define } from "./define.ts";
import { expression } from "./schemas.ts";

const MAX_TURNS = 1_000;
const DEFAULT_TURNS = 20;
const MAX_DELAY_MS = 600_000;

export const repeat = define({
	id: "repeat",
	title: "Repeat",
	description:
		"Starts a loop without a list: the nodes after its `REPEAT <name>` edge run turn after turn until a condition is true. In them `{{<name>}}` is the number of the turn from 0, and `{{<name>_last.<node>}}` the output of a node in the turn before. Fails after `max` turns; its `ON_FAIL` edge handles that and a failed turn. Afterwards the repeated nodes have their outputs of the last turn.",
	params: z.strictObject({
		until: expression().meta({
			description:
				'CEL condition, read after each turn; it sees the outputs of that turn, such as `check.data.status == "done"`',
		}),
		max: z
			.int()
			.min(1)
			.max(MAX_TURNS)
			.default(DEFAULT_TURNS)
			.meta({ description: "Turns after which the node fails" }),
		delay_ms: z
			.int()
			.min(0)
			.max(MAX_DELAY_MS)
			.default(0)
			.meta({ description: "Milliseconds between two turns, at most ten minutes" }),
	}),
	expressions: { until: "turn" },
	output: z.object({ turns: z.int().min(1).meta({ description: "Number of turns" }) }),
	isPure: true,
	examples: [
		{
			title: "Until the node `check`, which it repeats, reports the third turn",
			params: { until: "check.turn == 2" },
			output: { turns: 3 },
		},
		{
			title: "At most as often as the trigger says, with a pause between the turns",
			input: { tries: 5 },
			params: { until: "page >= 1", max: "{{input.tries}}", delay_ms: 10 },
			output: { turns: 2 },
		},
		{
			title: "A condition that does not become true",
			params: { until: "check.turn > 100", max: 3 },
			error: "until was not true after 3 turns",
		},
	],
	// The runner counts the turns.
	run: () => ({ turns: 1 }),
});
