import { type Outcome, type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { embedWork } from "./embed-work.ts";
import { sentVectors } from "./sent-vectors.ts";

/** The entry types to search; all if both are omitted. */
export interface TypeFilter {
	readonly only?: readonly string[] | undefined;
	readonly except?: readonly string[] | undefined;
}

/** Contiguous vectors and the entries they belong to. */
export interface LooseVectors {
	readonly entries: readonly number[];
	readonly vectors: Uint8Array;
}

export interface BlockHead {
	readonly id: number;
	/** How many of its vectors remain. */
	readonly live: number;
	readonly bytes: number;
}

export interface Block {
	readonly id: number;
	readonly live: number;
	readonly vectors: Uint8Array;
}

/** Approximate block size: large enough that a search reads few rows, small enough to rewrite when a vector leaves. */
const BLOCK_BYTES = 64 * 1024;
const MAX_BLOCK_VECTORS = 2_000;
const MAX_LOOSE_VECTORS = 4_000;

const OF_TYPES = `(?3 is null or entry_type in (select value from json_each(?3)))
	and (?4 is null or entry_type not in (select value from json_each(?4)))`;

export function vectorStorage(sql: Sql) {
	return {
		...embedWork(sql),
		...sentVectors(sql),

		/** Moves an owner's vectors of a type into full blocks, at most `blocks`. */
		async pack(group: {
			readonly owner: string;
			readonly entryType: string;
			readonly generation: number;
			readonly stride: number;
			readonly blocks: number;
		}): Promise<void> {
			for (let packed = 0; packed < group.blocks; packed++) {
				if (!(await packOne(sql, group))) return;
			}
		},

		/** Dissolves a block that is less than half full, so that its vectors can fill others. */
		async unpackSparse(): Promise<void> {
			const [sparse] = await sql.read<{ id: number }>(
				statement(
					"select id from vector_blocks indexed by vector_blocks_sparse where live < capacity / 2 limit 1",
				),
			);
			if (sparse === undefined) return;
			await sql.write([
				statement(
					`update embeddings set
						vector = substr(vectors, position * stride + 1, stride), block = null, position = null
					from vector_blocks where vector_blocks.id = ?1 and embeddings.block = ?1`,
					sparse.id,
				),
				statement("delete from vector_blocks where id = ?1", sparse.id),
			]);
		},

		/** An owner's vectors that are in no block, only the newest if there are very many. */
		readLoose: (owner: string, generation: number, types: TypeFilter): Promise<LooseVectors> =>
			readLooseVectors([""], owner, generation, ...filterValues(types)),

		/** The loose vectors that the external index may not show yet. */
		readUnseen: (owner: string, generation: number, types: TypeFilter, now: number): Promise<LooseVectors> =>
			readLooseVectors(
				["and visible_at is null", "and visible_at > ?5"],
				owner,
				generation,
				...filterValues(types),
				now,
			),

		/** An owner's blocks, without their vectors. */
		listBlockHeads: (owner: string, generation: number, types: TypeFilter): Promise<BlockHead[]> =>
			sql.read<BlockHead>(
				statement(
					`select id, live, capacity * stride as bytes from vector_blocks
					where owner_id = ?1 and generation = ?2 and ${OF_TYPES}`,
					owner,
					generation,
					...filterValues(types),
				),
			),

		blocks: (ids: readonly number[]): Promise<Block[]> =>
			sql.read<Block>(
				statement(
					"select id, live, vectors from vector_blocks where id in (select cast(value as integer) from json_each(?1))",
					JSON.stringify(ids),
				),
			),

		/** The entries whose vectors are at these positions, by `block:position`. */
		async findEntriesAt(
			places: readonly (readonly [block: number, position: number])[],
		): Promise<Map<string, number>> {
			const rows = await sql.read<{ place: string; entry: number }>(
				statement(
					`select block || ':' || position as place, entry from json_each(?1) as wanted
					cross join embeddings on block = cast(wanted.value ->> 0 as integer) and position = cast(wanted.value ->> 1 as integer)`,
					JSON.stringify(places),
				),
			);
			return new Map(rows.map(({ place, entry }) => [place, entry]));
		},

		/** The entries for ids of the external index that still exist and belong to this generation. */
		async findEntriesById(
			owner: string,
			generation: number,
			types: TypeFilter,
			ids: readonly string[],
		): Promise<Map<string, number>> {
			const rows = await sql.read<{ id: string; entry: number }>(
				statement(
					`select entries.id, entry from json_each(?5) as wanted
					cross join entries on entries.id = wanted.value
					cross join embeddings on entry = entries.seq
					where embeddings.owner_id = ?1 and generation = ?2 and vector is not null
						and ${OF_TYPES.replaceAll("entry_type", "embeddings.entry_type")}`,
					owner,
					generation,
					...filterValues(types),
					JSON.stringify(ids),
				),
			);
			return new Map(rows.map(({ id, entry }) => [id, entry]));
		},

		/** The types of an owner's entries, found by skipping through the index: there are few. */
		async listTypes(owner: string): Promise<string[]> {
			const rows = await sql.read<{ name: string }>(
				statement(
					`with recursive types (name) as (
						select min(entry_type) from entries where owner_id = ?1
						union all
						select (select min(entry_type) from entries where owner_id = ?1 and entry_type > types.name)
						from types where types.name is not null
					)
					select name from types where name is not null`,
					owner,
				),
			);
			return rows.map((row) => row.name);
		},
	};

	async function readLooseVectors(terms: readonly string[], ...values: SqlValue[]): Promise<LooseVectors> {
		const each = terms.map(
			(term) => `select entry, vector from embeddings indexed by embeddings_loose
				where owner_id = ?1 and vector is not null and generation = ?2 and ${OF_TYPES} ${term}`,
		);
		const [row] = await sql.read<{ entries: string; vectors: Uint8Array | null }>({
			// Both lists have the same order, whatever order the rows come in.
			text: `select json_group_array(entry) as entries, ${joinVectors(sql)} as vectors
				from (${each.join(" union all ")} order by entry desc limit ${MAX_LOOSE_VECTORS}) as loose`,
			values,
		});
		return {
			entries: JSON.parse(row?.entries ?? "[]") as number[],
			vectors: row?.vectors ?? new Uint8Array(),
		};
	}
}

export type VectorStorage = ReturnType<typeof vectorStorage>;

/** Returns whether there were enough vectors for a block. */
async function packOne(
	sql: Sql,
	group: {
		readonly owner: string;
		readonly entryType: string;
		readonly generation: number;
		readonly stride: number;
	},
): Promise<boolean> {
	const capacity = Math.min(MAX_BLOCK_VECTORS, Math.max(1, Math.floor(BLOCK_BYTES / group.stride)));
	const chosen = `from embeddings
		where owner_id = ?1 and entry_type = ?2 and generation = ?3 and vector is not null order by entry limit +?4`;
	const values = [group.owner, group.entryType, group.generation, capacity];
	const unit: Statement[] = [
		statement(
			`insert into vector_blocks (owner_id, entry_type, generation, stride, capacity, live, vectors)
			select ?1, ?2, ?3, ?5, ?4, ?4, ${joinVectors(sql, "order by entry")}
			from (select entry, vector ${chosen}) as chosen having count(*) = ?4`,
			...values,
			group.stride,
		),
		// Vectors move only if the previous statement created the block, which is then the newest.
		statement(
			`update embeddings set block = (select max(id) from vector_blocks), position = placed.position, vector = null
			from (select entry, row_number() over (order by entry) - 1 as position ${chosen}) as placed
			where embeddings.entry = placed.entry and changes() > 0`,
			...values,
		),
	];
	const [made]: Outcome[] = await sql.write(unit);
	return (made?.changes ?? 0) > 0;
}

const joinVectors = ({ dialect }: Sql, order = ""): string =>
	dialect === "postgres"
		? `string_agg(vector, cast('' as bytea) ${order})`
		: `cast(group_concat(vector, '' ${order}) as blob)`;

const filterValues = ({ only, except }: TypeFilter): (string | null)[] => [
	only === undefined ? null : JSON.stringify(only),
	except === undefined ? null : JSON.stringify(except),
];
