import { useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { Graph, Validation } from "../../../api/types.ts";

/** Short enough to feel immediate, long enough that a word is not checked letter by letter. */
const QUIET_MS = 250;

export interface Checked {
	/** Of the last text that was checked; null before the first. */
	readonly validation: Validation | null;
	/** Of the last text that compiled, else the nearest to it. */
	readonly graph: Graph | null;
	/** The graph is not of the text as it stands. */
	readonly isGraphOld: boolean;
	readonly isChecking: boolean;
	readonly problem: Error | null;
}

const UNCHECKED: Checked = {
	validation: null,
	graph: null,
	isGraphOld: false,
	isChecking: true,
	problem: null,
};

/** What the compiler says of a text, asked again whenever typing pauses. */
export function useValidation(text: string): Checked {
	const [checked, setChecked] = useState(UNCHECKED);
	useEffect(() => {
		const stop = new AbortController();
		setChecked((before) => (before.isChecking ? before : { ...before, isChecking: true }));
		const timer = setTimeout(ask, QUIET_MS);
		return () => {
			clearTimeout(timer);
			stop.abort();
		};

		function ask(): void {
			api.workflows.validate(text, stop.signal).then(
				(validation) => setChecked((before) => afterwards(before, validation)),
				(error: unknown) => {
					if (stop.signal.aborted) return;
					const problem = error instanceof Error ? error : new Error(String(error));
					setChecked((before) => ({ ...before, isChecking: false, problem }));
				},
			);
		}
	}, [text]);
	return checked;
}

function afterwards(before: Checked, validation: Validation): Checked {
	const isNew = validation.graph !== null && (validation.valid || before.graph === null);
	return {
		validation,
		graph: isNew ? validation.graph : before.graph,
		isGraphOld: !validation.valid,
		isChecking: false,
		problem: null,
	};
}
