import { sampleInput } from "@tripline/contract/sample-input";
import { useCallback, useState } from "react";
import type { ExecutionDetail, JsonObject } from "../../api/types.ts";
import type { Query } from "../../api/use-query.ts";
import { formatInput, parseInput } from "../../inputs/json-text.ts";
import { rememberInput } from "../../inputs/last-inputs.ts";
import { type Run, useRun } from "./run/use-run.ts";
import type { Saving } from "./use-saving.ts";

/** Records are written shortly after the response. */
const RECORD_MS = 1200;

interface Given {
	/** Null for a new workflow. */
	readonly name: string | null;
	readonly isUnsaved: boolean;
	readonly schema: JsonObject | undefined;
	/** Initial content of a new workflow. */
	readonly initial: JsonObject;
	readonly saving: Saving;
	onStart(): void;
	reload(): void;
}

export interface Running {
	readonly input: string;
	readonly run: Run;
	readonly looking: Query<ExecutionDetail>;
	setInput(text: string): void;
	runSaved(): void;
	saveAndRun(): void;
	/** Runs the workflow, saving it first if there are unsaved changes. */
	runNow(): void;
	clear(): void;
}

/** The input field and the run started from it. */
export function useRunning({ name, isUnsaved, schema, initial, saving, onStart, reload }: Given): Running {
	const [input, setInput] = useState(() => formatInput(schema === undefined ? initial : sampleInput(schema)));
	const { run, looking, start, clear } = useRun();
	const begin = useCallback(
		(of: string, inputText: string, value: JsonObject) => {
			rememberInput(of, inputText);
			onStart();
			void start(of, value).then(() => setTimeout(reload, RECORD_MS));
		},
		[start, reload, onStart],
	);
	return {
		input,
		run,
		looking,
		setInput,
		clear,
		runSaved,
		saveAndRun,
		runNow: name === null || isUnsaved ? saveAndRun : runSaved,
	};

	/**
	 * The input to run with; null if it is invalid, or if a run is in progress, so that a repeated key press does not
	 * start a second one.
	 */
	function valueToRun(): JsonObject | null {
		return run.phase === "running" ? null : parseInput(input).value;
	}

	function runSaved(): void {
		const value = valueToRun();
		if (value !== null && name !== null) begin(name, input, value);
	}

	function saveAndRun(): void {
		const value = valueToRun();
		if (value !== null) saving.save((saved) => begin(saved, input, value));
	}
}
