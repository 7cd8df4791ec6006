import { callOutside } from "../outside.ts";
import { acceptRun, LASTING, type Load, saveWorkflow, takeKey } from "./load.ts";

/** Runs of three calls, one after the other, which continue in another process if theirs is killed. */
export const steps: Load = {
	name: "steps",
	maxPauseMs: 1_200,
	prepare(callers) {
		const call = (step: number) =>
			callOutside(callers.outside, callers.client.tenant, {
				purpose: "step",
				subject: "{{input.key}}",
				value: "{{input.mark}}",
				step,
			});
		return saveWorkflow(callers, "steps", {
			options: LASTING,
			triplets: ["input >> then >> first", "first >> then >> second", "second >> then >> third"],
			config: { first: call(1), second: call(2), third: call(3) },
		});
	},
	async round(callers) {
		await acceptRun(callers, "steps", takeKey("steps"));
	},
};
