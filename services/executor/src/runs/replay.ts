import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { ReplayedExecution } from "@tripline/contract/executor";
import { Failed, invalid, notFound } from "@tripline/contract/failures";
import { Cursor } from "@tripline/contract/paging";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { type Address, resolveAddress } from "../domain/address.ts";
import type { DurableRuns } from "../durable/runs.ts";
import type { KeptRunData } from "../kept/kept-data.ts";
import type { AcceptedRuns } from "./accepted.ts";
import { newExecutionId } from "./execute.ts";
import { CANCELLED, type FoundRun } from "./run-to-end.ts";

interface ReplayRequest {
	readonly from: "start" | "failed";
	readonly version: "same" | "current";
	/** Only from the start. Omitted: the same. */
	readonly input?: JsonObject | undefined;
}

/** A filter of failed runs; times in Unix seconds. */
interface BulkRequest extends Pick<ReplayRequest, "from" | "version"> {
	readonly workflow?: string | undefined;
	readonly since: number;
	readonly until?: number | undefined;
	readonly limit: number;
	readonly dry_run: boolean;
	readonly cursor?: string | undefined;
}

interface BulkAnswer {
	readonly executions: ReplayedExecution[];
	readonly next_cursor: string | null;
}

interface Repeated {
	readonly workflow: string;
	readonly address: Address;
	readonly input: JsonObject;
	readonly request?: JsonObject | undefined;
	readonly files?: readonly string[] | undefined;
	readonly stepPrefix?: string;
}

export type Replays = ReturnType<typeof replays>;

/** Runs that repeat ended ones. */
export function replays(deps: {
	readonly store: StoreClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly accepted: AcceptedRuns;
	readonly durable: DurableRuns | null;
	readonly kept: Pick<KeptRunData, "find">;
	find(address: Address, version?: number): Promise<FoundRun | null>;
	/** How many runs one request repeats. */
	readonly batchSize: number;
}) {
	const { store, clock, accepted } = deps;

	return {
		/** Returns the id of the new run. */
		async replay(namespace: string, id: string, request: ReplayRequest): Promise<string> {
			const record = await store.executionLog.get(namespace, id);
			if (record === null) throw await explainMissing(namespace, id);
			return start(namespace, record, request);
		},

		/** Repeats a part of the failed runs that match, the oldest first. */
		async replayFailed(namespace: string, request: BulkRequest): Promise<BulkAnswer> {
			const { workflow, since, until, dry_run: isDryRun, limit } = request;
			const given = request.cursor === undefined ? { left: limit } : decodeBulkCursor(request.cursor);
			const left = Math.min(given.left, limit);
			const filter = {
				owner_id: namespace,
				verdict: "failed" as const,
				order: "oldest" as const,
				since: String(since),
				...(workflow !== undefined && { workflow }),
				...(until !== undefined && { until: String(until) }),
			};
			const size = Math.min(left, isDryRun ? MAX_LISTED : deps.batchSize);
			let cursor = given.cursor ?? null;
			for (let lists = 1; ; lists++) {
				const after = cursor === null ? {} : { cursor };
				const page = await store.executionLog.list({ ...filter, ...after, limit: String(size) });
				cursor = page.next_cursor;
				const matching = page.executions.filter(isRepeatable);
				if (matching.length === 0 && cursor !== null && lists < MAX_LISTS) continue;
				const executions = isDryRun
					? matching.map((record) => describe(record, "listed"))
					: await startEach(namespace, matching, request);
				const rest = left - matching.length;
				const isOver = cursor === null || rest === 0;
				return { executions, next_cursor: isOver ? null : `${rest}.${cursor}` };
			}
		},

		/** Deletes what could be repeated of a run. Whether there was anything. */
		async forget(namespace: string, id: string): Promise<boolean> {
			const { durable } = deps;
			// The steps of a run are not found by its namespace, but its record is.
			if (durable === null || (await store.executionLog.get(namespace, id)) === null) return false;
			const isRetained = (await durable.read(namespace, id)) !== null;
			if (isRetained) await durable.delete(id);
			return isRetained;
		},
	};

	async function start(
		namespace: string,
		record: ExecutionRecord,
		{ from, version, input }: ReplayRequest,
		isOneOfMany = false,
	): Promise<string> {
		const { id } = record;
		const retained = (await deps.durable?.read(namespace, id)) ?? null;
		if (from === "failed" && retained === null) throw conflict(NO_STEPS);
		if (retained === null && record.trigger === "webhook") throw conflict(NO_TOKEN);
		const repeated: Repeated | null = retained ?? (await findInput(namespace, record, input));
		if (repeated === null) throw conflict(NO_INPUT);
		const found = await deps.find(repeated.address, version === "same" ? record.version_number : undefined);
		if (found === null)
			throw conflict(
				version === "same" && record.version_number !== undefined
					? `version ${record.version_number} of the workflow no longer exists: use version "current"`
					: "the workflow no longer exists",
			);
		const executionId = newExecutionId(clock);
		await accepted.accept({
			namespace,
			address: repeated.address,
			input: input ?? repeated.input,
			...(repeated.request !== undefined && { request: repeated.request }),
			files: repeated.files,
			isOwners: input !== undefined,
			isOneOfMany,
			trigger: "replay",
			eventDepth: 0,
			runs: [
				{
					executionId,
					...found,
					workflow: found.workflow ?? repeated.workflow,
					repeats: id,
					isPinned: version === "same" && found.versionNumber !== undefined,
					...(from === "failed" && { replayOf: id, stepPrefix: repeated.stepPrefix ?? id }),
				},
			],
		});
		return executionId;
	}

	/** A refused run does not keep the others from being repeated; a service that is unavailable does. */
	async function startEach(
		namespace: string,
		records: readonly ExecutionRecord[],
		request: BulkRequest,
	): Promise<ReplayedExecution[]> {
		const done: ReplayedExecution[] = [];
		for (const record of records) {
			try {
				const { from, version } = request;
				const execution_id = await start(namespace, record, { from, version }, true);
				done.push(describe(record, "started", { execution_id }));
			} catch (error) {
				if (error instanceof Failed) done.push(describe(record, "refused", { error: error.message }));
				else if (done.length === 0) throw error;
				else {
					deps.log("error", "failed runs not repeated", toErrorFields(error));
					done.push(describe(record, "unknown", { error: UNAVAILABLE }));
				}
			}
		}
		return done;
	}

	async function explainMissing(namespace: string, id: string): Promise<Failed> {
		const status = await accepted.status(namespace, id);
		return status === null
			? notFound("execution not found")
			: conflict("the run has not ended, or left no record");
	}

	/** The given input, or that of the data that is kept to be looked at, if it is whole. */
	async function findInput(
		namespace: string,
		{ id, workflow }: Pick<ExecutionRecord, "id" | "workflow">,
		given: JsonObject | undefined,
	): Promise<Repeated | null> {
		const value =
			given === undefined ? (await deps.kept.find(namespace, id))?.document.input : { json: given };
		if (value === undefined || !("json" in value)) return null;
		return { workflow, address: resolveAddress({ namespace, workflow }), input: value.json as JsonObject };
	}
}

