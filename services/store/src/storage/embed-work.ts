import { type Sql, type SqlValue, statement } from "@tripline/platform/sql";

/** The settings that vectors were made with. A change starts a new generation; only vectors of one are compared. */
export interface Generation {
	readonly id: number;
	readonly provider: string;
	readonly model: string;
	/** Null until the first vector is known. */
	readonly dimensions: number | null;
	/** The external index that also holds the vectors; empty for none. */
	readonly vector_index: string;
	/** Entries up to this one have left earlier generations; null means all have. */
	readonly swept_to: number | null;
}

export type GenerationKind = Pick<Generation, "provider" | "model" | "dimensions" | "vector_index">;

/** A text claimed for embedding until `due_at`. */
export interface ClaimedText {
	readonly entry: number;
	/** A result is stored only if this is still the text's revision. */
	readonly revision: number;
	/** When the claim expires; it also identifies the claim. */
	readonly due_at: number;
	readonly attempts: number;
	readonly owner_id: string;
	readonly entry_type: string;
	/** Hash and generation of the text behind the current vector. */
	readonly text_hash: string | null;
	readonly generation: number | null;
	readonly page_name: string;
	readonly content: string;
}

export interface MadeVector {
	readonly text: ClaimedText;
	readonly text_hash: string;
	/** Null if the text has no vector. */
	readonly vector: Uint8Array | null;
}

export interface FailedText {
	readonly text: Claim;
	/** Unix seconds of the next attempt. */
	readonly retryAt: number;
	readonly error: string;
}

type Claim = Pick<ClaimedText, "entry" | "revision" | "due_at">;

export interface EmbedCounts {
	readonly pending: number;
	readonly done: number;
	readonly failed: number;
	readonly last_error: { readonly message: string; readonly time: number } | null;
}

const ROWS_PER_SWEEP = 500;
const BLOCKS_PER_SWEEP = 32;

const CURRENT = "(select max(id) from embed_generations)";

