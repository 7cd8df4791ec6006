import { DeletedAnswer, VersionedEntry } from "@tripline/contract/entries";
import { Failed, notFound, staleVersion } from "@tripline/contract/failures";
import { encodeCursor } from "@tripline/contract/paging";
import {
	DeletedWorkflowPage,
	FormerNames,
	OwnedDeleted,
	OwnedDeletedQuery,
	OwnedVersion,
	OwnedVersionQuery,
	OwnedWorkflow,
	RenameWorkflow,
	SetEnabled,
	StoredVersion,
	TRASH_DAYS,
	WorkflowVersionPage,
} from "@tripline/contract/workflow-versions";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertInternal, type Caller, nameChange } from "../domain/callers.ts";
import { toColumns } from "../domain/columns.ts";
import { findNextTime } from "../domain/schedule.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Workflows";
const DAY = 24 * 60 * 60;
const EntryAnswer = z.object({ entry: VersionedEntry });
/** A schedule may change between reading it and switching it on. */
const MAX_ATTEMPTS = 5;

/** For internal callers, which compile workflows before they store them. */
export function workflowRoutes(parts: StoreParts): Route<Caller>[] {
	const { workflows, workflowVersions, deletedWorkflows, semantic, clock } = parts;
	return [
		route({
			method: "GET",
			path: "/workflows/versions",
			tag,
			summary: "List a workflow's versions, newest first",
			description: "Internal callers only. Empty if there is no such workflow.",
			query: OwnedVersionQuery,
			responses: { 200: { description: "A page", body: WorkflowVersionPage } },
			async handle({ caller, query: { owner_id, name, limit, cursor } }) {
				assertInternal(caller);
				const page = { before: cursor?.seq, limit: limit + 1 };
				const rows = await workflowVersions.list(owner_id, name, page);
				const versions = rows.slice(0, limit).map((row) => ({ ...row, created_at: toIso(row.created_at) }));
				return reply(200, {
					versions,
					next_cursor: rows.length > limit ? encodePlace(versions.at(-1)?.number) : null,
				});
			},
		}),
		route({
			method: "GET",
			path: "/workflows/version",
			tag,
			summary: "One version with its text",
			description: "Internal callers only.",
			query: OwnedVersion,
			responses: { 200: { description: "The version", body: StoredVersion } },
			async handle({ caller, query: { owner_id, name, number } }) {
				assertInternal(caller);
				const row = await workflowVersions.get(owner_id, name, number);
				if (row === null) throw notFound();
				return reply(200, { ...row, created_at: toIso(row.created_at) });
			},
		}),
		route({
			method: "PUT",
			path: "/workflows/enabled",
			tag,
			summary: "Switch a workflow on or off",
			description:
				"Internal callers only. Occurrences of its schedule that pass while it is off are not made up for.",
			body: SetEnabled,
			responses: { 200: { description: "Switched", body: z.object({ enabled: z.boolean() }) } },
			async handle({ caller, body: { owner_id, name, enabled } }) {
				assertInternal(caller);
				await switchWorkflow(owner_id, name, enabled);
				return reply(200, { enabled });
			},
		}),
		route({
			method: "POST",
			path: "/workflows/rename",
			tag,
			summary: "Rename a workflow",
			description:
				"Internal callers only. The renamed workflow is a new version; its versions, draft and switch stay. 412 if its current version is not if_version, 409 if the name is taken.",
			body: RenameWorkflow,
			responses: { 200: { description: "Renamed", body: EntryAnswer } },
			async handle({ caller, body: { owner_id, name, to, if_version, metadata_json, ...by } }) {
				assertInternal(caller);
				const known = await workflows.find(owner_id, name);
				if (known === null) throw notFound();
				const entry = await workflows.rename({
					...nameChange(owner_id, by),
					id: known.id,
					owner_id,
					to,
					content: known.content,
					metadata_json: metadata_json ?? known.metadata_json,
					ifVersion: if_version,
					now: unixSeconds(clock),
				});
				if (entry === null) throw await explainRefusal(owner_id, name, to, if_version);
				semantic.scheduleEmbedding(entry.metadata_json);
				return reply(200, { entry });
			},
		}),
		route({
			method: "GET",
			path: "/workflows/former-names",
			tag,
			summary: "The names that a workflow had",
			description: "Internal callers only.",
			query: OwnedWorkflow,
			responses: { 200: { description: "The names", body: FormerNames } },
			async handle({ caller, query }) {
				assertInternal(caller);
				return reply(200, { names: await workflows.listFormerNames(query.owner_id, query.name) });
			},
		}),
		route({
			method: "GET",
			path: "/workflows/renamed",
			tag,
			summary: "The present name of the workflow that last had a name",
			description: "Internal callers only.",
			query: OwnedWorkflow,
			responses: { 200: { description: "The name", body: z.object({ name: z.string() }) } },
			async handle({ caller, query }) {
				assertInternal(caller);
				const name = await workflows.findRenamed(query.owner_id, query.name);
				if (name === null) throw notFound();
				return reply(200, { name });
			},
		}),
		route({
			method: "GET",
			path: "/workflows/deleted",
			tag,
			summary: "List an owner's deleted workflows, last deleted first",
			description: "Internal callers only.",
			query: OwnedDeletedQuery,
			responses: { 200: { description: "A page", body: DeletedWorkflowPage } },
			async handle({ caller, query: { owner_id, limit, cursor } }) {
				assertInternal(caller);
				const before = cursor === undefined ? {} : { before: cursor.seq };
				const rows = await deletedWorkflows.list(owner_id, { ...before, limit: limit + 1 });
				const page = rows.slice(0, limit);
				return reply(200, {
					workflows: page.map(({ seq: _, version, deleted_at, ...row }) => ({
						...row,
						version_number: version,
						deleted_at: toIso(deleted_at),
						purged_at: toIso(deleted_at + TRASH_DAYS * DAY),
					})),
					next_cursor: rows.length > limit ? encodePlace(page.at(-1)?.seq) : null,
				});
			},
		}),
		route({
			method: "POST",
			path: "/workflows/restore",
			tag,
			summary: "Restore a deleted workflow",
			description: "Internal callers only. 409 if another workflow has its name.",
			body: OwnedDeleted,
			responses: { 200: { description: "Restored", body: EntryAnswer } },
			async handle({ caller, body: { owner_id, id } }) {
				assertInternal(caller);
				const text = await deletedWorkflows.getText(owner_id, id);
				if (text === null) throw notFound();
				const now = unixSeconds(clock);
				const columns = toColumns("workflow", text.metadata_json, now);
				const entry = await deletedWorkflows.restore(owner_id, id, { text, columns, now });
				if (entry === null) throw isTaken(text.name);
				semantic.scheduleEmbedding(entry.metadata_json);
				return reply(200, { entry });
			},
		}),
		route({
			method: "POST",
			path: "/workflows/purge",
			tag,
			summary: "Delete a deleted workflow and its versions for good",
			description: "Internal callers only.",
			body: OwnedDeleted,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, body: { owner_id, id } }) {
				assertInternal(caller);
				if (!(await deletedWorkflows.purge(owner_id, id))) throw notFound();
				return reply(200, { deleted: true });
			},
		}),
	];

	async function switchWorkflow(owner: string, name: string, enabled: boolean): Promise<void> {
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			const known = await workflows.find(owner, name);
			if (known === null) throw notFound();
			if (!enabled) return workflows.disable(known.id);
			const { schedule } = known;
			const nextRunAt = schedule === null ? null : findNextTime(schedule, unixSeconds(clock));
			if (await workflows.enable(known.id, { schedule, nextRunAt })) return;
		}
		throw new Failed({ kind: "conflict", message: "the workflow keeps changing, try again" });
	}

	async function explainRefusal(owner: string, name: string, to: string, expected: number): Promise<Failed> {
		const [known, taken] = await Promise.all([workflows.find(owner, name), workflows.find(owner, to)]);
		if (known !== null && known.version === expected && taken !== null) return isTaken(to);
		return staleVersion(expected, known?.version ?? null);
	}
}

const isTaken = (name: string): Failed =>
	new Failed({ kind: "conflict", message: `a workflow named ${JSON.stringify(name)} exists` });

const encodePlace = (seq = 0): string => encodeCursor({ created_at: 0, seq });

export const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString();
