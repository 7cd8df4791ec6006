import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { UnfinishedExecution } from "@tripline/contract/executor";
import type { TenantExecutor } from "@tripline/executor/client";

export interface Filter {
	readonly workflow?: string;
	readonly verdict?: "failed";
	/** ISO 8601. */
	readonly since?: string;
}

const PAGE_SIZE = 100;

/** Reads the newest executions, page by page. */
export async function listNewest(
	{ executions }: TenantExecutor,
	filter: Filter,
	limit: number,
): Promise<ExecutionRecord[]> {
	const found: ExecutionRecord[] = [];
	let cursor: string | undefined;
	do {
		const page = await executions.list({
			...filter,
			limit: String(Math.min(PAGE_SIZE, limit - found.length)),
			...(cursor !== undefined && { cursor }),
		});
		found.push(...page.executions);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined && found.length < limit);
	return found;
}

/** Reads the wanted runs among those that have not ended, page by page, in the order in which they are due. */
export async function listUnfinished(
	{ executions }: TenantExecutor,
	isWanted: (run: UnfinishedExecution) => boolean,
	limit = Number.POSITIVE_INFINITY,
): Promise<UnfinishedExecution[]> {
	const found: UnfinishedExecution[] = [];
	let cursor: string | undefined;
	do {
		const page = await executions.unfinished({ limit: PAGE_SIZE, cursor });
		found.push(...page.executions.filter(isWanted));
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined && found.length < limit);
	return found.slice(0, limit);
}
