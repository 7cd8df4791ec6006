import type { DeletedWorkflow } from "@tripline/contract/workflow-versions";
import type { ToolContext } from "./tool.ts";

const PAGE_SIZE = 200;
const MAX_PAGES = 10;

/** The workflows that can be restored, last deleted first. */
export async function readDeleted({ executor }: ToolContext): Promise<DeletedWorkflow[]> {
	const all: DeletedWorkflow[] = [];
	let cursor: string | undefined;
	for (let pages = 0; pages < MAX_PAGES; pages++) {
		const page = await executor.deletedWorkflows.list({ limit: PAGE_SIZE, cursor });
		all.push(...page.workflows);
		if (page.next_cursor === null) break;
		cursor = page.next_cursor;
	}
	return all;
}
