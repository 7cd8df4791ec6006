import type { Migration } from "@tripline/platform/migrations";

/** Spares most metadata the parser. */
const mentionsEmbed = (row: string): string => `instr(${row}metadata_json, 'embed"') > 0`;

/** Truthy as in JavaScript. */
const hasEmbed = (row: string): string =>
	`${mentionsEmbed(row)} and coalesce(json_extract(${row}metadata_json, '$.embed'), 0) not in (0, '')`;

/** A record's slots are its own, and an execution record is never in the index. */
const wantsEmbedding = (row: string): string =>
	`${row}template_id is null and ${row}entry_type <> 'execution_log' and ${hasEmbed(row)}`;

/** Not from 1: a new entry may get the place of a deleted one, and must not be taken for it. */
const REVISION = "abs(random() % 1000000000000)";

/** A vector's bytes in its block; all zeroes are close to nothing. */
const CLEAR_PLACE = `update vector_blocks set live = live - 1, vectors = cast(
		substr(vectors, 1, old.position * stride) || zeroblob(stride) || substr(vectors, (old.position + 1) * stride + 1)
	as blob) where id = old.block; delete from vector_blocks where id = old.block and live = 0;`;

/**
 * The mark that an entry is to be embedded is made by a trigger, so that no way of writing an entry can miss it, and it
 * is there or not with the entry. Deleting an entry takes its vector along in the same way.
 *
 * A vector stands in its own row until there are enough of its owner and type to fill a block; a search reads blocks.
 */
export const vectors: Migration = {
	version: 4,
	name: "vectors",
	statements: [
		`create table embed_generations (
	id integer primary key autoincrement,
	provider text not null,
	model text not null,
	dimensions integer,
	vector_index text not null,
	swept_to integer
) strict`,
		`create table embeddings (
	entry integer primary key references entries (seq) on delete cascade,
	owner_id text not null,
	entry_type text not null,
	revision integer not null,
	due_at integer,
	attempts integer not null default 0,
	error text,
	failed_at integer,
	text_hash text,
	generation integer,
	vector blob,
	visible_at integer,
	block integer,
	position integer,
	external_id text
) strict`,
		"create index embeddings_due on embeddings (due_at) where due_at is not null",
		"create index embeddings_loose on embeddings (owner_id, visible_at) where vector is not null",
		"create index embeddings_unsent on embeddings (entry) where vector is not null and visible_at is null",
		"create index embeddings_place on embeddings (block, position) where block is not null",
		`create table vector_blocks (
	id integer primary key autoincrement,
	owner_id text not null,
	entry_type text not null,
	generation integer not null,
	stride integer not null,
	capacity integer not null,
	live integer not null,
	vectors blob not null
) strict`,
		"create index vector_blocks_owner on vector_blocks (owner_id, generation)",
		"create index vector_blocks_sparse on vector_blocks (id) where live < capacity / 2",
		"create table vector_removals (external_id text primary key) strict, without rowid",
		`create trigger entries_embed_new after insert on entries
	when ${wantsEmbedding("new.")} begin
	insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	values (new.seq, new.owner_id, new.entry_type, ${REVISION}, new.updated_at); end`,
		`create trigger entries_embed_changed after update of content, metadata_json on entries
	when ${wantsEmbedding("new.")} begin
	insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	values (new.seq, new.owner_id, new.entry_type, ${REVISION}, new.updated_at)
	on conflict (entry) do update set
		revision = revision + 1, due_at = excluded.due_at, attempts = 0, error = null, failed_at = null
	where new.content is not old.content; end`,
		`create trigger entries_embed_lost after update of metadata_json on entries
	when ${mentionsEmbed("old.")} and not (${hasEmbed("new.")}) begin
	delete from embeddings where entry = new.seq; end`,
		`create trigger embeddings_left_block after update of block on embeddings
	when old.block is not null and new.block is null and new.vector is null begin
	${CLEAR_PLACE} end`,
		`create trigger embeddings_deleted_placed after delete on embeddings when old.block is not null begin
	${CLEAR_PLACE} end`,
		`create trigger embeddings_deleted_sent after delete on embeddings when old.external_id is not null begin
	insert into vector_removals (external_id) values (old.external_id) on conflict do nothing; end`,
		`insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	select seq, owner_id, entry_type, ${REVISION}, updated_at from entries
	where ${wantsEmbedding("")}`,
	],
};