/** The embedding queue: pending texts, claims and results. */
export function embedWork(sql: Sql) {
	return {
		async generation(): Promise<Generation | null> {
			const rows = await sql.read<Generation>(
				statement("select * from embed_generations order by id desc limit 1"),
			);
			return rows[0] ?? null;
		},

		/** Starts a generation unless the newest is already of that kind. */
		async beginGeneration(kind: GenerationKind): Promise<void> {
			await sql.write([
				statement(
					`insert into embed_generations (provider, model, dimensions, vector_index, swept_to)
					select ?1, ?2, ?3, ?4, 0 where not exists (
						select 1 from embed_generations where id = ${CURRENT}
							and provider = ?1 and model = ?2 and vector_index = ?4 and (?3 is null or dimensions is not distinct from ?3)
					)`,
					kind.provider,
					kind.model,
					kind.dimensions,
					kind.vector_index,
				),
			]);
		},

		async learnDimensions(generation: number, dimensions: number): Promise<void> {
			await sql.write([
				statement(
					"update embed_generations set dimensions = ?2 where id = ?1 and dimensions is null",
					generation,
					dimensions,
				),
			]);
		},

		/**
		 * One step of leaving earlier generations: deletes their blocks, then marks a number of entries for embedding.
		 * Blocks go first, because a position in a deleted block needs no clearing.
		 */
		async sweep(generation: number, now: number): Promise<void> {
			const [blocks] = await sql.write([
				statement(
					`delete from vector_blocks where id in (
						select id from vector_blocks where generation <> ?1 limit ${BLOCKS_PER_SWEEP}
					)`,
					generation,
				),
			]);
			if ((blocks?.changes ?? 0) > 0) return;
			const next = `select entry from embeddings
				where entry > (select swept_to from embed_generations where id = ?1) order by entry limit ${ROWS_PER_SWEEP}`;
			await sql.write([
				statement(
					`update embeddings set
						revision = revision + 1, due_at = ?2, attempts = 0, error = null, failed_at = null, text_hash = null,
						generation = null, vector = null, visible_at = null, block = null, position = null
					where entry in (${next}) and generation <> ?1`,
					generation,
					now,
				),
				statement(
					`update embed_generations set swept_to = (select max(entry) from (${next}) as swept) where id = ?1`,
					generation,
				),
			]);
		},

		/** Claims due texts; no other caller gets them before `until`. */
		async claim(claim: {
			readonly now: number;
			readonly until: number;
			readonly limit: number;
			readonly maxCharacters: number;
		}): Promise<ClaimedText[]> {
			const [outcome] = await sql.write([
				statement(
					`update embeddings set due_at = ?2
					where entry in (select entry from embeddings where due_at <= ?1 order by due_at, entry limit +?3)
					returning entry, revision, due_at, attempts, owner_id, entry_type, text_hash, generation,
						(select page_name from entries where seq = entry) as page_name,
						(select substr(content, 1, ?4) from entries where seq = entry) as content`,
					claim.now,
					claim.until,
					claim.limit,
					claim.maxCharacters,
				),
			]);
			return (outcome?.rows ?? []) as unknown as ClaimedText[];
		},

		/** Stores vectors whose texts have not changed since, and clears their pending mark in the same write. */
		async storeVectors(made: {
			readonly generation: number;
			readonly dimensions: number;
			readonly vectors: readonly MadeVector[];
			/** Null if they have yet to be sent to the external index. */
			readonly visibleAt: number | null;
		}): Promise<void> {
			const vectors = JSON.stringify(
				made.vectors.map(({ text, text_hash, vector }) => ({
					entry: text.entry,
					revision: text.revision,
					text_hash,
					vector: vector && toHex(vector),
				})),
			);
			const unchanged = `embeddings.entry = cast(made.value ->> 'entry' as integer)
				and revision = cast(made.value ->> 'revision' as integer)
				and due_at is not null and ?2 = ${CURRENT}
				and ?3 = (select dimensions from embed_generations where id = ?2)`;
			await sql.write([
				statement(
					`update embeddings set block = null, position = null from json_each(?1) as made
					where ${unchanged} and block is not null`,
					vectors,
					made.generation,
					made.dimensions,
				),
				statement(
					`update embeddings set
						vector = unhex(made.value ->> 'vector'), text_hash = made.value ->> 'text_hash', generation = ?2,
						visible_at = ?4, due_at = null, attempts = 0, error = null, failed_at = null,
						external_id = case when ?4 is null then (select id from entries where seq = entry) else external_id end
					from json_each(?1) as made where ${unchanged}`,
					vectors,
					made.generation,
					made.dimensions,
					made.visibleAt,
				),
			]);
		},

		/** Clears the pending mark of texts whose current vector is still right. */
		async confirm(texts: readonly Claim[]): Promise<void> {
			await updateUnchanged(
				sql,
				texts.map(toClaim),
				"due_at = null, attempts = 0, error = null, failed_at = null",
				"due_at is not null",
			);
		},

		/** Returns untried texts to the queue. */
		async release(texts: readonly Claim[], now: number): Promise<void> {
			await updateUnchanged(sql, texts.map(toClaim), "due_at = ?2", STILL_CLAIMED, now);
		},

		async recordFailures(texts: readonly FailedText[], now: number): Promise<void> {
			await updateUnchanged(
				sql,
				texts.map(({ text, retryAt, error }) => ({ ...toClaim(text), retryAt, error })),
				"due_at = cast(given.value ->> 'retryAt' as integer), error = given.value ->> 'error', attempts = attempts + 1, failed_at = ?2",
				STILL_CLAIMED,
				now,
			);
		},

		async countTexts(): Promise<EmbedCounts> {
			const [row] = await sql.read<{ pending: number; failed: number; total: number }>(
				statement(
					`select count(*) filter (where error is null) as pending, count(error) as failed,
						(select count(*) from embeddings) as total
					from embeddings where due_at is not null`,
				),
			);
			const [last] = await sql.read<{ error: string; failed_at: number }>(
				statement(
					`select error, failed_at from embeddings where due_at is not null and error is not null
					order by failed_at desc, entry desc limit 1`,
				),
			);
			const { pending = 0, failed = 0, total = 0 } = row ?? {};
			return {
				pending,
				failed,
				done: total - pending - failed,
				last_error: last === undefined ? null : { message: last.error, time: last.failed_at },
			};
		},
	};
}

/** Skips texts whose revision differs, because they have changed in the meantime. */
export async function updateUnchanged(
	sql: Sql,
	given: readonly { readonly entry: number; readonly revision: number }[],
	assignments: string,
	condition: string,
	...values: SqlValue[]
): Promise<void> {
	if (given.length === 0) return;
	await sql.write([
		statement(
			`update embeddings set ${assignments} from json_each(?1) as given
			where embeddings.entry = cast(given.value ->> 'entry' as integer)
				and revision = cast(given.value ->> 'revision' as integer) and ${condition}`,
			JSON.stringify(given),
			...values,
		),
	]);
}

/** An expired claim may belong to another process by now, so only the current claim may be updated. */
const STILL_CLAIMED = "due_at = cast(given.value ->> 'due_at' as integer)";

const toClaim = ({ entry, revision, due_at }: Claim): Claim => ({ entry, revision, due_at });

function toHex(bytes: Uint8Array): string {
	let hex = "";
	for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
	return hex;
}
