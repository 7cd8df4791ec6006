import { useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { Graph, Validation } from "../../../api/types.ts";
import { useLanguage } from "../../../texts/texts.ts";

/** Debounce time: feels immediate, but does not check a word letter by letter. */
const DEBOUNCE_MS = 250;

export interface Checked {
	/** Result for the last checked text; null before the first check. */
	readonly validation: Validation | null;
	/** Graph of the last text that compiled, or the best available. */
	readonly graph: Graph | null;
	/** The graph does not match the current text. */
	readonly isGraphOld: boolean;
	/** The form of the last text that compiled; null if it has none. */
	readonly form: NonNullable<Validation["form"]> | null;
	readonly isChecking: boolean;
	readonly problem: Error | null;
}

const UNCHECKED: Checked = {
	validation: null,
	graph: null,
	isGraphOld: false,
	form: null,
	isChecking: true,
	problem: null,
};

/** Compiles the text whenever typing pauses. */
export function useValidation(text: string): Checked {
	const language = useLanguage();
	const [checked, setChecked] = useState(UNCHECKED);
	useEffect(() => {
		const stop = new AbortController();
		setChecked((before) => (before.isChecking ? before : { ...before, isChecking: true }));
		const timer = setTimeout(validate, DEBOUNCE_MS);
		return () => {
			clearTimeout(timer);
			stop.abort();
		};

		function validate(): void {
			api.workflows.validate(text, language, stop.signal).then(
				(validation) => setChecked((before) => applyValidation(before, validation)),
				(error: unknown) => {
					if (stop.signal.aborted) return;
					const problem = error instanceof Error ? error : new Error(String(error));
					setChecked((before) => ({ ...before, isChecking: false, problem }));
				},
			);
		}
	}, [text, language]);
	return checked;
}

function applyValidation(before: Checked, validation: Validation): Checked {
	const isNew = validation.graph !== null && (validation.valid || before.graph === null);
	return {
		validation,
		graph: isNew ? validation.graph : before.graph,
		isGraphOld: !validation.valid,
		form: validation.valid ? (validation.form ?? null) : before.form,
		isChecking: false,
		problem: null,
	};
}
