import { postgresStatement, type Sql, statement } from "@tripline/platform/sql";

type Kind = "integer" | "real" | "text" | "blob";

export interface Table {
	readonly name: string;
	readonly columns: readonly { readonly name: string; readonly kind: Kind }[];
	/** The columns of the primary key, in its order. */
	readonly key: readonly string[];
}

/** Tables that are not copied, and why. */
const NOT_COPIED: Readonly<Record<string, string>> = {
	migrations: "both sides have their own",
	moves: "the state of the move",
	search: "built again from the entries, because the databases index words differently",
	search_lists: "a part of that index in PostgreSQL",
	search_state: "says how much of that has been done",
};

interface ColumnRow {
	readonly table: string;
	readonly name: string;
	readonly type: string;
	/** The place in the primary key; null or 0 if it is not part of it. */
	readonly place: number | null;
}

const SQLITE_COLUMNS = `select tables.name as "table", columns.name, lower(columns.type) as type, columns.pk as place
from pragma_table_list as tables join pragma_table_info(tables.name) as columns
where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite%'
order by tables.name, columns.cid`;

const POSTGRES_COLUMNS = `select cast(tables.relname as text) as "table", cast(columns.attname as text) as name,
	format_type(columns.atttypid, null) as type,
	(select nth from unnest(cast(keys.indkey as smallint[])) with ordinality as parts (part, nth)
		where part = columns.attnum) as place
from pg_class as tables
join pg_attribute as columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
left join pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
where tables.relnamespace = cast(current_schema() as regnamespace) and tables.relkind = 'r'
order by tables.relname, columns.attnum`;

const KINDS: Readonly<Record<string, Kind>> = {
	integer: "integer",
	bigint: "integer",
	real: "real",
	"double precision": "real",
	text: "text",
	blob: "blob",
	bytea: "blob",
};

/** The tables that both sides have, those first that others refer to. Throws if the schemas differ. */
export async function listCommonTables(source: Sql, target: Sql): Promise<readonly Table[]> {
	const [tables, others] = await Promise.all([listTables(source), listTables(target)]);
	assertSameTables(tables, others);
	return sortByReferences(tables, source.dialect === undefined ? source : target);
}

export async function listTables(sql: Sql): Promise<readonly Table[]> {
	const rows = await sql.read<ColumnRow>(
		sql.dialect === "postgres" ? postgresStatement(POSTGRES_COLUMNS) : statement(SQLITE_COLUMNS),
	);
	const byTable = Map.groupBy(
		rows.filter(({ table }) => !Object.hasOwn(NOT_COPIED, table)),
		({ table }) => table,
	);
	return [...byTable].map(([name, columns]) => ({
		name,
		columns: columns.map((column) => ({ name: column.name, kind: toKind(name, column) })),
		key: columns
			.filter(({ place }) => (place ?? 0) > 0)
			.sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
			.map((column) => column.name),
	}));
}

function toKind(table: string, { name, type }: ColumnRow): Kind {
	const kind = KINDS[type];
	if (kind === undefined) throw new Error(`the column ${table}.${name} has the unknown type ${type}`);
	return kind;
}

function assertSameTables(one: readonly Table[], other: readonly Table[]): void {
	const describe = (tables: readonly Table[]) =>
		new Set(
			tables.flatMap(({ name, columns, key }) => [
				`the key of ${name}, ${key.join(" and ")}`,
				...columns.map((column) => `the column ${name}.${column.name} of the type ${column.kind}`),
			]),
		);
	const [difference] = describe(one).symmetricDifference(describe(other));
	if (difference !== undefined)
		throw new Error(`only one of the two databases has ${difference}: this version cannot move it`);
}

async function sortByReferences(tables: readonly Table[], sqlite: Sql): Promise<readonly Table[]> {
	const references = await sqlite.read<{ from: string; to: string }>(
		statement(`select tables.name as "from", keys."table" as "to"
		from pragma_table_list as tables join pragma_foreign_key_list(tables.name) as keys`),
	);
	const sorted = new Set<Table>();
	for (const table of tables) add(table);
	return [...sorted];

	function add(table: Table): void {
		for (const { from, to } of references) {
			const referred = tables.find(({ name }) => name === to);
			if (from === table.name && referred !== undefined && to !== from) add(referred);
		}
		sorted.add(table);
	}
}
