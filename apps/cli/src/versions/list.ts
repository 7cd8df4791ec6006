import type { WorkflowVersion } from "@tripline/contract/workflow-versions";
import type { TenantExecutor } from "@tripline/executor/client";
import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { parseLimit } from "../limit.ts";
import { quoteWord } from "../quote-word.ts";
import { createExecutor } from "../services.ts";
import { findWorkflow } from "./find.ts";

const PAGE_SIZE = 200;

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const name = positionals.name as string;
	const limit = parseLimit(flags.limit);
	const executor = createExecutor(io);
	const { version_number: current } = await findWorkflow(executor, "versions", name);
	const versions = await listNewest(executor, name, limit);
	const draft = await executor.drafts.get(name);
	return {
		json: {
			name,
			current,
			draft: draft === null ? null : { base: draft.base, saved_at: draft.saved_at },
			versions,
		},
		text: {
			columns: ["version", "time", "author", "client", "name", ""],
			rows: versions.map((version) => [
				String(version.number),
				formatTime(version.created_at),
				version.author ?? "",
				version.client ?? "",
				version.name,
				version.number === current ? "current" : "",
			]),
			empty: "no versions yet: it is in the legacy store, and its next change makes the first one",
			...(draft !== null && {
				after: `It has a draft of ${formatTime(draft.saved_at)}, based on version ${draft.base}: tripline diff ${quoteWord(name)} --to draft`,
			}),
		},
	};
}

async function listNewest(
	{ versions }: TenantExecutor,
	name: string,
	limit: number,
): Promise<WorkflowVersion[]> {
	const found: WorkflowVersion[] = [];
	let cursor: string | undefined;
	do {
		const page = await versions.list(name, { limit: Math.min(PAGE_SIZE, limit - found.length), cursor });
		found.push(...(page?.versions ?? []));
		cursor = page?.next_cursor ?? undefined;
	} while (cursor !== undefined && found.length < limit);
	return found;
}
