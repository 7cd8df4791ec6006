import { postgresStatement, type Statement } from "@tripline/platform/sql";
import { type DailyLimits, MIN_SHARE, MIN_SHARE_COUNT } from "../../domain/execution-log.ts";

const COUNTER = "execution_log_usage";

/** Adds to the counter with a key: the day's, or a namespace's, whose name follows after a space. */
const ADD_COUNT = `create function add_record_count(counter_key text, page text, owner text, added bigint, at bigint)
	returns void language sql
	as $$ insert into entries
		(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
	values (cast(gen_random_uuid() as text), '${COUNTER}', owner, page, '',
		cast(json_build_object('count', added) as text), at, at, counter_key)
	on conflict (upsert_key) where upsert_key is not null do update set updated_at = excluded.updated_at, metadata_json =
		cast(json_build_object('count', cast(entries.metadata_json ->> '$.count' as bigint) + added) as text) $$`;

const READ_COUNT = `create function read_record_count(counter_key text) returns bigint language sql stable
	as $$ select coalesce(
		(select cast(metadata_json ->> '$.count' as bigint) from entries where upsert_key = counter_key), 0) $$`;

/** Writes the records that the limits allow, each checked against the counts left by its predecessors, and counts them. */
const APPEND = `create function append_records(records text, counter_key text, day text, store_owner text, at bigint,
	total bigint, successes bigint, successes_over_share bigint, is_shared boolean) returns bigint language plpgsql as $$
declare
	given text;
	owner text;
	own bigint;
	is_over boolean;
	written bigint := 0;
	counted bigint := read_record_count(counter_key);
	namespaces bigint := (select count(*) from (select 1 from entries
		where upsert_key > counter_key || ' ' and upsert_key < counter_key || '!' limit total / ${MIN_SHARE} + 1) as few);
	before jsonb := '{}';
	added jsonb := '{}';
begin
	for given in select value from json_elements(records) loop
		owner := given ->> 1;
		if is_shared and not before ? owner then
			before := before || jsonb_build_object(owner, read_record_count(counter_key || ' ' || owner));
		end if;
		own := coalesce(cast(before ->> owner as bigint), 0) + coalesce(cast(added ->> owner as bigint), 0);
		is_over := is_shared and own >= greatest(${MIN_SHARE}, cast(total as double precision)
			/ greatest(${MIN_SHARE_COUNT}, namespaces));
		continue when counted > case
			when given ->> 4 = '1' then case when is_over then successes else total end
			else case when is_over then successes_over_share else successes end end;
		insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, webhook, updated_at)
		values (given ->> 0, 'execution_log', owner, given ->> 2, '', given ->> 5, cast(given ->> 3 as bigint),
			cast(given ->> 6 as bigint), at)
		on conflict (id) do nothing;
		continue when not found;
		written := written + 1;
		counted := counted + 1;
		if is_shared then
			if own = 0 then namespaces := namespaces + 1; end if;
			added := added || jsonb_build_object(owner, coalesce(cast(added ->> owner as bigint), 0) + 1);
		end if;
	end loop;
	if written = 0 then return 0; end if;
	perform add_record_count(counter_key, day, store_owner, written, at);
	for owner in select jsonb_object_keys(added) loop
		perform add_record_count(counter_key || ' ' || owner, day || ' ' || owner, store_owner,
			cast(added ->> owner as bigint), at);
	end loop;
	return written;
end $$`;

export const EXECUTION_LOG_FUNCTIONS: readonly string[] = [ADD_COUNT, READ_COUNT, APPEND];

export const appendRecords = (batch: {
	/** As JSON, in the order of the columns that the function reads. */
	readonly rows: string;
	readonly counterKey: string;
	readonly day: string;
	readonly storeOwner: string;
	readonly now: number;
	readonly limits: DailyLimits;
}): Statement => {
	const { total, successes, successesOverShare, isShared } = batch.limits;
	return postgresStatement(
		"select append_records(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 = 1) as recorded",
		batch.rows,
		batch.counterKey,
		batch.day,
		batch.storeOwner,
		Math.floor(batch.now / 1000),
		total,
		successes,
		successesOverShare,
		isShared ? 1 : 0,
	);
};
