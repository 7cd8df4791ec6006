import { WorkflowList } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { namedPath } from "./saving.ts";

/** A setting that changes nothing: it gives the scenarios that move the clock and tick a service of their own. */
const TICKING = { RUN_TIMEOUT_MS: "29999" } as const;

/** What a tick finds is every tenant's, so a scenario that ticks leaves no workflows behind. */
export const ticking = (scenario: Scenario): Scenario => ({
	...scenario,
	environment: TICKING,
	async run(world) {
		try {
			await scenario.run(world);
		} finally {
			await deleteWorkflows(world);
		}
	},
});

async function deleteWorkflows({ executor }: World): Promise<void> {
	const { workflows } = await executor.expect(200, WorkflowList, "GET", "/webhooks/named");
	for (const { name } of workflows) await executor.call("DELETE", namedPath(name));
}
