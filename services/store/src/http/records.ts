import { DeletedAnswer } from "@tripline/contract/entries";
import { isIngested } from "@tripline/contract/entry-types";
import { invalid, notFound } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import { Id, Namespace } from "@tripline/contract/names";
import { encodeCursor } from "@tripline/contract/paging";
import {
	CreateRecord,
	PatchRecord,
	RecordAnswer,
	RecordPage,
	RecordQuery,
	type Record as WireRecord,
} from "@tripline/contract/records";
import type { Template } from "@tripline/contract/templates";
import { matchesFilter } from "@tripline/contract/value-filter";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertOwned, type Caller, resolveOwner, resolveOwnerFilter } from "../domain/callers.ts";
import { addDefaults, buildNewValues, patchValues } from "../domain/templates.ts";
import { createIngestOnlyError } from "../domain/triplets.ts";
import { RECORD_TYPE } from "../storage/records.ts";
import { retryUntilUnchanged } from "../storage/retry.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Records";
const RecordId = z.object({ id: Id });
const Owner = z.strictObject({ owner_id: Namespace.optional() });

type Row = NonNullable<Awaited<ReturnType<StoreParts["records"]["get"]>>>;

export function recordRoutes({ entries, records, templates, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/records",
			tag,
			summary: "Create a record of a template",
			description:
				"Unknown slots, wrong types and missing required slots give 422; defaults are filled in. The shared templates triplet and entity belong to the graph: only POST /triplets/ingest writes their records.",
			body: CreateRecord,
			responses: { 201: { description: "The record", body: RecordAnswer } },
			async handle({ caller, body }) {
				const owner = resolveOwner(caller, body.owner_id);
				const template = await findTemplate(owner, body.template);
				const named = template ?? { owner_id: null, name: body.template };
				if (isGraphTemplate(named)) throw createIngestOnlyError("template", named.name);
				if (template === null) throw noTemplate(body.template);
				const values = buildNewValues(template.slots, body.values);
				const entry = await entries.append({
					id: uuidv7(clock.now()),
					entry_type: RECORD_TYPE,
					owner_id: owner,
					page_name: template.id,
					content: "",
					metadata_json: JSON.stringify(values),
					now: unixSeconds(clock),
					template_id: template.id,
				});
				return reply(201, { record: toRecord(entry, template) });
			},
		}),
		route({
			method: "GET",
			path: "/records",
			tag,
			summary: "List the records of a template, newest first",
			description:
				"With values a page looks at a bounded number of records: it may hold few or none and still have a next_cursor.",
			query: RecordQuery,
			responses: { 200: { description: "A page", body: RecordPage } },
			async handle({ caller, query }) {
				const owner = resolveOwner(caller, query.owner_id);
				const template = await findTemplate(owner, query.template);
				if (template === null) throw noTemplate(query.template);
				const { order, cursor: after, limit, values: wanted } = query;
				const page = await entries.list(
					{ owner_id: owner, entry_type: RECORD_TYPE, page_name: template.id, order, after, limit },
					wanted && ((values) => matchesFilter(addDefaults(template.slots, values), wanted)),
				);
				return reply(200, {
					records: page.items.map((row) => toRecord(row, template)),
					next_cursor: page.next && encodeCursor(page.next),
				});
			},
		}),
		route({
			method: "GET",
			path: "/records/{id}",
			tag,
			summary: "One record",
			params: RecordId,
			query: Owner,
			responses: { 200: { description: "The record", body: RecordAnswer } },
			async handle({ caller, params, query }) {
				const { row, template } = await readOwnedRecord(
					params.id,
					resolveOwnerFilter(caller, query.owner_id),
				);
				return reply(200, { record: toRecord(row, template) });
			},
		}),
		route({
			method: "PATCH",
			path: "/records/{id}",
			tag,
			summary: "Change slots of a record",
			description: "Slots that are not named keep their values; null clears a slot that is not required.",
			params: RecordId,
			body: PatchRecord,
			responses: { 200: { description: "The record", body: RecordAnswer } },
			async handle({ caller, params, body }) {
				const owner = resolveOwnerFilter(caller, body.owner_id);
				const record = await retryUntilUnchanged(async () => {
					const { row, template } = await readOwnedRecord(params.id, owner);
					if (isGraphTemplate(template)) throw createIngestOnlyError("template", template.name);
					const values = patchValues(template.slots, parseValues(row), body.values);
					const changed = await records.replaceValues(row.id, row.metadata_json, values, unixSeconds(clock));
					return changed && toRecord(changed, template);
				});
				return reply(200, { record });
			},
		}),
		route({
			method: "DELETE",
			path: "/records/{id}",
			tag,
			summary: "Delete a record",
			params: RecordId,
			query: Owner,
			responses: { 200: { description: "Deleted", body: DeletedAnswer } },
			async handle({ caller, params, query }) {
				const { row } = await readOwnedRecord(params.id, resolveOwnerFilter(caller, query.owner_id));
				if (!(await entries.delete(row.id, row.owner_id))) throw notFound();
				return reply(200, { deleted: true });
			},
		}),
	];

	/** Finds a template by id or name; an owner's own takes precedence over a shared one. */
	async function findTemplate(owner: string, reference: string): Promise<Template | null> {
		const byId = Id.safeParse(reference).success ? await templates.findById(reference) : null;
		if (byId !== null && (byId.owner_id === null || byId.owner_id === owner)) return byId;
		return (await templates.findByName(owner, reference)) ?? (await templates.findByName(null, reference));
	}

	async function readOwnedRecord(
		id: string,
		owner: string | undefined,
	): Promise<{ row: Row; template: Template }> {
		const row = await records.get(id);
		if (row === null) throw notFound();
		assertOwned(row.owner_id, owner);
		const template = await templates.findById(row.template_id);
		if (template === null) throw notFound();
		return { row, template };
	}
}

const noTemplate = (reference: string) =>
	invalid([{ path: "template", message: `there is no template "${reference}"` }]);

/** An owner's own template of the same name is not part of the graph. */
const isGraphTemplate = ({ owner_id, name }: Pick<Template, "owner_id" | "name">): boolean =>
	owner_id === null && isIngested(name);

function toRecord(row: Omit<Row, "template_id">, template: Template): WireRecord {
	return {
		id: row.id,
		owner_id: row.owner_id,
		template: template.name,
		template_id: template.id,
		values: addDefaults(template.slots, parseValues(row)),
		created_at: row.created_at,
		updated_at: row.updated_at,
	};
}

const parseValues = (row: { readonly metadata_json: string }) =>
	JSON.parse(row.metadata_json) as Record<string, Json>;