/**
 * A cancelled run ended as it was meant to, and a run that repeats another, or that another calls, is repeated with that
 * one.
 */
const isRepeatable = ({ error, trigger }: ExecutionRecord): boolean =>
	error !== CANCELLED && trigger !== "replay" && trigger !== "workflow";

const describe = (
	{ id, time, workflow, error: failure }: ExecutionRecord,
	result: ReplayedExecution["result"],
	more: Partial<Pick<ReplayedExecution, "execution_id" | "error">> = {},
): ReplayedExecution => ({ id, time, workflow, failure, result, execution_id: null, error: null, ...more });

/** How many runs are left, and the cursor of the log. */
interface BulkPlace {
	readonly left: number;
	readonly cursor?: string | undefined;
}

function decodeBulkCursor(text: string): BulkPlace {
	const [, left, cursor = ""] = /^([1-9]\d{0,3})\.(.+)$/.exec(text) ?? [];
	if (left === undefined || !Cursor.safeParse(cursor).success)
		throw invalid([{ path: "cursor", message: "is not a cursor of this list" }]);
	return { left: Number(left), cursor };
}

/** How many records one request reads, at most, if none of them is to be repeated. */
const MAX_LISTS = 5;
const MAX_LISTED = 100;
const UNAVAILABLE =
	"the service was unavailable: see whether the run was started before it is repeated again";

const HOW_TO_KEEP = 'set options.keep of the workflow to "failed" or "all" to repeat later runs';
const NO_STEPS = `the steps of this run are not kept, so that it can be repeated only from the start: it did not fail, was not accepted to run by itself, or is older than 7 days; ${HOW_TO_KEEP}`;
const NO_TOKEN =
	"the token of the webhook is not kept with this run, so that it cannot be repeated: call the webhook again";
const NO_INPUT = `the whole input of this run is not kept: ${HOW_TO_KEEP}, or give an input`;

const conflict = (message: string): Failed => new Failed({ kind: "conflict", message });
