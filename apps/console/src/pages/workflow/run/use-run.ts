import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../../api/api.ts";
import { ApiProblem, NotReached } from "../../../api/call.ts";
import type { ExecutionDetail, JsonObject, NodeEvent, RunProblem, RunResult } from "../../../api/types.ts";
import { type Query, useQuery } from "../../../api/use-query.ts";
import { applyEvent, applyTrace, NO_STATES, type RunStates } from "./run-states.ts";
import { readServerEvents } from "./server-sent-events.ts";

export interface Run {
	/** `continuing`: it waits, and goes on by itself. */
	readonly phase: "none" | "running" | "ended" | "broken" | "continuing";
	readonly executionId: string | null;
	readonly states: RunStates;
	/** What a node has written so far; null before the first text. */
	readonly written: { readonly id: string; readonly text: string } | null;
	readonly result: RunResult | null;
	/** The record of the run, if it went on without a connection. */
	readonly found: ExecutionDetail | null;
	/** Whether it went on by itself, so that there is no result. */
	readonly hasContinued: boolean;
	/** Error, if there is no result. */
	readonly problem: Error | null;
}

const NONE: Run = {
	phase: "none",
	executionId: null,
	states: NO_STATES,
	written: null,
	result: null,
	found: null,
	hasContinued: false,
	problem: null,
};
const POLL_MS = 3000;
/** While the run waits. */
const SLOW_POLL_MS = 10_000;

/** Starts and watches a run. The run continues if the page is left. */
export function useRun(): {
	readonly run: Run;
	/** Query for a run that goes on without a connection. */
	readonly looking: Query<ExecutionDetail>;
	/** `pinned`: tests the draft with these outputs of nodes, instead of running the published version. */
	start(name: string, input: JsonObject, pinned?: JsonObject): Promise<void>;
	clear(): void;
} {
	const [run, setRun] = useState(NONE);
	const stop = useRef<AbortController | null>(null);
	useEffect(() => () => stop.current?.abort(), []);

	const start = useCallback(async (name: string, input: JsonObject, pinned?: JsonObject) => {
		stop.current?.abort();
		const mine = new AbortController();
		stop.current = mine;
		setRun({ ...NONE, phase: "running" });
		const change = (next: (before: Run) => Run) => {
			if (!mine.signal.aborted) setRun(next);
		};
		try {
			const response = await (pinned === undefined
				? api.workflows.watch(name, input, mine.signal)
				: api.workflows.watchTest(name, { input, pinned }, mine.signal));
			await readRun(response, change);
			// A stream that ends without a result was interrupted.
			change((before) => (before.phase === "running" ? { ...before, phase: "broken" } : before));
		} catch (error) {
			const isRefused = error instanceof ApiProblem || error instanceof NotReached;
			change((before) =>
				isRefused ? { ...before, phase: "ended", problem: error } : { ...before, phase: "broken" },
			);
		}
	}, []);
	const clear = useCallback(() => {
		stop.current?.abort();
		setRun(NONE);
	}, []);
	const isContinuing = run.phase === "continuing";
	const lost = isContinuing || run.phase === "broken" ? run.executionId : null;
	const looking = useQuery(
		lost === null ? null : `execution:${lost}`,
		(signal) => api.executions.get(lost ?? "", signal),
		{ everyMs: isContinuing ? SLOW_POLL_MS : POLL_MS },
	);
	const { data: found } = looking;
	useEffect(() => {
		if (found === undefined || found.status === "accepted") return;
		setRun((before) =>
			before.phase === "broken" || before.phase === "continuing" ? applyRecord(before, found) : before,
		);
	}, [found]);
	return { run, looking, start, clear };
}

const applyRecord = (before: Run, found: ExecutionDetail): Run => ({
	...before,
	phase: "ended",
	found,
	states: found.nodes === null ? before.states : applyTrace(before.states, found.nodes),
});

async function readRun(response: Response, change: (next: (before: Run) => Run) => void): Promise<void> {
	const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
	if (!isStream || response.body === null) {
		const result = (await response.json()) as RunResult;
		return change((before) => applyResult(before, result));
	}
	for await (const { event, data } of readServerEvents(response.body)) {
		const told: unknown = JSON.parse(data);
		change((before) => applyMessage(before, event, told));
	}
}

function applyMessage(before: Run, event: string, told: unknown): Run {
	switch (event) {
		case "started":
			return { ...before, executionId: (told as { execution_id: string }).execution_id };
		case "node":
			return { ...before, states: applyEvent(before.states, told as NodeEvent) };
		case "text":
			return { ...before, written: appendText(before.written, told as WrittenText) };
		case "result":
			return applyResult(before, told as RunResult);
		case "accepted":
			return { ...before, phase: "continuing", hasContinued: true };
		case "problem": {
			const { status, error } = told as RunProblem;
			return { ...before, phase: "ended", problem: new ApiProblem(status, error, {}) };
		}
		default:
			return before;
	}
}

type WrittenText = NonNullable<Run["written"]>;

/** Only the text of the node that writes now is kept. */
const appendText = (before: Run["written"], { id, text }: WrittenText): WrittenText => ({
	id,
	text: before?.id === id ? before.text + text : text,
});

const applyResult = (before: Run, result: RunResult): Run => ({
	...before,
	phase: "ended",
	executionId: result.execution_id,
	result,
	states: result.nodes === undefined ? before.states : applyTrace(before.states, result.nodes),
});
