import type { Entry, UpsertEntry } from "@tripline/contract/entries";
import type { FileLink, FileValue } from "@tripline/contract/files";
import type { Belief, FactQuery, Neighbors } from "@tripline/contract/graph";
import type { Json } from "@tripline/contract/json";
import type { McpServerWithName, PinnedTool } from "@tripline/contract/mcp-servers";
import type { ModelPrice } from "@tripline/contract/model-prices";
import type { Order } from "@tripline/contract/paging";
import type { Record as StoredRecord } from "@tripline/contract/records";
import type { Suggestions } from "@tripline/contract/search";
import type { SetState } from "@tripline/contract/state";
import type { Slot } from "@tripline/contract/templates";
import type { Ingested, TripletCandidate } from "@tripline/contract/triplets";
import type { ValueFilter } from "@tripline/contract/value-filter";
import type { JsonObject } from "@tripline/contract/workflows";
import type { CarriedExpression, NodeCall } from "@tripline/engine/component";
import type { DatabaseJob, ReadJob, RowBatch, StatementResult } from "@tripline/platform/databases";
import type { Folders } from "@tripline/platform/folders";
import type { OutgoingMail, SentMail } from "@tripline/platform/mail";
import type { PdfReader } from "@tripline/platform/pdf";
import type { Sandbox } from "@tripline/platform/sandbox";
import type * as z from "zod";
import type { OpenFile } from "./open-file.ts";
import type { OutboundAnswer, OutboundCall } from "./outbound/call.ts";

/** All that a component may do besides computing. The executor creates it for one run. */
/** Tokens that a call of a model has read and written. */
export interface TokenUse {
	readonly input: number;
	readonly output: number;
	/** The provider did not say it. */
	readonly isEstimate: boolean;
}

export interface Effects {
	readonly clock: { now(): number };
	/** Rejects as soon as the signal is aborted. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
	/**
	 * Waits until then, in milliseconds since the Unix epoch, for up to a month: the run leaves its process meanwhile. Throws
	 * a `TerminalError` if the run is not durable.
	 */
	waitUntil(until: number, signal: AbortSignal): Promise<void>;
	/**
	 * Makes a guarded outbound call: redirects are followed, and credentials are added only for the hosts they are bound
	 * to. Resolves with any status. Rejects with a `TerminalError` if a retry cannot help.
	 */
	http(call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer>;
	/**
	 * A placeholder for a credential's field, which only `http` replaces with the value. `field` may be left out if the
	 * credential has only one.
	 */
	credentialText(name: string, field?: string): string;
	readonly sandbox: Pick<Sandbox, "run">;
	readonly pdf: Pick<PdfReader, "maxBytes" | "read">;
	/** The knowledge of the run's namespace. Throws if the run has none. */
	readonly knowledge: Knowledge;
	/** The named values of the run's namespace. Throws if the run has none. */
	readonly state: State;
	/** The conversations that agents of the run's workflow have had. Throws if the run has no namespace. */
	readonly conversations: Conversations;
	/** The files that the run may open, and those that its namespace keeps. */
	readonly files: Files;
	/** Folders of the machine that its owner has opened to workflows. Null: there are none. */
	readonly folders: Folders | null;
	/** Databases of others. Null: the platform cannot reach any. */
	readonly databases: RunDatabases | null;
	/** Mail servers of others. Null: the platform cannot reach any. */
	readonly mail: RunMail | null;
	/** Names a node's step for others: the same for each attempt and in a resumed run, different for every other step. */
	buildStepKey(step: string): string;
	/** Servers that offer tools by the Model Context Protocol. */
	readonly mcp: McpCalls;
	/**
	 * Asks a person, until then in milliseconds. Resolves with the answer; rejects with a `TerminalError` if nobody has
	 * answered by then.
	 */
	ask(question: Question, until: number, call: WaitCall): Promise<JsonObject>;
	/**
	 * Waits for the first event that fits, until then in milliseconds. Rejects with a `TerminalError` if none has arrived by
	 * then.
	 */
	waitForEvent(wanted: WantedEvent, until: number, call: WaitCall): Promise<JsonObject>;
	/** Runs another workflow of the run's namespace. Resolves with its data; rejects if that run failed. Passes on files. */
	runWorkflow(name: string, input: JsonObject, call: WorkflowCall): Promise<Json>;
	/** What a caller should know about another workflow of the run's namespace; null if there is none of that name. */
	describeWorkflow(name: string, signal: AbortSignal): Promise<DescribedWorkflow | null>;
	/** The other workflows of the run's namespace that have a tag, at most so many. */
	listTaggedWorkflows(tag: string, limit: number, signal: AbortSignal): Promise<DescribedWorkflow[]>;
	/** What the owner of the service says that a model costs; null if nothing. */
	getModelPrice(model: string): ModelPrice | null;
	/** Says what a call of a model has used. */
	countTokens(used: TokenUse): void;
	/** Returns how many workflows the event started. Passes on files. */
	emitEvent(type: string, data: Json, call: FileCall): Promise<number>;
	/** Sets the response of a query endpoint, or of a trigger that answers by it; the last call of a run wins. */
	respond(answer: RespondAnswer): void;
}

export interface DescribedWorkflow {
	readonly name: string;
	readonly description: string;
	readonly input_schema: JsonObject | null;
}

export type DatabasePlace = { readonly credential: string } | { readonly file: string };

export interface RunDatabases {
	/**
	 * Runs statements at the server of a credential, or in a SQLite file in a folder that is open to workflows. Rejects with
	 * a `TerminalError` if a retry cannot help.
	 */
	run(where: DatabasePlace, job: DatabaseJob, signal: AbortSignal): Promise<readonly StatementResult[]>;
	/** The rows of one statement, some at a time. Rejects likewise. */
	read(where: DatabasePlace, job: ReadJob, signal: AbortSignal): AsyncIterable<RowBatch>;
}

export interface RunMail {
	/**
	 * Sends a mail through the server of a credential. Resolves if the server has accepted it for at least one recipient.
	 * Rejects with a `TerminalError` if a retry cannot help.
	 */
	send(credential: string, mail: OutgoingMail, signal: AbortSignal): Promise<SentMail>;
}

export interface McpCalls {
	/**
	 * Calls a tool as it was accepted, and resolves with its result, which may be an error of the tool. Rejects with a
	 * `TerminalError` if the server offers the tool no longer, or in another form.
	 */
	call(
		server: McpServerWithName,
		tool: PinnedTool,
		args: JsonObject,
		call: Pick<NodeCall<never>, "signal" | "node" | "log">,
	): Promise<JsonObject>;
}

/** The response that the component `respond` set. */
export interface RespondAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Json;
	/** Default: text is sent as text, anything else as JSON. */
	readonly type?: "json" | "text" | "html";
	/** What a page may do besides being shown. */
	readonly page?: "forms" | "scripts";
	/** Sent in place of the body: to be saved, or shown in a sandbox. */
	readonly file?: { readonly content: OpenFile; readonly isInline: boolean };
}

