import type { TenantExecutor } from "@tripline/executor/client";
import type { Io } from "../io.ts";
import { toServiceProblem } from "../service-problem.ts";
import type { Bases } from "../sync/bases.ts";
import type { PlannedPush, Pushed } from "./push-plan.ts";

export interface Prunable {
	readonly name: string;
	/** Null in the legacy store. */
	readonly current: number | null;
}

/** The deployed workflows that have no file. */
export async function listPrunable(
	{ workflows }: TenantExecutor,
	planned: readonly PlannedPush[],
): Promise<Prunable[]> {
	const kept = new Set(planned.map(({ name }) => name));
	const deployed = (await workflows.list()).workflows;
	return deployed
		.filter(({ name }) => !kept.has(name))
		.map(({ name, version_number: current }) => ({ name, current }));
}

/** Deletes them, unless they have changed since they were listed. */
export async function prune(
	io: Io,
	{ workflows }: TenantExecutor,
	prunable: readonly Prunable[],
	{ bases, isDryRun }: { readonly bases: Bases; readonly isDryRun: boolean },
): Promise<Pushed[]> {
	const pruned: Pushed[] = [];
	for (const { name, current } of prunable) {
		const about = { file: null, name, diff: [], version_number: current, webhook_url: null };
		if (isDryRun) {
			pruned.push({ ...about, result: "would delete" });
			continue;
		}
		try {
			await workflows.delete(name, current ?? undefined);
			bases.forget(name);
			pruned.push({ ...about, result: "deleted" });
		} catch (error) {
			const problem = toServiceProblem(error, io);
			if (problem === null) throw error;
			pruned.push({ ...about, result: "failed", error: problem.message });
		}
	}
	return pruned;
}
