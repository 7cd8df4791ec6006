import { type Sql, type Statement, statement } from "@tripline/platform/sql";
import type { NewEntity, NewTriplet, SourceOfCandidates } from "../domain/triplets.ts";
import { indexRetired, indexUpserted } from "./search.ts";

export interface NewVersion {
	readonly owner: string;
	readonly source: SourceOfCandidates;
	readonly triplets: readonly (NewTriplet & { readonly id: string })[];
	readonly entities: readonly (NewEntity & { readonly id: string })[];
	/** What to deprecate from other versions of the source: everything, or only this subject and predicate. */
	readonly retires: "source" | Pick<NewTriplet, "subject" | "predicate">;
	readonly templates: { readonly triplet: string; readonly entity: string };
	readonly now: number;
}

export interface WrittenVersion {
	/** The id of the active triplet by key, whether this call created it or found it. */
	readonly ids: ReadonlyMap<string, string>;
	readonly deprecated: readonly {
		readonly id: string;
		readonly superseded_by: string | null;
	}[];
}

export function tripletStorage(sql: Sql) {
	return {
		/**
		 * Appends, then deprecates, so that there is always an active triplet. This is one unit of work; if it were ever
		 * interrupted in between, a repeated call would append nothing and finish the deprecation.
		 */
		async ingest(given: NewVersion): Promise<WrittenVersion> {
			const version = shortenKeys(sql, given);
			const candidates = JSON.stringify(version.triplets);
			const outcomes = await sql.write([
				appendEntities(version),
				appendEntries(version, candidates),
				appendSources(version, candidates),
				appendLookups(version, candidates),
				deprecateEntries(version),
				deprecateLookups(version),
				...indexUpserted(listIndexables(version)),
				statement(
					"select id, upsert_key from entries where upsert_key in (select value ->> 'key' from json_each(?1))",
					candidates,
				),
			]);
			const deprecated = (outcomes[DEPRECATION_POSITION]?.rows ?? []) as unknown as DeprecatedRow[];
			// The deprecated texts are known only now. If this write is lost, they are merely missing from text search.
			if (deprecated.length > 0) await sql.write(indexRetired(deprecated.map(toRetired(version.owner))));
			const ids = new Map(outcomes.at(-1)?.rows.map((row) => [String(row.upsert_key), String(row.id)]));
			const written = given.triplets.map(
				({ key }, nth) => [key, ids.get(version.triplets[nth]?.key ?? "")] as const,
			);
			return {
				ids: new Map(written.flatMap(([key, id]) => (id === undefined ? [] : [[key, id]]))),
				deprecated,
			};
		},
	};
}

/** Keys and lookups as the database can index them. The texts themselves stay as they are. */
function shortenKeys({ shortenKey }: Sql, version: NewVersion): IndexedVersion {
	if (shortenKey === undefined) return { ...version, lookupUri: version.source.uri };
	const { retires } = version;
	return {
		...version,
		triplets: version.triplets.map((triplet) => ({
			...triplet,
			key: shortenKey(triplet.key),
			subject: shortenKey(triplet.subject),
			predicate: shortenKey(triplet.predicate),
			object: shortenKey(triplet.object),
		})),
		entities: version.entities.map((entity) => ({ ...entity, key: shortenKey(entity.key) })),
		retires:
			retires === "source"
				? retires
				: { subject: shortenKey(retires.subject), predicate: shortenKey(retires.predicate) },
		lookupUri: shortenKey(version.source.uri),
	};
}

interface IndexedVersion extends NewVersion {
	/** The source's URI as the lookups have it. */
	readonly lookupUri: string;
}

interface DeprecatedRow {
	readonly id: string;
	readonly superseded_by: string | null;
	readonly seq: number;
	readonly page_name: string;
	readonly content: string;
}

/** The position of `deprecateEntries` in the unit of work. */
const DEPRECATION_POSITION = 4;

const toRetired = (owner_id: string) => (row: DeprecatedRow) => ({ ...row, owner_id, entry_type: "triplet" });

/** The texts to index: the statements, and the nodes with their glosses. */
const listIndexables = ({ owner, triplets, entities }: NewVersion) => [
	...triplets.map(({ key, text, stored }) => ({
		key,
		owner_id: owner,
		entry_type: "triplet",
		page_name: stored.subject,
		content: text,
	})),
	...entities.map(({ key, name, gloss }) => ({
		key,
		owner_id: owner,
		entry_type: "entity",
		page_name: name,
		content: gloss,
	})),
];

export type TripletStorage = ReturnType<typeof tripletStorage>;

