import type { Triplet } from "@tripline/contract/triplets";
import { type Sql, type SqlValue, statement } from "@tripline/platform/sql";
import { buildEntityKey, toTriplet } from "../domain/triplets.ts";

/** Which triplets a query sees; every graph query filters by status through it. */
export interface GraphView {
	readonly owner: string;
	readonly includeDeprecated: boolean;
}

export interface Edge {
	readonly direction: "out" | "in";
	readonly triplet: Triplet;
}

export interface SourcePointer {
	readonly uri: string;
	readonly anchor: string | null;
	readonly block_id: string | null;
	readonly content_hash: string;
}

const MAX_SOURCES = 1000;
const MAX_HISTORY_TRIPLETS = 200;

const TRIPLET = "entries.id, entries.owner_id, metadata_json, created_at, updated_at";

type TripletRow = Parameters<typeof toTriplet>[0];

export function graphStorage(sql: Sql) {
	const toLookup = (name: string): string => sql.shortenKey?.(name) ?? name;
	return {
		/**
		 * The edges at these nodes in one statement, at most `limit` in each direction. The lookup table is read through
		 * covering indexes only.
		 */
		async listEdges(
			view: GraphView,
			at: {
				readonly names: readonly string[];
				readonly direction: "out" | "in" | "both";
				readonly predicate: string | undefined;
				readonly limit: number;
			},
		): Promise<Edge[]> {
			const values: SqlValue[] = [view.owner, JSON.stringify(at.names.map(toLookup)), at.limit];
			const predicate =
				at.predicate === undefined ? "" : `and predicate = ?${values.push(toLookup(at.predicate))}`;
			const branch = (direction: "out" | "in") => `select * from (
				select '${direction}' as direction, ${TRIPLET}
				from json_each(?2)
				cross join triplets on triplets.owner_id = ?1 and ${END[direction]} = value and ${buildActiveTerm(view)} ${predicate}
				cross join entries on entries.seq = triplets.seq
				limit +?3
			) as edges`;
			const branches = at.direction === "both" ? [branch("out"), branch("in")] : [branch(at.direction)];
			const rows = await sql.read<TripletRow & Omit<Edge, "triplet">>({
				text: branches.join(" union all "),
				values,
			});
			return rows.map((row) => ({ direction: row.direction, triplet: toTriplet(row) }));
		},

		/** The triplets at these positions of the search index, in that order; deprecated ones have negative positions. */
		async listAtPlaces(
			owner: string,
			places: readonly number[],
			predicate: string | undefined,
		): Promise<readonly (Triplet & { readonly place: number })[]> {
			const rows = await sql.read<TripletRow & { place: number }>(
				statement(
					`select cast(place.value as integer) as place, ${TRIPLET} from json_each(?2) as place
					cross join triplets on triplets.seq = abs(cast(place.value as integer))
					cross join entries on entries.seq = triplets.seq
					where triplets.owner_id = ?1 and (?3 is null or predicate = ?3)
					order by place.key`,
					owner,
					JSON.stringify(places),
					predicate === undefined ? null : toLookup(predicate),
				),
			);
			return rows.map((row) => ({ ...toTriplet(row), place: row.place }));
		},

		/** Glosses by folded node name; a node without a gloss is absent. */
		async readGlosses(owner: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
			const keys = names.map((name) => toLookup(buildEntityKey(owner, name)));
			const rows = await sql.read<{ upsert_key: string; content: string }>(
				statement(
					`select upsert_key, content from entries indexed by entries_entities
					where entry_type = 'entity' and upsert_key in (select value from json_each(?1))`,
					JSON.stringify(keys),
				),
			);
			const byKey = new Map(rows.map((row) => [row.upsert_key, row.content]));
			return new Map(
				names.flatMap((name, index) => {
					const gloss = byKey.get(keys[index] as string);
					return gloss === undefined ? [] : [[name, gloss] as const];
				}),
			);
		},

		/** The sources of a node's triplets, each pointer once, newest first. */
		listSources: (view: GraphView, name: string) =>
			sql.read<SourcePointer>(
				statement(
					`select uri, nullif(anchor, '') as anchor, nullif(block_id, '') as block_id, hash as content_hash
					from sources where id in (
						select source from triplets where owner_id = ?1 and subject = ?2 and ${buildActiveTerm(view)}
						union
						select source from triplets where owner_id = ?1 and object = ?2 and ${buildActiveTerm(view)}
					)
					order by id desc limit ${MAX_SOURCES}`,
					view.owner,
					toLookup(name),
				),
			),

		/** All triplets, active or deprecated, of a subject and predicate, newest first. */
		async listHistory(owner: string, subject: string, predicate: string): Promise<Triplet[]> {
			const rows = await sql.read<TripletRow>(
				statement(
					`select ${TRIPLET} from triplets cross join entries on entries.seq = triplets.seq
					where triplets.owner_id = ?1 and subject = ?2 and active in (0, 1) and predicate = ?3
					order by triplets.seq desc limit ${MAX_HISTORY_TRIPLETS}`,
					owner,
					toLookup(subject),
					toLookup(predicate),
				),
			);
			return rows.map(toTriplet);
		},
	};
}

export type GraphStorage = ReturnType<typeof graphStorage>;

const END = { out: "subject", in: "object" } as const;

/** Lists both values instead of omitting the condition, so that the index still covers the predicate. */
const buildActiveTerm = (view: GraphView): string => `active in (${view.includeDeprecated ? "0, 1" : "1"})`;
