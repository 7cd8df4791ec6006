import type {
	AcceptedRuns,
	AcceptRuns,
	CancelAcceptedRuns,
	CancelledAcceptedRuns,
	ClaimAcceptedRun,
	ClaimedAcceptedRun,
	EndAcceptedRun,
} from "@tripline/contract/accepted-runs";
import type {
	Entry,
	EntryPage,
	EntryQuery,
	ListedEntry,
	ReplaceEntry,
	StoreUsage,
	UpsertEntry,
	UpsertedEntry,
	WriteEntry,
} from "@tripline/contract/entries";
import type {
	ExecutionPage,
	ExecutionQuery,
	ExecutionRecord,
	ExecutionReport,
	ExecutionSummary,
	LatestExecutions,
	RunsOf,
	SummaryQuery,
	WroteExecutions,
} from "@tripline/contract/execution-log";
import type {
	Belief,
	FactQuery,
	FoundTriplets,
	GraphOwner,
	GraphSearchQuery,
	NeighborQuery,
	Neighbors,
	NodeSources,
	Traversal,
	TraverseQuery,
} from "@tripline/contract/graph";
import type { VerifiedPartnerKey } from "@tripline/contract/partner-keys";
import type {
	CreateRecord,
	PatchRecord,
	RecordPage,
	RecordQuery,
	Record as StoredRecord,
} from "@tripline/contract/records";
import type {
	ReleasedRunLease,
	ReleaseRunLease,
	TakenRunLease,
	TakeRunLease,
} from "@tripline/contract/run-leases";
import type {
	ClaimedOccurrence,
	ClaimOccurrence,
	DueQuery,
	DueRuns,
	UpcomingRuns,
} from "@tripline/contract/schedules";
import type { SearchRequest, Suggestion } from "@tripline/contract/search";
import type {
	IncrementState,
	IncrementStateAnswer,
	SetState,
	SetStateAnswer,
	StateAnswer,
} from "@tripline/contract/state";
import type { EnsuredTemplate, EnsureTemplate } from "@tripline/contract/templates";
import type { Ingested, TripletCandidate } from "@tripline/contract/triplets";
import { type Answer, encodeText, orNull, type Transport } from "@tripline/web/service-call";
import type * as z from "zod";
import { type CallOptions, createCaller } from "./client/call.ts";

/** @public Callers distinguish them when catching errors. */
export { StoreRefused, StoreUnavailable } from "./client/call.ts";
export { partnerNamespaces } from "./client/partner-namespaces.ts";
export type { CallOptions, Transport };

export type StoreClient = ReturnType<typeof storeClient>;

type EntryFields = z.input<typeof WriteEntry> & { readonly owner_id: string };
type EntryChange = Omit<z.input<typeof UpsertEntry>, "if_absent"> & { readonly owner_id: string };
/** A query's fields; numbers are sent as text. */
type Query<Schema extends z.ZodType> = {
	readonly [Field in keyof z.input<Schema>]: z.input<Schema>[Field] | number;
};
type EntryFilter = Query<typeof EntryQuery>;
type Written = Pick<z.output<typeof UpsertedEntry>, "entry" | "created">;

const PAGE_SIZE = 1000;

