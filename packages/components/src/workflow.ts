import { WorkflowName } from "@tripline/contract/workflows";
import { ANY } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { anyObject, anything } from "./schemas.ts";

export const workflow = define({
	id: "workflow",
	title: "Run a workflow",
	description:
		"Runs another workflow of the same namespace and waits for it. If that run fails, the node fails. Calls can nest at most 8 levels deep.",
	targets: ["name"],
	params: z.strictObject({
		name: WorkflowName.meta({ description: "The workflow's name" }),
		input: anyObject().default({}).meta({ description: "The trigger context of that run" }),
	}),
	output: anything().meta({ description: "The `data` of that run" }),
	inferOutput({ constant, workflowOutput }) {
		const name = constant("name");
		return typeof name === "string" ? workflowOutput(name) : ANY;
	},
	examples: [
		{
			title: "With a value of this run",
			input: { city: "Lyon" },
			params: { name: "weather", input: { city: "{{input.city}}" } },
			output: { city: "Lyon", degrees: 21 },
		},
		{ title: "Without input", params: { name: "daily report" } },
	],
	cleansUp: true,
	run: (call) => call.effects.runWorkflow(call.params.name, call.params.input, call),
});
