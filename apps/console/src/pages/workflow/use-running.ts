import { useCallback, useEffect, useState } from "react";
import type { JsonObject } from "../../api/types.ts";
import { formatted, readInput } from "../../inputs/json-text.ts";
import { rememberInput } from "../../inputs/last-inputs.ts";
import { exampleOf } from "./run/example.ts";
import { handOver, takeOver } from "./run/handed-over.ts";
import { type Run, useRun } from "./run/use-run.ts";
import type { Saving } from "./use-saving.ts";

/** A record is written a moment after the answer. */
const RECORD_MS = 1200;

interface Given {
	/** Null: it is new. */
	readonly name: string | null;
	readonly isUnsaved: boolean;
	readonly schema: JsonObject | undefined;
	/** What a new one begins with. */
	readonly initial: JsonObject;
	readonly saving: Saving;
	onStart(): void;
	reload(): void;
}

export interface Running {
	readonly input: string;
	readonly run: Run;
	setInput(text: string): void;
	runSaved(): void;
	saveAndRun(): void;
	/** The saved one if nothing is unsaved, else after saving. */
	runNow(): void;
	clear(): void;
}

/** The input that is typed, and the run that was started with it. */
export function useRunning({ name, isUnsaved, schema, initial, saving, onStart, reload }: Given): Running {
	const [input, setInput] = useState(() => formatted(schema === undefined ? initial : exampleOf(schema)));
	const { run, start, clear } = useRun();
	const begin = useCallback(
		(of: string, inputText: string, value: JsonObject) => {
			rememberInput(of, inputText);
			onStart();
			void start(of, value).then(() => setTimeout(reload, RECORD_MS));
		},
		[start, reload, onStart],
	);
	useEffect(() => {
		const handed = name === null ? null : takeOver(name);
		if (handed === null || name === null) return;
		setInput(handed.inputText);
		begin(name, handed.inputText, handed.input);
	}, [name, begin]);
	return {
		input,
		run,
		setInput,
		clear,
		runSaved,
		saveAndRun,
		runNow: name === null || isUnsaved ? saveAndRun : runSaved,
	};

	function runSaved(): void {
		const { value } = readInput(input);
		if (value !== null && name !== null) begin(name, input, value);
	}

	function saveAndRun(): void {
		const { value } = readInput(input);
		if (value === null) return;
		saving.save((saved) => {
			if (saved === name) begin(saved, input, value);
			else handOver(saved, input, value);
		});
	}
}
