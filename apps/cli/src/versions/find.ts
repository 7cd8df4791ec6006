import { ExecutorRefused, type TenantExecutor } from "@tripline/executor/client";
import { CliProblem } from "../command.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";

export type Described = NonNullable<Awaited<ReturnType<TenantExecutor["workflows"]["describe"]>>>;

const STALE = 412;

/** The list item of a workflow; a problem with the nearest name if there is none. */
export async function findWorkflow(
	executor: TenantExecutor,
	command: string,
	name: string,
): Promise<Described> {
	const found = await executor.workflows.describe(name);
	if (found !== null) return found;
	throw await createUnknownWorkflow(executor, command, name);
}

/** The number of the current version. A workflow of the legacy store gets one by its first change. */
export function requireVersion({ name, version_number }: Described): number {
	// A service of an older version has none either.
	if (typeof version_number === "number") return version_number;
	throw new CliProblem(`${JSON.stringify(name)} has no versions yet`, {
		hint: "it is in the legacy store; its next change, such as tripline push, makes the first one",
	});
}

export const isStale = (error: unknown): error is ExecutorRefused =>
	error instanceof ExecutorRefused && error.status === STALE;

/** Rejects with a problem if the workflow has changed since the plan was shown. */
export async function requireUnchanged<Result>(name: string, change: Promise<Result>): Promise<Result> {
	try {
		return await change;
	} catch (error) {
		if (!isStale(error)) throw error;
		throw new CliProblem(`${JSON.stringify(name)} was changed meanwhile; nothing was done`, {
			hint: "run the command again to see the change",
		});
	}
}

/** A version number, or `draft`. */
export function parseSide(flag: string, given: unknown): number | "draft" | undefined {
	return given === undefined || given === "draft" ? given : parseVersion(flag, given, " or draft");
}

export function parseVersion(flag: string, given: unknown, also = ""): number {
	if (typeof given === "string" && /^[1-9]\d{0,14}$/.test(given)) return Number(given);
	throw new CliProblem(`--${flag} must be a version number${also}`, {
		code: 2,
		hint: "tripline versions <name> lists them",
	});
}
