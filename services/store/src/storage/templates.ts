import type { Place } from "@tripline/contract/paging";
import type { Slot, Template } from "@tripline/contract/templates";
import { type Sql, statement } from "@tripline/platform/sql";
import type { Page } from "./pages.ts";

/** The owner column of shared templates: not null, so that (owner, name) is unique for them too. */
const SHARED = "";

interface TemplateRow {
	readonly seq: number;
	readonly id: string;
	readonly owner_id: string;
	readonly name: string;
	readonly slots_json: string;
	readonly created_at: number;
	readonly updated_at: number;
}

export function templateStorage(sql: Sql) {
	const findOne = async (where: string, ...values: string[]): Promise<Template | null> => {
		const [row] = await sql.read<TemplateRow>(statement(`select * from templates where ${where}`, ...values));
		return row === undefined ? null : toTemplate(row);
	};
	return {
		findById: (id: string) => findOne("id = ?1", id),
		findByName: (owner: string | null, name: string) =>
			findOne("owner_id = ?1 and name = ?2", owner ?? SHARED, name),

		/** False if another call created it first. */
		async create(template: Template): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(
					`insert into templates (id, owner_id, name, slots_json, created_at, updated_at)
					values (?1, ?2, ?3, ?4, ?5, ?6) on conflict (owner_id, name) do nothing`,
					template.id,
					template.owner_id ?? SHARED,
					template.name,
					JSON.stringify(template.slots),
					template.created_at,
					template.updated_at,
				),
			]);
			return (outcome?.changes ?? 0) > 0;
		},

		/** False if the slots are no longer `before`, because another call changed them in between. */
		async replaceSlots(
			id: string,
			before: readonly Slot[],
			after: readonly Slot[],
			now: number,
		): Promise<boolean> {
			const [outcome] = await sql.write([
				statement(
					"update templates set slots_json = ?3, updated_at = ?4 where id = ?1 and slots_json = ?2",
					id,
					JSON.stringify(before),
					JSON.stringify(after),
					now,
				),
			]);
			return (outcome?.changes ?? 0) > 0;
		},

		/** An owner's own and the shared templates, newest first; undefined means every owner. */
		async list(filter: {
			readonly owner: string | undefined;
			readonly name: string | undefined;
			readonly after: Place | undefined;
			readonly limit: number;
		}): Promise<Page<Template>> {
			const rows = await sql.read<TemplateRow>(
				statement(
					`select * from templates
					where (?1 is null or owner_id in (?1, '${SHARED}')) and (?2 is null or name = ?2)
						and (?3 is null or (created_at, seq) < (?3, ?4))
					order by created_at desc, seq desc limit +?5`,
					filter.owner ?? null,
					filter.name ?? null,
					filter.after?.created_at ?? null,
					filter.after?.seq ?? null,
					filter.limit + 1,
				),
			);
			const page = rows.slice(0, filter.limit);
			const last = page.at(-1);
			const more = rows.length > filter.limit && last !== undefined;
			return {
				items: page.map(toTemplate),
				next: more ? { created_at: last.created_at, seq: last.seq } : null,
			};
		},
	};
}

export type TemplateStorage = ReturnType<typeof templateStorage>;

function toTemplate(row: TemplateRow): Template {
	return {
		id: row.id,
		owner_id: row.owner_id === SHARED ? null : row.owner_id,
		name: row.name,
		slots: JSON.parse(row.slots_json) as Slot[],
		created_at: row.created_at,
		updated_at: row.updated_at,
	};
}
