import { WorkflowList } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { onOwnService } from "./own-service.ts";
import { getNamedPath } from "./saving.ts";

/** A tick covers all tenants, so a scenario that ticks must delete its workflows. */
export const ticking = (scenario: Scenario): Scenario =>
	onOwnService({
		...scenario,
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
	for (const { name } of workflows) await executor.call("DELETE", getNamedPath(name));
}
