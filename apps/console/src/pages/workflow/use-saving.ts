import { useState } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { Diagnostic, WorkflowDetail } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { toast } from "../../ui/toasts.tsx";
import { findName } from "./text/places.ts";
import type { Draft } from "./text/use-draft.ts";
import { WORKFLOW } from "./texts.ts";

/** A save that needs confirmation, because it does more than replace the version the user has seen. */
interface Asked {
	/** Name to save under. */
	readonly to: string;
	/** A workflow with that name exists and would be replaced. */
	readonly isTaken: boolean;
	/** A version that someone else saved since. */
	readonly theirs: WorkflowDetail | null;
	readonly then: Then | undefined;
}
type Then = (name: string) => void;

export interface Saving {
	readonly isBusy: boolean;
	readonly problem: Error | null;
	/** Diagnostics of a rejected save. */
	readonly diagnostics: readonly Diagnostic[];
	readonly asked: Asked | null;
	/** `then` is called with the name after the save. */
	save(then?: Then): void;
	confirm(): void;
	cancel(): void;
	/** Clears the error, because the text has changed. */
	clear(): void;
}

interface Given {
	/** The workflow of the page; null for a new one. */
	readonly name: string | null;
	readonly draft: Draft;
	onSaved(name: string): void;
}

export function useSaving({ name, draft, onSaved }: Given): Saving {
	const text = useTexts(WORKFLOW);
	const [asked, setAsked] = useState<Asked | null>(null);
	const write = useAction(async (to: string, then: Then | undefined) => {
		const written = draft.text;
		const saved = await api.workflows.save(to, written);
		draft.markSaved(written, saved.updated_at);
		toast(text.saved(saved.name));
		onSaved(saved.name);
		then?.(saved.name);
	});
	const begin = useAction(async (then: Then | undefined) => {
		const to = findName(draft.text) ?? name;
		if (to === null) throw new Error(text.noName);
		const isOther = to !== name;
		const isTaken = isOther && (await isNameTaken(to));
		const stored = isOther ? null : await loadStored(to);
		const theirs = stored !== null && draft.isUnseen(stored) ? stored : null;
		if ((isOther && name !== null) || isTaken || theirs !== null) setAsked({ to, isTaken, theirs, then });
		else await write.run(to, then);
	});
	const problem = write.problem ?? begin.problem;
	const isBusy = write.isBusy || begin.isBusy;
	return {
		isBusy,
		problem,
		diagnostics: readDiagnostics(problem),
		asked,
		save: (then) => {
			if (isBusy || (!draft.isUnsaved && then === undefined)) return;
			write.clear();
			void begin.run(then);
		},
		confirm: () => {
			if (asked === null) return;
			setAsked(null);
			void write.run(asked.to, asked.then);
		},
		cancel: () => setAsked(null),
		clear() {
			write.clear();
			begin.clear();
		},
	};
}

function readDiagnostics(problem: Error | null): readonly Diagnostic[] {
	const found = problem instanceof ApiProblem ? problem.answer.diagnostics : undefined;
	return Array.isArray(found) ? (found as Diagnostic[]) : [];
}

async function isNameTaken(name: string): Promise<boolean> {
	return (await api.workflows.list()).some((each) => each.name === name);
}

/** Loads the stored version at every save, because the polled one may be old. */
async function loadStored(name: string): Promise<WorkflowDetail | null> {
	try {
		return await api.workflows.get(name);
	} catch (error) {
		// It was deleted since; saving creates it again.
		if (error instanceof ApiProblem && error.status === 404) return null;
		throw error;
	}
}