/** An unchanged gloss is not written again. */
function appendEntities({ owner, entities, templates, now }: NewVersion): Statement {
	return statement(
		`insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id)
		select value ->> 'id', 'entity', ?1, value ->> 'name', value ->> 'gloss',
			json_object('name', value ->> 'name', 'gloss', value ->> 'gloss'), ?3, ?3, value ->> 'key', ?4
		from json_each(?2) where true
		on conflict (upsert_key) where upsert_key is not null do update set
			content = excluded.content, metadata_json = excluded.metadata_json, updated_at = excluded.updated_at
		where entries.content <> excluded.content`,
		owner,
		JSON.stringify(entities),
		now,
		templates.entity,
	);
}

/** The key is unique among active triplets, so parallel ingests of a candidate leave one triplet. */
function appendEntries({ owner, templates, now }: NewVersion, candidates: string): Statement {
	return statement(
		`insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key, template_id)
		select value ->> 'id', 'triplet', ?1, value ->> '$.stored.subject', value ->> 'text', value ->> 'stored',
			?3, ?3, value ->> 'key', ?4
		from json_each(?2) where true
		on conflict (upsert_key) where upsert_key is not null do nothing`,
		owner,
		candidates,
		now,
		templates.triplet,
	);
}

function appendSources({ owner, source }: NewVersion, candidates: string): Statement {
	return statement(
		`insert into sources (owner_id, uri, hash, anchor, block_id)
		select distinct ?1, ?3, ?4, ${ANCHOR}, ${BLOCK} from json_each(?2) where true
		on conflict do nothing`,
		owner,
		candidates,
		source.uri,
		source.hash,
	);
}

function appendLookups({ owner, source, lookupUri }: IndexedVersion, candidates: string): Statement {
	return statement(
		`insert into triplets (seq, owner_id, subject, predicate, object, uri, source, active)
		select entries.seq, ?1, value ->> 'subject', value ->> 'predicate', value ->> 'object', ?5, sources.id, 1
		from json_each(?2)
		cross join entries on entries.id = value ->> 'id'
		cross join sources on sources.owner_id = ?1 and uri = ?3 and hash = ?4 and anchor = ${ANCHOR} and block_id = ${BLOCK}`,
		owner,
		candidates,
		source.uri,
		source.hash,
		lookupUri,
	);
}

const ANCHOR = "coalesce(value ->> '$.stored.source_anchor', '')";
const BLOCK = "coalesce(value ->> '$.stored.block_id', '')";

/** Of several replacements, the one with the same object is recorded, else the first. */
function deprecateEntries(version: IndexedVersion): Statement {
	const selectReplacement = (more: string) => `(
		select newer.id from triplets as fresh indexed by triplets_subject
		cross join entries as newer on newer.seq = fresh.seq
		where fresh.owner_id = ?1 and fresh.subject = stale.subject and fresh.active = 1
			and fresh.predicate = stale.predicate and fresh.uri = ?2 and ${selectHash("fresh")} = ?3 ${more}
		order by fresh.seq limit 1
	)`;
	return {
		text: `update entries set
				metadata_json = json_set(metadata_json, '$.status', 'deprecated', '$.superseded_by',
					coalesce(${selectReplacement("and fresh.object = stale.object")}, ${selectReplacement("")})),
				upsert_key = null,
				updated_at = ?4
			from triplets as stale
			where stale.seq = entries.seq and ${buildStaleTerms(version)}
			returning id, entries.seq, page_name, content,
				json_extract(metadata_json, '$.superseded_by') as superseded_by`,
		values: listStaleValues(version),
	};
}

function deprecateLookups(version: IndexedVersion): Statement {
	// The time is used in both statements, so that they can share their bound values.
	return {
		text: `update triplets as stale set active = 0 where ${buildStaleTerms(version)} and ?4 is not null`,
		values: listStaleValues(version),
	};
}

/** Active triplets from other versions of the source. */
const buildStaleTerms = ({ retires }: NewVersion): string =>
	`stale.owner_id = ?1 and stale.uri = ?2 and stale.active = 1 and ${selectHash("stale")} <> ?3${
		retires === "source" ? "" : " and stale.subject = ?5 and stale.predicate = ?6"
	}`;

const selectHash = (triplet: string): string => `(select hash from sources where id = ${triplet}.source)`;

const listStaleValues = ({ owner, source, lookupUri, now, retires }: IndexedVersion) => [
	owner,
	lookupUri,
	source.hash,
	now,
	...(retires === "source" ? [] : [retires.subject, retires.predicate]),
];
