create table if not exists migrations (version integer primary key, name text not null) strict;

create table embed_generations (
	id integer primary key autoincrement,
	provider text not null,
	model text not null,
	dimensions integer,
	vector_index text not null,
	swept_to integer
) strict;

create table embeddings (
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
) strict;

create index embeddings_due on embeddings (due_at) where due_at is not null;

create index embeddings_loose on embeddings (owner_id, visible_at) where vector is not null;

create index embeddings_unsent on embeddings (entry) where vector is not null and visible_at is null;

create index embeddings_place on embeddings (block, position) where block is not null;

create table vector_blocks (
	id integer primary key autoincrement,
	owner_id text not null,
	entry_type text not null,
	generation integer not null,
	stride integer not null,
	capacity integer not null,
	live integer not null,
	vectors blob not null
) strict;

create index vector_blocks_owner on vector_blocks (owner_id, generation);

create index vector_blocks_sparse on vector_blocks (id) where live < capacity / 2;

create table vector_removals (external_id text primary key) strict, without rowid;

create trigger entries_embed_new after insert on entries
	when new.template_id is null and new.entry_type <> 'execution_log' and instr(new.metadata_json, 'embed"') > 0 and coalesce(json_extract(new.metadata_json, '$.embed'), 0) not in (0, '') begin
	insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	values (new.seq, new.owner_id, new.entry_type, abs(random() % 1000000000000), new.updated_at); end;

create trigger entries_embed_changed after update of content, metadata_json on entries
	when new.template_id is null and new.entry_type <> 'execution_log' and instr(new.metadata_json, 'embed"') > 0 and coalesce(json_extract(new.metadata_json, '$.embed'), 0) not in (0, '') begin
	insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	values (new.seq, new.owner_id, new.entry_type, abs(random() % 1000000000000), new.updated_at)
	on conflict (entry) do update set
		revision = revision + 1, due_at = excluded.due_at, attempts = 0, error = null, failed_at = null
	where new.content is not old.content; end;

create trigger entries_embed_lost after update of metadata_json on entries
	when instr(old.metadata_json, 'embed"') > 0 and not (instr(new.metadata_json, 'embed"') > 0 and coalesce(json_extract(new.metadata_json, '$.embed'), 0) not in (0, '')) begin
	delete from embeddings where entry = new.seq; end;

create trigger embeddings_left_block after update of block on embeddings
	when old.block is not null and new.block is null and new.vector is null begin
	update vector_blocks set live = live - 1, vectors = cast(
		substr(vectors, 1, old.position * stride) || zeroblob(stride) || substr(vectors, (old.position + 1) * stride + 1)
	as blob) where id = old.block; delete from vector_blocks where id = old.block and live = 0; end;

create trigger embeddings_deleted_placed after delete on embeddings when old.block is not null begin
	update vector_blocks set live = live - 1, vectors = cast(
		substr(vectors, 1, old.position * stride) || zeroblob(stride) || substr(vectors, (old.position + 1) * stride + 1)
	as blob) where id = old.block; delete from vector_blocks where id = old.block and live = 0; end;

create trigger embeddings_deleted_sent after delete on embeddings when old.external_id is not null begin
	insert into vector_removals (external_id) values (old.external_id) on conflict do nothing; end;

insert into embeddings (entry, owner_id, entry_type, revision, due_at)
	select seq, owner_id, entry_type, abs(random() % 1000000000000), updated_at from entries
	where template_id is null and entry_type <> 'execution_log' and instr(metadata_json, 'embed"') > 0 and coalesce(json_extract(metadata_json, '$.embed'), 0) not in (0, '');

insert into migrations (version, name) values (4, 'vectors');
