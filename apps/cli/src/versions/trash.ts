import type { DeletedWorkflow } from "@tripline/contract/workflow-versions";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { findNearest } from "../nearest.ts";
import { confirmPlan } from "../plan.ts";
import { createExecutor } from "../services.ts";
import { readBases } from "../sync/bases.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";
import { findWorkflow, requireUnchanged } from "./find.ts";

const PAGE_SIZE = 200;

export async function list({ io }: Invocation): Promise<Outcome> {
	const workflows = await listDeleted(createExecutor(io));
	return {
		json: { workflows },
		text: {
			columns: ["workflow", "version", "deleted", "by", "kept until", "id"],
			rows: workflows.map(({ name, version_number, deleted_at, client, purged_at, id }) => [
				name,
				String(version_number),
				formatTime(deleted_at),
				client ?? "",
				formatTime(purged_at),
				id,
			]),
			empty: "no deleted workflows",
			...(workflows.length > 0 && { after: "tripline restore <name> restores one." }),
		},
	};
}

/** A file with a backup, or the name of one. */
const BACKUP = /\.backup$|^tripline-\d{4}-\d\d-\d\dT/;

export async function restore(invocation: Invocation): Promise<Outcome> {
	const given = invocation.positionals.workflow as string;
	if (BACKUP.test(given))
		throw new CliProblem("restore brings back a deleted workflow, not a backup", {
			code: 2,
			hint: `did you mean: tripline backup restore ${given}`,
		});
	const executor = createExecutor(invocation.io);
	const deleted = findDeleted(await listDeleted(executor), given);
	const { id, name, version_number } = deleted;
	const about = { id, name, version_number };
	if ((await executor.workflows.describe(name)) !== null)
		throw new CliProblem(`there is already a workflow ${JSON.stringify(name)}`, {
			hint: "rename it first: tripline rename <name> <new>",
		});
	const isConfirmed = await confirmPlan(invocation, {
		lines: [
			`${name}: version ${version_number}, deleted ${formatTime(deleted.deleted_at)}, starts runs again if it was enabled`,
		],
		question: `restore ${name}`,
		refusal: `${name} was not restored`,
	});
	if (!isConfirmed)
		return { json: { ...about, result: "would restore" }, text: `${name}: would be restored` };
	const restored = await executor.deletedWorkflows.restore(id);
	if (restored === null) throw unknownDeletedProblem(id, []);
	return {
		json: { ...about, enabled: restored.enabled, result: "restored" },
		text: `${name} is restored${restored.enabled ? "" : ", and disabled"}`,
	};
}

export async function remove(invocation: Invocation): Promise<Outcome> {
	const name = invocation.positionals.name as string;
	const executor = createExecutor(invocation.io);
	const { version_number } = await findWorkflow(executor, "delete", name);
	const isConfirmed = await confirmPlan(invocation, {
		lines: [`${name}: its addresses answer 404, and its accepted runs end; tripline restore brings it back`],
		question: `delete ${name}`,
		refusal: `${name} was not deleted`,
	});
	const about = { name, version_number };
	if (!isConfirmed) return { json: { ...about, result: "would delete" }, text: `${name}: would be deleted` };
	const isDeleted = await requireUnchanged(
		name,
		executor.workflows.delete(name, version_number ?? undefined),
	);
	if (!isDeleted) throw await createUnknownWorkflow(executor, "delete", name);
	readBases(invocation.io).forget(name);
	return {
		json: { ...about, result: "deleted" },
		text: `${name} is deleted; tripline trash shows until when it is kept`,
	};
}

async function listDeleted({ deletedWorkflows }: TenantExecutor): Promise<DeletedWorkflow[]> {
	const found: DeletedWorkflow[] = [];
	let cursor: string | undefined;
	do {
		const page = await deletedWorkflows.list({ limit: PAGE_SIZE, cursor });
		found.push(...page.workflows);
		cursor = page.next_cursor ?? undefined;
	} while (cursor !== undefined);
	return found;
}

/** By its id or its name, which several may have. */
function findDeleted(workflows: readonly DeletedWorkflow[], given: string): DeletedWorkflow {
	const found = workflows.filter(({ id, name }) => id === given || name === given);
	const [first] = found;
	if (first === undefined)
		throw unknownDeletedProblem(
			given,
			workflows.map(({ name }) => name),
		);
	if (found.length === 1) return first;
	throw new CliProblem(`${found.length} deleted workflows are named ${JSON.stringify(given)}`, {
		code: 2,
		hint: found
			.map(({ id, deleted_at }) => `tripline restore ${id}  (deleted ${formatTime(deleted_at)})`)
			.join("\n  "),
	});
}

function unknownDeletedProblem(given: string, names: readonly string[]): CliProblem {
	const near = findNearest(given, names);
	return new CliProblem(`there is no deleted workflow ${JSON.stringify(given)}`, {
		hint: near === null ? "tripline trash lists them" : `did you mean: tripline restore ${near}`,
	});
}
