/**
 * What the statements of the store call: SQLite's operators for JSON texts, and functions that the dialect of the
 * PostgreSQL adapter calls for SQLite's. Paths are a name, or names after `$.`; documents keep the order of their names.
 */
export const POSTGRES_FUNCTIONS: readonly string[] = [
	// PostgreSQL refuses to read a document that contains U+0000. It is replaced by the form that it has in texts, which no
	// document written by JavaScript contains as an escape sequence, and restored where a document is written again.
	`create function json_read(document text) returns json language sql immutable parallel safe
	return cast(case when strpos(document, '\\u0000') = 0 then document
		else regexp_replace(document, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1\\\\uf8ff0', 'g') end as json)`,
	`create function json_written(document text) returns text language sql immutable parallel safe
	return replace(document, '\\uf8ff0', '\\u0000') collate "C"`,
	`create function json_name(name text) returns text language sql immutable parallel safe
	return replace(cast(to_json(name) as text), chr(63743) || '0', '\\u0000')`,
	`create function json_names(path text) returns text[] language sql immutable parallel safe
	return case when left(path, 2) = '$.' then string_to_array(substr(path, 3), '.') else array[path] end`,
	`create function json_text_at(document text, path text) returns text language sql immutable parallel safe
	return json_extract_path_text(json_read(document), variadic json_names(path)) collate "C"`,
	`create function json_text_at(document text, place integer) returns text language sql immutable parallel safe
	return (json_read(document) ->> place) collate "C"`,
	`create function json_at(document text, path text) returns text language sql immutable parallel safe
	return json_written(cast(json_extract_path(json_read(document), variadic json_names(path)) as text))`,
	"create operator ->> (leftarg = text, rightarg = text, function = json_text_at)",
	"create operator ->> (leftarg = text, rightarg = integer, function = json_text_at)",
	"create operator -> (leftarg = text, rightarg = text, function = json_at)",
	`create function json_type(document text, path text) returns text language sql immutable parallel safe
	return case json_typeof(json_extract_path(json_read(document), variadic json_names(path)))
		when 'string' then 'text' else 'other' end`,
	`create function json_elements(list text) returns table (key bigint, value text) language sql immutable parallel safe
	begin atomic
		select place - 1, element collate "C"
		from json_array_elements_text(json_read(list)) with ordinality as elements (element, place);
	end`,
	`create function json_merge(document text, changes json) returns text language sql immutable parallel safe
	begin atomic
		select json_written('{' || coalesce(string_agg(json_name(name) || ':' || coalesce(cast(value as text), 'null'),
			',' order by place), '') || '}')
		from (
			select old.key as name, case when new.key is null then old.value else new.value end as value, old.place
			from json_each(json_read(document)) with ordinality as old (key, value, place)
			left join json_each(changes) as new (key, value) on new.key = old.key
			union all
			select new.key, new.value, 1000000 + new.place
			from json_each(changes) with ordinality as new (key, value, place)
			where not exists (select 1 from json_each(json_read(document)) as old where old.key = new.key)
		) as merged;
	end`,
	`create function json_put(document text, path text, value anyelement) returns text language sql immutable parallel safe
	as $$ select json_merge(document, json_build_object((json_names(path)) [1], value)) collate "C" $$`,
	`create function json_put(document text, path text, value text) returns text language sql immutable parallel safe
	return json_merge(document, json_build_object((json_names(path)) [1], value)) collate "C"`,
	`create function unixepoch() returns bigint language sql volatile
	return cast(floor(extract(epoch from clock_timestamp())) as bigint)`,
	`create function unixepoch(modifier text) returns double precision language sql volatile
	return extract(epoch from clock_timestamp())`,
	// The encoding of a database cannot change.
	`create function digest_text(text text) returns bytea language sql immutable parallel safe
	return sha256(convert_to(text, 'UTF8'))`,
	`create function json_patch(document text, changes text) returns text language sql immutable parallel safe
	return json_merge(document, json_read(changes)) collate "C"`,
	`create function json_remove(document text, variadic paths text[]) returns text language sql immutable parallel safe
	begin atomic
		select json_written('{' || coalesce(string_agg(json_name(key) || ':' || cast(value as text), ','
			order by place), '') || '}')
		from json_each(json_read(document)) with ordinality as old (key, value, place)
		where not exists (select 1 from unnest(paths) as path where (json_names(path)) [1] = old.key);
	end`,
];