/**
 * A file value names a file and gives no right to it: a run opens only files that were sent to it, made or downloaded by
 * it, passed by the run that called it or by its event, found by their kept name, or named by a caller who is the owner.
 */
export interface Files {
	/** Rejects with a `TerminalError` (`file not found`) if the run may not open it or it has expired. */
	open(file: FileReference, call: FileCall): Promise<OpenFile>;
	/**
	 * Writes a file that the run may then open. If the content fails or is too large, nothing remains. A chunk of the
	 * content is used only until the next one is asked for.
	 */
	create(file: NewFile, content: AsyncIterable<Uint8Array>, call: FileCall): Promise<FileValue>;
	/** Keeps a file beyond its retention. A file that has this name already is kept no longer. */
	keep(file: FileReference, name: string, call: FileCall): Promise<FileValue>;
	/** The namespace's kept files, by name. The run may then open them. */
	listKept(query: KeptFilesQuery, call: FileCall): Promise<KeptFiles>;
	/** Deletes a kept file with its bytes. False if there is none of that name. */
	deleteKept(name: string, call: FileCall): Promise<boolean>;
	/** An address from which anyone can download the file for some minutes. */
	link(file: FileReference, minutes: number, call: FileCall): Promise<FileLink>;
	/** The first file in a value that the run may open and that is not kept: storing the value would outlive the file. */
	findUnkept(value: Json, call: FileCall): Promise<FileValue | null>;
}

/** What a call on behalf of a node is bounded by. */
export type FileCall = Pick<NodeCall<never>, "meter" | "signal">;

/** Names the run of a called workflow within the run that calls it. */
export type WorkflowCall = FileCall & Pick<NodeCall<never>, "step" | "attempt" | "isCancelled">;

/** What a call that waits is bounded by, and how it says that it waits. */
export type WaitCall = FileCall &
	Pick<NodeCall<never>, "node" | "step" | "attempt" | "announced" | "announce" | "log">;

/** What a person is asked. */
export interface Question {
	/** Markdown. */
	readonly question: string;
	/** The JSON Schema of the answer. */
	readonly fields: JsonObject;
	/** Values that are shown with it. */
	readonly show: JsonObject;
	/** Who is asked. */
	readonly to: string | null;
	/** Whether assistants may answer. */
	readonly assistants: boolean;
}

/** The events that a run waits for. */
export interface WantedEvent {
	/** Matches their types. */
	readonly pattern: string;
	/** True for those that fit, which are its `item`. Null: all fit. */
	readonly where: CarriedExpression | null;
}

export type FileReference = Pick<FileValue, "$file">;

export type { OpenFile };

export interface NewFile {
	readonly name: string;
	readonly type: string;
}

interface KeptFilesQuery {
	/** Only the file of exactly this name. */
	readonly name?: string | undefined;
	readonly prefix?: string | undefined;
	readonly limit: number;
	readonly cursor?: string | null | undefined;
}

