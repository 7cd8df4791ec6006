import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../../api/api.ts";
import { ApiProblem } from "../../../api/call.ts";
import type { JsonObject, NodeEvent, RunProblem, RunResult } from "../../../api/types.ts";
import { NO_STATES, type RunStates, withEvent, withTrace } from "./run-states.ts";
import { serverEvents } from "./server-sent-events.ts";

export interface Run {
	readonly phase: "none" | "running" | "ended" | "broken";
	readonly executionId: string | null;
	readonly states: RunStates;
	readonly result: RunResult | null;
	/** Why there is no result. */
	readonly problem: Error | null;
}

const NONE: Run = { phase: "none", executionId: null, states: NO_STATES, result: null, problem: null };

/** A run that is watched while it goes on. It goes on too when the page is left. */
export function useRun(): {
	readonly run: Run;
	start(name: string, input: JsonObject): Promise<void>;
	clear(): void;
} {
	const [run, setRun] = useState(NONE);
	const stop = useRef<AbortController | null>(null);
	useEffect(() => () => stop.current?.abort(), []);

	const start = useCallback(async (name: string, input: JsonObject) => {
		stop.current?.abort();
		const mine = new AbortController();
		stop.current = mine;
		setRun({ ...NONE, phase: "running" });
		const change = (next: (before: Run) => Run) => {
			if (!mine.signal.aborted) setRun(next);
		};
		try {
			await watched(name, input, mine.signal, change);
			// A stream that ends without a result was cut off.
			change((before) => (before.phase === "running" ? { ...before, phase: "broken" } : before));
		} catch (error) {
			const problem = error instanceof Error ? error : new Error(String(error));
			change((before) =>
				before.executionId === null ? { ...before, phase: "ended", problem } : { ...before, phase: "broken" },
			);
		}
	}, []);
	const clear = useCallback(() => {
		stop.current?.abort();
		setRun(NONE);
	}, []);
	return { run, start, clear };
}

async function watched(
	name: string,
	input: JsonObject,
	signal: AbortSignal,
	change: (next: (before: Run) => Run) => void,
): Promise<void> {
	const response = await api.workflows.watch(name, input, signal);
	const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
	if (!isStream || response.body === null) {
		const result = (await response.json()) as RunResult;
		return change((before) => ended(before, result));
	}
	for await (const { event, data } of serverEvents(response.body)) {
		const told: unknown = JSON.parse(data);
		change((before) => afterwards(before, event, told));
	}
}

function afterwards(before: Run, event: string, told: unknown): Run {
	switch (event) {
		case "started":
			return { ...before, executionId: (told as { execution_id: string }).execution_id };
		case "node":
			return { ...before, states: withEvent(before.states, told as NodeEvent) };
		case "result":
			return ended(before, told as RunResult);
		case "problem": {
			const { status, error } = told as RunProblem;
			return { ...before, phase: "ended", problem: new ApiProblem(status, error, {}) };
		}
		default:
			return before;
	}
}

const ended = (before: Run, result: RunResult): Run => ({
	...before,
	phase: "ended",
	executionId: result.execution_id,
	result,
	states: result.nodes === undefined ? before.states : withTrace(before.states, result.nodes),
});
