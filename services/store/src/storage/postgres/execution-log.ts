import { postgresStatement, type Statement } from "@tripline/platform/sql";
import { type DailyLimits, MIN_SHARE, MIN_SHARE_COUNT } from "../../domain/execution-log.ts";

const COUNTER = "execution_log_usage";

/**
 * Adds to the counter with a key: the day's, or a namespace's, whose name follows after a space. An update of its own costs
 * less than an insertion that finds a conflict.
 */
const ADD_COUNT = `create function add_record_count(counter_key text, page text, owner text, added bigint, at bigint)
	returns void language plpgsql as $$
begin
	update entries set updated_at = at, metadata_json =
		cast(json_build_object('count', cast(metadata_json ->> '$.count' as bigint) + added) as text)
	where upsert_key = counter_key;
	if found then return; end if;
	insert into entries
		(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
	values (cast(gen_random_uuid() as text), '${COUNTER}', owner, page, '',
		cast(json_build_object('count', added) as text), at, at, counter_key);
end $$`;

const READ_COUNT = `create function read_record_count(counter_key text) returns bigint language plpgsql stable as $$
begin
	return coalesce((select cast(metadata_json ->> '$.count' as bigint) from entries where upsert_key = counter_key), 0);
end $$`;

const insertRecord = (record: string): string => `insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, webhook, updated_at)
		select ${record} ->> 0, 'execution_log', ${record} ->> 1, ${record} ->> 2, '', ${record} ->> 5,
			cast(${record} ->> 3 as bigint), cast(${record} ->> 6 as bigint), at`;

/**
 * Writes the records that the limits allow, and counts them. If even the last stays below every limit, all are written by
 * one statement, because its preparation costs more than a row. Otherwise each is checked against the counts left by its
 * predecessors.
 */
const APPEND = `create function append_records(records text, counter_key text, day text, store_owner text, at bigint,
	total bigint, successes bigint, successes_over_share bigint, is_shared boolean) returns bigint language plpgsql as $$
declare
	batch jsonb := cast(json_read(records) as jsonb);
	given jsonb;
	owner text;
	own bigint;
	is_over boolean;
	written bigint := 0;
	counted bigint := read_record_count(counter_key);
	namespaces bigint;
	before jsonb := '{}';
	added jsonb := '{}';
begin
	if counted + jsonb_array_length(batch) - 1 <= (case when is_shared then successes_over_share else successes end) then
		with inserted as (
			${insertRecord("each")} from jsonb_array_elements(batch) as each on conflict (id) do nothing returning owner_id
		)
		select coalesce(jsonb_object_agg(owner_id, count), '{}'), coalesce(sum(count), 0) into added, written
		from (select owner_id, count(*) as count from inserted group by owner_id) as owners;
	else
		namespaces := (select count(*) from (select 1 from entries
			where upsert_key > counter_key || ' ' and upsert_key < counter_key || '!' limit total / ${MIN_SHARE} + 1) as few);
		for given in select jsonb_array_elements(batch) loop
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
			${insertRecord("given")} on conflict (id) do nothing;
			continue when not found;
			written := written + 1;
			counted := counted + 1;
			if own = 0 then namespaces := namespaces + 1; end if;
			added := added || jsonb_build_object(owner, coalesce(cast(added ->> owner as bigint), 0) + 1);
		end loop;
	end if;
	if written = 0 then return 0; end if;
	perform add_record_count(counter_key, day, store_owner, written, at);
	if is_shared then
		for owner in select jsonb_object_keys(added) loop
			perform add_record_count(counter_key || ' ' || owner, day || ' ' || owner, store_owner,
				cast(added ->> owner as bigint), at);
		end loop;
	end if;
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