interface KeptFiles {
	readonly files: readonly { readonly kept_as: string; readonly file: FileValue; readonly kept_at: string }[];
	readonly next_cursor: string | null;
}

/** The store's endpoints, with the same fields and responses; the owner is implied. */
export interface Knowledge {
	search(
		query: { q: string; limit: number; entry_types?: string[] },
		signal: AbortSignal,
	): Promise<z.output<typeof Suggestions>>;
	/** The newest entry of that type and page. */
	get(page: { entry_type: string; page_name: string }, signal: AbortSignal): Promise<Entry | null>;
	getById(id: string, signal: AbortSignal): Promise<Entry | null>;
	/** A page is short only at the end, or if a filter finds little in very many entries. */
	list(query: EntryListQuery, signal: AbortSignal): Promise<{ entries: Entry[]; next_cursor: string | null }>;
	/** Whether the entry existed. */
	delete(id: string, signal: AbortSignal): Promise<boolean>;
	/** Metadata that is left out is not changed. */
	upsert(
		entry: Omit<UpsertEntry, "owner_id" | "if_absent">,
		signal: AbortSignal,
	): Promise<{ success: true; entry: Entry; created: boolean }>;
	ingest(
		candidate: Omit<TripletCandidate, "owner_id">,
		signal: AbortSignal,
	): Promise<z.output<typeof Ingested>>;
	neighbors(query: NeighborsQuery, signal: AbortSignal): Promise<z.output<typeof Neighbors>>;
	explainFact(
		fact: Omit<z.input<typeof FactQuery>, "owner_id">,
		signal: AbortSignal,
	): Promise<z.output<typeof Belief>>;
	/** Creates the template, or adds the slots that it does not have. */
	ensureTemplate(name: string, slots: readonly Slot[], signal: AbortSignal): Promise<void>;
	createRecord(template: string, values: JsonObject, signal: AbortSignal): Promise<StoredRecord>;
	/** Slots that are left out are not changed. Null if there is no such record. */
	changeRecord(id: string, values: JsonObject, signal: AbortSignal): Promise<StoredRecord | null>;
	listRecords(
		query: RecordListQuery,
		signal: AbortSignal,
	): Promise<{ records: StoredRecord[]; next_cursor: string | null }>;
}

/** A turn of a conversation: what was said, and the calls of tools with their results. */
export interface ConversationTurn {
	readonly id: string;
	/** As `llm_chat` takes them. */
	readonly messages: readonly JsonObject[];
}

export interface ConversationSummary {
	/** Of the conversation, until it is deleted. */
	readonly id: string;
	readonly text: string;
	/** The id of the last turn that it covers; null if it covers none. */
	readonly through: string | null;
}

/** Each is named by its key within the workflow. */
export interface Conversations {
	/** Null if there is no conversation. */
	readSummary(key: string, signal: AbortSignal): Promise<ConversationSummary | null>;
	/** Newest first. */
	listTurns(
		key: string,
		page: { readonly limit: number; readonly cursor: string | null },
		signal: AbortSignal,
	): Promise<{ readonly turns: readonly ConversationTurn[]; readonly next_cursor: string | null }>;
	/** A turn that was appended with this key of a step is not appended again. */
	append(key: string, stepKey: string, messages: readonly JsonObject[], signal: AbortSignal): Promise<void>;
	/** False if the conversation was deleted meanwhile. */
	saveSummary(key: string, summary: ConversationSummary, signal: AbortSignal): Promise<boolean>;
	/** Adds a fact to the knowledge graph, with the conversation and the run as its source. */
	addFact(
		key: string,
		fact: Pick<TripletCandidate, "subject" | "predicate" | "object">,
		signal: AbortSignal,
	): Promise<void>;
}

/** Every call is atomic. A name without a value has the value null. */
export interface State {
	get(name: string, signal: AbortSignal): Promise<Json>;
	/** Null deletes the name. */
	set(
		change: Omit<SetState, "owner_id">,
		signal: AbortSignal,
	): Promise<{ readonly stored: boolean; readonly previous: Json }>;
	/** The new value. */
	increment(
		counter: { readonly name: string; readonly by: number; readonly ttl_seconds?: number | undefined },
		signal: AbortSignal,
	): Promise<number>;
}

interface PageQuery {
	readonly order?: Order | undefined;
	readonly limit: number;
	readonly cursor?: string | null | undefined;
}

interface EntryListQuery extends PageQuery {
	/** Absent: all types of user knowledge. */
	readonly entry_type?: string | undefined;
	readonly page_name?: string | undefined;
	readonly metadata?: ValueFilter | undefined;
	readonly since?: string | undefined;
	readonly until?: string | undefined;
}

interface RecordListQuery extends PageQuery {
	readonly template: string;
	readonly values?: ValueFilter | undefined;
}

interface NeighborsQuery {
	name: string;
	depth: number;
	direction: "out" | "in" | "both";
	predicate?: string | undefined;
	limit: number;
	includeDeprecated: boolean;
}
