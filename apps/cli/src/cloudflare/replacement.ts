import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import type { CloudflareApi } from "./api.ts";
import { checkReadiness, getHealthRole } from "./health.ts";
import { buildAddress, type Role } from "./plan.ts";
import type { Replacement } from "./tags.ts";
import type { Resources } from "./upload.ts";

export interface WorkerOutcome {
	readonly worker: string;
	readonly role: Role;
	readonly status: "deployed" | "unchanged" | "failed" | "rolled back";
	/** What went wrong, and what to do. */
	readonly error?: string;
	readonly hint?: string;
}

interface Deps {
	readonly api: Pick<CloudflareApi, "version" | "restore" | "setTags">;
	readonly io: Pick<Io, "fetch" | "wait">;
	readonly resources: Pick<Resources, "names" | "subdomain">;
}

/** Keeps the new version if it is healthy, and rolls back otherwise. */
export async function confirmReplacement(
	deps: Deps,
	role: Role,
	replacement: Replacement,
): Promise<WorkerOutcome> {
	const { api, io, resources } = deps;
	const worker = resources.names.worker(role);
	const problem = await checkReadiness(io, getHealthAddress(resources, role));
	if (problem !== null) return { worker, role, ...(await rollBack(api, worker, replacement, problem)) };
	try {
		await api.setTags(worker, replacement.after);
		return { worker, role, status: "deployed" };
	} catch (failure) {
		if (!(failure instanceof CliProblem)) throw failure;
		const hint =
			"the new version is active and healthy, only its tags are missing: run tripline update again";
		return { worker, role, status: "failed", error: failure.message, hint };
	}
}

/** Completes a replacement of an interrupted run. Null if it was already rolled back and only the tags were missing. */
export async function settleReplacement(
	deps: Deps,
	role: Role,
	replacement: Replacement,
): Promise<WorkerOutcome | null> {
	const { api, resources } = deps;
	const worker = resources.names.worker(role);
	if ((await api.version(worker)) !== replacement.previous)
		return confirmReplacement(deps, role, replacement);
	await api.setTags(worker, replacement.before);
	return null;
}

export const getHealthAddress = (
	{ names, subdomain }: Pick<Resources, "names" | "subdomain">,
	role: Role,
): string => buildAddress(names.worker(getHealthRole(role)), subdomain);

async function rollBack(
	api: Deps["api"],
	worker: string,
	{ previous, before }: Replacement,
	problem: string,
): Promise<Pick<WorkerOutcome, "status" | "error" | "hint">> {
	const error = `the new version is not healthy: ${problem}`;
	try {
		await api.restore(worker, previous);
		await api.setTags(worker, before);
	} catch (failure) {
		if (!(failure instanceof CliProblem)) throw failure;
		return {
			status: "failed",
			error: `${error}; rolling back failed: ${failure.message}`,
			hint: "run tripline update again: it rolls back first",
		};
	}
	return {
		status: "rolled back",
		error,
		hint: "the previous version is active again: correct the cause, then run tripline update",
	};
}