/** The store's client for the other services. Calls return the response or throw `StoreRefused` or `StoreUnavailable`. */
export function storeClient(transport: Transport) {
	const call = createCaller(transport);

	const entries = {
		/** Creates or replaces the entry of an owner, type and page. Omitted metadata stays unchanged. */
		upsert: (entry: EntryChange, options?: CallOptions): Promise<Written> =>
			call("PUT", "/entries", isWritten, { body: entry }, options),

		/** Creates the entry unless it exists. Of parallel callers exactly one gets `created`. */
		createOnce: (entry: EntryFields, options?: CallOptions): Promise<Written> =>
			call("PUT", "/entries", isWritten, { body: { ...entry, if_absent: true } }, options),

		/** Always creates a new entry, even beside one with the same page. */
		append: (entry: EntryFields, options?: CallOptions): Promise<Pick<Written, "entry">> =>
			call("POST", "/entries", has("entry"), { body: entry }, options),

		/** The newest entry of an owner, type and page. */
		async get(
			owner_id: string,
			entry_type: string,
			page_name: string,
			options?: CallOptions,
		): Promise<ListedEntry | null> {
			const query = { owner_id, entry_type, page_name, limit: 1 };
			const page = await call<EntryPage>("GET", "/entries", isEntryPage, { query }, options);
			return page.entries[0] ?? null;
		},

		getById: (owner_id: string, id: string, options?: CallOptions): Promise<Entry | null> =>
			orNull(
				call<{ entry: Entry }>(
					"GET",
					`/entries/${encodeText(id)}`,
					has("entry"),
					{ query: { owner_id } },
					options,
				).then(({ entry }) => entry),
			),

		list: (filter: EntryFilter, options?: CallOptions): Promise<EntryPage> =>
			call("GET", "/entries", isEntryPage, { query: filter }, options),

		/** Every matching entry, newest first, fetched a page at a time. */
		async *listAll(
			filter: Omit<EntryFilter, "cursor">,
			options?: CallOptions,
		): AsyncGenerator<ListedEntry, void> {
			let cursor: string | null = null;
			do {
				const query: EntryFilter = { limit: PAGE_SIZE, ...filter, ...(cursor === null ? {} : { cursor }) };
				const page: EntryPage = await entries.list(query, options);
				yield* page.entries;
				cursor = page.next_cursor;
			} while (cursor !== null);
		},

		/** Null if no entry has that id. Type, page and omitted metadata stay unchanged. */
		replace: (
			id: string,
			entry: z.input<typeof ReplaceEntry> & { readonly owner_id: string },
			options?: CallOptions,
		): Promise<Entry | null> =>
			orNull(
				call<{ entry: Entry }>(
					"PUT",
					`/entries/${encodeText(id)}`,
					has("entry"),
					{ body: entry },
					options,
				).then(({ entry }) => entry),
			),

		/** Whether the entry existed. */
		delete: async (owner_id: string, id: string, options?: CallOptions): Promise<boolean> =>
			(await orNull(
				call("DELETE", `/entries/${encodeText(id)}`, has("deleted"), { query: { owner_id } }, options),
			)) !== null,
	};

	const executionLog = {
		/** At most 500 per call. Records that carry their ids are safe to resend. */
		append: (
			records: readonly ExecutionReport[],
			options?: CallOptions,
		): Promise<z.output<typeof WroteExecutions>> =>
			call("POST", "/execution-log", has("recorded"), { body: { records } }, options),

		list: (
			query: Query<typeof ExecutionQuery>,
			options?: CallOptions,
		): Promise<z.output<typeof ExecutionPage>> =>
			call("GET", "/execution-log", hasList("executions"), { query }, options),

		/** The latest record by workflow; without names, of every workflow of the owner. */
		async getLatest(
			owner_id: string,
			filter: { readonly workflow?: readonly string[]; readonly runs_of?: RunsOf } = {},
			options?: CallOptions,
		): Promise<z.output<typeof LatestExecutions>["latest"]> {
			const query = { owner_id, ...filter };
			const answer = await call<z.output<typeof LatestExecutions>>(
				"GET",
				"/execution-log/latest",
				has("latest"),
				{ query },
				options,
			);
			return answer.latest;
		},

		/** Runs by hour and verdict, and how much of the daily limit is used. */
		getSummary: (query: Query<typeof SummaryQuery>, options?: CallOptions): Promise<ExecutionSummary> =>
			call("GET", "/execution-log/summary", hasList("hours"), { query }, options),

		get: (owner_id: string, id: string, options?: CallOptions): Promise<ExecutionRecord | null> =>
			orNull(
				call("GET", `/execution-log/${encodeText(id)}`, has("verdict"), { query: { owner_id } }, options),
			),
	};

	const schedules = {
		/** A page of due entries, and the total number of scheduled workflows. */
		listDue: (
			filter: Pick<EntryFilter, "owner_id" | "entry_type" | "now" | "limit" | "cursor"> = {},
			options?: CallOptions,
		): Promise<EntryPage> =>
			call("GET", "/entries", isEntryPage, { query: { ...filter, cron: "due" } }, options),

		/** Due runs of all owners in round-robin order, and the total number of scheduled workflows. */
		listDueInTurns: (query: Query<typeof DueQuery>, options?: CallOptions): Promise<DueRuns> =>
			call("GET", "/schedules/due", hasList("due"), { query }, options),

		/** Soonest first. */
		listUpcoming: async (
			owner_id: string,
			limit: number,
			options?: CallOptions,
		): Promise<UpcomingRuns["upcoming"]> => {
			const query = { owner_id, limit };
			const isAnswer = hasList("upcoming");
			return (await call<UpcomingRuns>("GET", "/schedules/upcoming", isAnswer, { query }, options)).upcoming;
		},

		claim: (claim: ClaimOccurrence, options?: CallOptions): Promise<ClaimedOccurrence> =>
			call("POST", "/schedules/claim", has("claimed"), { body: claim }, options),
	};

	const acceptedRuns = {
		/** All or none; an id that is there already is not accepted again. */
		accept: (runs: AcceptRuns, options?: CallOptions): Promise<AcceptedRuns> =>
			call("POST", "/accepted-runs", hasList("accepted"), { body: runs }, options),

		/** Of those who read the same number of attempts exactly one gets `claimed`. */
		claim: (claim: ClaimAcceptedRun, options?: CallOptions): Promise<ClaimedAcceptedRun> =>
			call("POST", "/accepted-runs/claim", has("claimed"), { body: claim }, options),

		/** Ends a batch of runs that wait for a workflow, and tells whether more remain. */
		cancel: (runs: CancelAcceptedRuns, options?: CallOptions): Promise<CancelledAcceptedRuns> =>
			call("POST", "/accepted-runs/cancel", hasList("cancelled"), { body: runs }, options),

		/** False if the run had already ended. */
		end: async (run: EndAcceptedRun, options?: CallOptions): Promise<boolean> =>
			(await call<{ ended: boolean }>("POST", "/accepted-runs/end", has("ended"), { body: run }, options))
				.ended,
	};

	const records = {
		/** The template is given by name or id. */
		create: async (record: z.input<typeof CreateRecord>, options?: CallOptions): Promise<StoredRecord> =>
			(await call<{ record: StoredRecord }>("POST", "/records", has("record"), { body: record }, options))
				.record,

		/** Sets the given slots; null if no record has that id. */
		patch: (
			id: string,
			change: z.input<typeof PatchRecord>,
			options?: CallOptions,
		): Promise<StoredRecord | null> =>
			orNull(
				call<{ record: StoredRecord }>(
					"PATCH",
					`/records/${encodeText(id)}`,
					has("record"),
					{ body: change },
					options,
				).then(({ record }) => record),
			),

		list: (query: Query<typeof RecordQuery>, options?: CallOptions): Promise<z.output<typeof RecordPage>> =>
			call("GET", "/records", hasList("records"), { query }, options),

		/** Creates the template, or adds the slots that it does not have. */
		ensureTemplate: (
			template: z.input<typeof EnsureTemplate>,
			options?: CallOptions,
		): Promise<z.output<typeof EnsuredTemplate>> =>
			call("POST", "/templates", has("template"), { body: template }, options),
	};

	const state = {
		/** The value as JSON text; null if the name has none. */
		async get(owner_id: string, name: string, options?: CallOptions): Promise<string | null> {
			const query = { owner_id, name };
			const isAnswer = has("value_json");
			const answer = await call<z.output<typeof StateAnswer>>("GET", "/state", isAnswer, { query }, options);
			return answer.value_json;
		},

		set: (value: SetState, options?: CallOptions): Promise<SetStateAnswer> =>
			call("PUT", "/state", has("stored"), { body: value }, options),

		increment: (counter: IncrementState, options?: CallOptions): Promise<IncrementStateAnswer> =>
			call("POST", "/state/increment", has("value"), { body: counter }, options),
	};

	const runLeases = {
		/** Of parallel callers at most `max` get one. */
		take: (lease: TakeRunLease, options?: CallOptions): Promise<TakenRunLease> =>
			call("POST", "/run-leases", has("taken"), { body: lease }, options),

		/** Tells which accepted run should start next. */
		release: (lease: ReleaseRunLease, options?: CallOptions): Promise<ReleasedRunLease> =>
			call("POST", "/run-leases/release", has("released"), { body: lease }, options),

		/** Frees the leases of all processes but this one. */
		clear: (holder: string, options?: CallOptions): Promise<{ cleared: number }> =>
			call("POST", "/run-leases/clear", has("cleared"), { body: { holder } }, options),
	};

	return {
		entries,
		records,
		state,
		executionLog,
		schedules,
		acceptedRuns,
		runLeases,
		getUsage: (owner_id: string, options?: CallOptions): Promise<StoreUsage> =>
			call("GET", "/usage", hasList("types"), { query: { owner_id } }, options),
		partnerKeys: {
			verify: (key: string, options?: CallOptions): Promise<z.output<typeof VerifiedPartnerKey>> =>
				call("POST", "/partner-keys/verify", has("valid"), { body: { key } }, options),
		},
		async search(request: z.input<typeof SearchRequest>, options?: CallOptions): Promise<Suggestion[]> {
			const isAnswer = hasList("suggestions");
			const answer = await call<{ suggestions: Suggestion[] }>(
				"POST",
				"/search",
				isAnswer,
				{ body: request },
				options,
			);
			return answer.suggestions;
		},
		triplets: {
			ingest: (
				candidate: z.input<typeof TripletCandidate>,
				options?: CallOptions,
			): Promise<z.output<typeof Ingested>> =>
				call("POST", "/triplets/ingest", has("triplet"), { body: candidate }, options),
		},
		graph: {
			listNeighbors: (
				name: string,
				query: Query<typeof NeighborQuery> = {},
				options?: CallOptions,
			): Promise<z.output<typeof Neighbors>> =>
				call("GET", `/graph/neighbors/${encodeText(name)}`, hasList("neighbors"), { query }, options),

			traverse: (
				query: Query<typeof TraverseQuery>,
				options?: CallOptions,
			): Promise<z.output<typeof Traversal>> =>
				call("GET", "/graph/traverse", hasList("triplets"), { query }, options),

			/** Full-text search over triplets, best match first. */
			async search(
				query: Query<typeof GraphSearchQuery>,
				options?: CallOptions,
			): Promise<z.output<typeof FoundTriplets>["triplets"]> {
				const isAnswer = hasList("triplets");
				const answer = await call<z.output<typeof FoundTriplets>>(
					"GET",
					"/graph/search",
					isAnswer,
					{ query },
					options,
				);
				return answer.triplets;
			},

			/** The sources of a node's triplets. */
			async listSources(
				name: string,
				query: Query<typeof GraphOwner> = {},
				options?: CallOptions,
			): Promise<z.output<typeof NodeSources>["sources"]> {
				const path = `/graph/source/${encodeText(name)}`;
				const answer = await call<z.output<typeof NodeSources>>(
					"GET",
					path,
					hasList("sources"),
					{ query },
					options,
				);
				return answer.sources;
			},

			/** The sources that support a fact. */
			explainFact: (
				fact: z.input<typeof FactQuery>,
				options?: CallOptions,
			): Promise<z.output<typeof Belief>> =>
				call("GET", "/graph/why", has("believed"), { query: fact }, options),
		},
	};
}

/** The peer is our own service, so a response is checked only for what the caller reads first. */
const has =
	(field: string) =>
	(answer: Answer): boolean =>
		answer[field] !== undefined;
const hasList =
	(field: string) =>
	(answer: Answer): boolean =>
		Array.isArray(answer[field]);
const isWritten = (answer: Answer): boolean =>
	typeof answer.created === "boolean" && answer.entry !== undefined;
const isEntryPage = hasList("entries");
