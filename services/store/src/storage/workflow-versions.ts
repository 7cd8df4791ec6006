import { type Sql, statement } from "@tripline/platform/sql";

interface VersionRow {
	readonly number: number;
	readonly name: string;
	readonly created_at: number;
	readonly author: string | null;
	readonly client: string | null;
}

interface VersionTextRow extends VersionRow {
	readonly content: string;
	readonly metadata_json: string;
}

const LISTED = "number, name, created_at, author, client";

/** The entry that is read where a workflow is called by its name: the newest. Expects owner and name as ?1 and ?2. */
export const CURRENT_ID = `(select id from entries where owner_id = ?1 and entry_type = 'workflow' and page_name = ?2
	and webhook is null order by created_at desc, seq desc limit 1)`;

/** Read only: triggers write them. */
export function workflowVersionStorage(sql: Sql) {
	return {
		/** Newest first, those before a number. */
		list: (owner: string, name: string, { before = Number.MAX_SAFE_INTEGER, limit }: VersionPage) =>
			sql.read<VersionRow>(
				statement(
					`select ${LISTED} from workflow_versions where workflow_id = ${CURRENT_ID} and number < ?3
					order by number desc limit +?4`,
					owner,
					name,
					before,
					limit,
				),
			),

		async get(owner: string, name: string, number: number): Promise<VersionTextRow | null> {
			const [row] = await sql.read<VersionTextRow>(
				statement(
					`select ${LISTED}, content, metadata_json from workflow_versions
					where workflow_id = ${CURRENT_ID} and number = ?3`,
					owner,
					name,
					number,
				),
			);
			return row ?? null;
		},
	};
}

export type WorkflowVersionStorage = ReturnType<typeof workflowVersionStorage>;

interface VersionPage {
	readonly before?: number | undefined;
	readonly limit: number;
}
