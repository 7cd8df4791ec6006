import type {
	AcceptedRuns,
	AcceptRuns,
	CancelAcceptedRuns,
	CancelledAcceptedRuns,
	ClaimAcceptedRun,
	ClaimedAcceptedRun,
	EndAcceptedRun,
	ParkAcceptedRun,
	ParkedAcceptedRun,
} from "@tripline/contract/accepted-runs";
import type {
	AppendedTurn,
	AppendTurn,
	ConversationFacts,
	ConversationPage,
	DeletedConversation,
	OwnedConversation,
	OwnedConversationQuery,
	OwnedFactQuery,
} from "@tripline/contract/conversations";
import type {
	Entry,
	EntryPage,
	EntryQuery,
	ListedEntry,
	ReplaceEntry,
	StoreUsage,
	UpsertEntry,
	UpsertedEntry,
	VersionedEntry,
	WriteEntry,
} from "@tripline/contract/entries";
import type {
	EndedPage,
	EndedQuery,
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
	CommitFile,
	ExtendFile,
	FileKey,
	FileRecord,
	FileRecordPage,
	HoldFiles,
	KeepFile,
	KeptFilesQuery,
	MarkedFiles,
	MarkFiles,
	NewestFilesQuery,
	ReserveFile,
} from "@tripline/contract/file-records";
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
	HeardProcess,
	ProcessBeat,
	TakenOverProcess,
	TakeOverProcess,
} from "@tripline/contract/processes";
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
import type {
	AnswerWaits,
	EndWait,
	EventWaitPage,
	EventWaitQuery,
	FoundWait,
	OpenWait,
	RunWait,
	WaitKey,
} from "@tripline/contract/waits";
import type {
	ChangeBy,
	DeletedWorkflowPage,
	FormerNames,
	OwnedDeletedQuery,
	OwnedVersionQuery,
	RenameWorkflow,
	SaveDraftQuery,
	SetEnabled,
	StoredVersion,
	WorkflowDraft,
	WorkflowVersionPage,
} from "@tripline/contract/workflow-versions";
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
interface Reserved {
	readonly reserved: number;
}
interface FileAnswer {
	readonly file: FileRecord;
}
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

		getById: (owner_id: string, id: string, options?: CallOptions): Promise<VersionedEntry | null> =>
			orNull(
				call<{ entry: VersionedEntry }>(
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

		/** Whether the entry existed. `deletion` is of a workflow. */
		delete: async (
			owner_id: string,
			id: string,
			options?: CallOptions,
			deletion: ChangeBy & { readonly if_version?: number | undefined } = {},
		): Promise<boolean> =>
			(await orNull(
				call(
					"DELETE",
					`/entries/${encodeText(id)}`,
					has("deleted"),
					{ query: { owner_id, ...deletion } },
					options,
				),
			)) !== null,
	};

	const workflows = {
		/** Newest first. */
		listVersions: (
			query: Query<typeof OwnedVersionQuery>,
			options?: CallOptions,
		): Promise<WorkflowVersionPage> =>
			call("GET", "/workflows/versions", hasList("versions"), { query }, options),

		/** Null if there is none. */
		getVersion: (
			owner_id: string,
			name: string,
			number: number,
			options?: CallOptions,
		): Promise<StoredVersion | null> => {
			const query = { owner_id, name, number };
			return orNull(call("GET", "/workflows/version", has("metadata_json"), { query }, options));
		},

		/** False if there is no such workflow. */
		setEnabled: async (which: z.input<typeof SetEnabled>, options?: CallOptions): Promise<boolean> =>
			(await orNull(call("PUT", "/workflows/enabled", has("enabled"), { body: which }, options))) !== null,

		/** Null if there is no such workflow. */
		rename: (rename: RenameWorkflow, options?: CallOptions): Promise<VersionedEntry | null> =>
			orNull(
				call<{ entry: VersionedEntry }>(
					"POST",
					"/workflows/rename",
					has("entry"),
					{ body: rename },
					options,
				).then(({ entry }) => entry),
			),

		/** The names that the workflow had, last one first. */
		listFormerNames: async (
			owner_id: string,
			name: string,
			options?: CallOptions,
		): Promise<FormerNames["names"]> => {
			const query = { owner_id, name };
			const isAnswer = hasList("names");
			return (await call<FormerNames>("GET", "/workflows/former-names", isAnswer, { query }, options)).names;
		},

		/** The present name of the workflow that last had this name; null if there is none. */
		findRenamed: async (owner_id: string, name: string, options?: CallOptions): Promise<string | null> => {
			const query = { owner_id, name };
			const answer = call<{ name: string }>("GET", "/workflows/renamed", has("name"), { query }, options);
			return (await orNull(answer))?.name ?? null;
		},

		/** Last deleted first. */
		listDeleted: (
			query: Query<typeof OwnedDeletedQuery>,
			options?: CallOptions,
		): Promise<DeletedWorkflowPage> =>
			call("GET", "/workflows/deleted", hasList("workflows"), { query }, options),

		/** Null if there is no such workflow. */
		restore: (owner_id: string, id: string, options?: CallOptions): Promise<VersionedEntry | null> =>
			orNull(
				call<{ entry: VersionedEntry }>(
					"POST",
					"/workflows/restore",
					has("entry"),
					{ body: { owner_id, id } },
					options,
				).then(({ entry }) => entry),
			),

		/** Whether it was there. */
		purge: async (owner_id: string, id: string, options?: CallOptions): Promise<boolean> => {
			const body = { owner_id, id };
			return (await orNull(call("POST", "/workflows/purge", has("deleted"), { body }, options))) !== null;
		},

		/** Null if there is none. */
		getDraft: (owner_id: string, name: string, options?: CallOptions): Promise<WorkflowDraft | null> => {
			const query = { owner_id, name };
			return orNull(call("GET", "/workflows/draft", has("revision"), { query }, options));
		},

		/** Null if there is no such workflow. */
		saveDraft: (
			content: string,
			query: Query<typeof SaveDraftQuery>,
			options?: CallOptions,
		): Promise<WorkflowDraft | null> => {
			const sent = { query, text: { type: "text/plain; charset=utf-8", content } };
			return orNull(call("PUT", "/workflows/draft", has("revision"), sent, options));
		},

		/** Whether it was there. */
		deleteDraft: async (owner_id: string, name: string, options?: CallOptions): Promise<boolean> => {
			const query = { owner_id, name };
			return (await orNull(call("DELETE", "/workflows/draft", has("deleted"), { query }, options))) !== null;
		},
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

		/** Records in the order in which they were stored, from a position on. */
		listEnded: (
			query: Query<typeof EndedQuery>,
			options?: CallOptions,
		): Promise<z.output<typeof EndedPage>> =>
			call("GET", "/execution-log/ended", hasList("executions"), { query }, options),

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

		/** When it is due, which is at once if it was answered; null if another process has claimed it, or it has ended. */
		park: (run: ParkAcceptedRun, options?: CallOptions): Promise<ParkedAcceptedRun> =>
			call("POST", "/accepted-runs/park", has("refused"), { body: run }, options),

		/** Ends a batch of runs that wait for a workflow, and tells whether more remain. */
		cancel: (runs: CancelAcceptedRuns, options?: CallOptions): Promise<CancelledAcceptedRuns> =>
			call("POST", "/accepted-runs/cancel", hasList("cancelled"), { body: runs }, options),

		/** False if the run had already ended. */
		end: async (run: EndAcceptedRun, options?: CallOptions): Promise<boolean> =>
			(await call<{ ended: boolean }>("POST", "/accepted-runs/end", has("ended"), { body: run }, options))
				.ended,
	};

	const waits = {
		open: (wait: OpenWait, options?: CallOptions): Promise<{ opened: boolean }> =>
			call("POST", "/waits", has("opened"), { body: wait }, options),

		/** With `taken`, the run that waits goes on with the answer, if there is one. */
		get: async (
			{ taken, ...wait }: WaitKey & { taken?: boolean },
			options?: CallOptions,
		): Promise<FoundWait | null> => {
			const query = { ...wait, ...(taken === true && { taken: "true" }) };
			return (await call<{ wait: FoundWait | null }>("GET", "/waits", has("wait"), { query }, options)).wait;
		},

		/** Those that it answers: of the others, another answer came first, or they have ended. */
		answer: async (answer: AnswerWaits, options?: CallOptions): Promise<readonly RunWait[]> =>
			(
				await call<{ answered: RunWait[] }>(
					"POST",
					"/waits/answer",
					has("answered"),
					{ body: answer },
					options,
				)
			).answered,

		/** Runs that wait for events whose pattern begins with that word. */
		listForEvents: (query: Query<typeof EventWaitQuery>, options?: CallOptions): Promise<EventWaitPage> =>
			call("GET", "/waits/events", has("waits"), { query }, options),

		end: async (wait: EndWait, options?: CallOptions): Promise<void> =>
			void (await call("POST", "/waits/end", () => true, { body: wait }, options)),
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

	const conversations = {
		/** A turn whose id is there already is not written again. */
		append: (turn: AppendTurn, options?: CallOptions): Promise<z.output<typeof AppendedTurn>> =>
			call("POST", "/conversations/turns", has("appended"), { body: turn }, options),

		list: (query: Query<typeof OwnedConversationQuery>, options?: CallOptions): Promise<ConversationPage> =>
			call("GET", "/conversations", hasList("conversations"), { query }, options),

		listFacts: (query: Query<typeof OwnedFactQuery>, options?: CallOptions): Promise<ConversationFacts> =>
			call("GET", "/conversations/facts", hasList("facts"), { query }, options),

		/** Null if there is none. */
		delete: (
			query: z.input<typeof OwnedConversation>,
			options?: CallOptions,
		): Promise<DeletedConversation | null> =>
			orNull(call("DELETE", "/conversations", has("deleted"), { query }, options)),
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

	const processes = {
		/** Says that this process is alive, and tells which others are not. */
		beat: (beat: ProcessBeat, options?: CallOptions): Promise<HeardProcess> =>
			call("POST", "/processes/beat", hasList("lapsed"), { body: beat }, options),

		/** Says that this process ends. */
		leave: async (holder: string, options?: CallOptions): Promise<void> => {
			await call("POST", "/processes/leave", has("left"), { body: { holder } }, options);
		},

		/** Whether this process now has the runs of one that has ended. */
		takeOver: async (taking: TakeOverProcess, options?: CallOptions): Promise<boolean> =>
			(await call<TakenOverProcess>("POST", "/processes/take-over", has("taken"), { body: taking }, options))
				.taken,
	};

	const files = {
		/** How many bytes are reserved; 0 if the owner has none left. */
		reserve: async (file: ReserveFile, options?: CallOptions): Promise<number> =>
			(await call<Reserved>("POST", "/files/reserve", has("reserved"), { body: file }, options)).reserved,

		/** How many bytes are reserved in all; as many as before if the owner has none left. */
		extend: async (file: ExtendFile, options?: CallOptions): Promise<number> =>
			(await call<Reserved>("POST", "/files/extend", has("reserved"), { body: file }, options)).reserved,

		commit: async (file: CommitFile, options?: CallOptions): Promise<FileRecord> =>
			(await call<FileAnswer>("POST", "/files/commit", has("file"), { body: file }, options)).file,

		/** Null if there is none, or it has expired. Without an owner it is found by its id alone. */
		get: (id: string, owner_id?: string, options?: CallOptions): Promise<FileRecord | null> =>
			orNull(
				call<FileAnswer>(
					"GET",
					`/files/${encodeText(id)}`,
					has("file"),
					{ query: { owner_id } },
					options,
				).then(({ file }) => file),
			),

		listNewest: (query: Query<typeof NewestFilesQuery>, options?: CallOptions): Promise<FileRecordPage> =>
			call("GET", "/files", hasList("files"), { query }, options),

		/** By name. */
		listKept: (query: Query<typeof KeptFilesQuery>, options?: CallOptions): Promise<FileRecordPage> =>
			call("GET", "/files/kept", hasList("files"), { query }, options),

		/** The first of these that is not kept; null if there is none. */
		async findUnkept(
			owner_id: string,
			ids: readonly string[],
			options?: CallOptions,
		): Promise<FileRecord | null> {
			const body = { owner_id, ids };
			const answer = call<{ file: FileRecord | null }>(
				"POST",
				"/files/unkept",
				has("file"),
				{ body },
				options,
			);
			return (await answer).file;
		},

		/** Null if there is no such file. */
		keep: (file: KeepFile, options?: CallOptions): Promise<FileRecord | null> =>
			orNull(
				call<FileAnswer>("POST", "/files/keep", has("file"), { body: file }, options).then(
					({ file }) => file,
				),
			),

		/** Keeps files from being deleted while accepted runs have not ended. */
		async hold(holds: HoldFiles, options?: CallOptions): Promise<void> {
			await call("POST", "/files/hold", has("held"), { body: holds }, options);
		},

		/** Marks files as deleted and returns those that were there: delete their bytes, then remove them. */
		mark: async (which: MarkFiles, options?: CallOptions): Promise<readonly FileKey[]> =>
			(await call<MarkedFiles>("POST", "/files/mark", hasList("files"), { body: which }, options)).files,

		/** Marks expired files of all owners and returns marked ones. */
		sweep: async (limit: number, options?: CallOptions): Promise<readonly FileKey[]> =>
			(await call<MarkedFiles>("POST", "/files/sweep", hasList("files"), { body: { limit } }, options)).files,

		/** Lets the sweep find what an ended process was writing. Unix milliseconds. */
		async expirePending(before: number, options?: CallOptions): Promise<void> {
			await call("POST", "/files/expire-pending", has("expired"), { body: { before } }, options);
		},

		async remove(marked: readonly FileKey[], options?: CallOptions): Promise<void> {
			await call("POST", "/files/remove", has("removed"), { body: { files: marked } }, options);
		},
	};

	return {
		entries,
		workflows,
		records,
		state,
		conversations,
		files,
		executionLog,
		schedules,
		acceptedRuns,
		waits,
		runLeases,
		processes,
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
