import { listFileFields } from "@tripline/contract/file-values";
import { sampleInput } from "@tripline/contract/sample-input";
import { useCallback, useState } from "react";
import type { ExecutionDetail, JsonObject } from "../../api/types.ts";
import type { Query } from "../../api/use-query.ts";
import { keepFiles } from "../../files/file-fields.ts";
import { formatInput, parseInput } from "../../inputs/json-text.ts";
import { rememberInput } from "../../inputs/last-inputs.ts";
import { type Run, useRun } from "./run/use-run.ts";
import type { Autosave } from "./text/use-autosave.ts";
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
	readonly autosave: Autosave;
	/** Outputs for test runs; null until they are known. */
	readonly pinned: JsonObject | null;
	onStart(): void;
	reload(): void;
}

export interface Running {
	readonly input: string;
	readonly run: Run;
	readonly looking: Query<ExecutionDetail>;
	setInput(text: string): void;
	/** Changes the current input, unless its text is not valid. */
	changeInput(change: (input: JsonObject) => JsonObject): void;
	/** Runs the published version. */
	runPublished(): void;
	/** Whether `runNow` is a test run: there are changes or pinned outputs. */
	readonly isTest: boolean;
	/** Whether a run can start. */
	readonly isReady: boolean;
	/** Tests the draft if there are changes or pinned outputs. A new workflow is saved first. */
	runNow(): void;
	/** The same with another input, for a workflow that is saved. */
	runWith(input: JsonObject): void;
	clear(): void;
}

/** The input field and the run started from it. */
export function useRunning(given: Given): Running {
	const { name, isUnsaved, schema, initial, saving, autosave, pinned, onStart, reload } = given;
	const isTest = name !== null && (isUnsaved || (pinned !== null && Object.keys(pinned).length > 0));
	const [input, setInput] = useState(() =>
		formatInput(schema === undefined ? initial : keepFiles(sampleInput(schema), {}, listFileFields(schema))),
	);
	const { run, looking, start, clear } = useRun();
	const begin = useCallback(
		(of: string, value: JsonObject, outputs?: JsonObject) => {
			onStart();
			void start(of, value, outputs).then(() => setTimeout(reload, RECORD_MS));
		},
		[start, reload, onStart],
	);
	const changeInput = useCallback(
		(change: (input: JsonObject) => JsonObject) =>
			setInput((now) => {
				const { value } = parseInput(now);
				return value === null ? now : formatInput(change(value));
			}),
		[],
	);
	return {
		input,
		run,
		looking,
		setInput,
		changeInput,
		clear,
		runPublished,
		isTest,
		isReady: pinned !== null,
		runNow: name === null ? saveAndRun : isTest ? runTest : runPublished,
		runWith,
	};

	/**
	 * The input to run with; null if it is invalid, if it is not known yet what is pinned, or if a run is in progress, so
	 * that a repeated key press does not start a second one.
	 */
	function valueToRun(): JsonObject | null {
		return run.phase === "running" || pinned === null ? null : parseInput(input).value;
	}

	function runPublished(): void {
		const value = valueToRun();
		if (value === null || name === null) return;
		rememberInput(name, input);
		begin(name, value);
	}

	function runTest(): void {
		const value = valueToRun();
		if (value === null || name === null) return;
		rememberInput(name, input);
		test(name, value);
	}

	function test(of: string, value: JsonObject): void {
		// A draft that cannot be stored is reported above the text.
		autosave.flush().then(
			() => begin(of, value, pinned ?? {}),
			() => {},
		);
	}

	function runWith(value: JsonObject): void {
		if (name === null || run.phase === "running" || pinned === null) return;
		if (isTest) test(name, value);
		else begin(name, value);
	}

	function saveAndRun(): void {
		const value = valueToRun();
		if (value === null) return;
		saving.save((saved) => {
			rememberInput(saved, input);
			begin(saved, value);
		});
	}
}
