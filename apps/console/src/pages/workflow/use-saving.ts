import { useState } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { Diagnostic, WorkflowDetail } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { toast } from "../../ui/toasts.tsx";
import { nameIn } from "./text/places.ts";
import type { Draft } from "./text/use-draft.ts";
import { WORKFLOW } from "./texts.ts";

/** A save that does more than replace what its author has seen: it is asked for first. */
interface Asked {
	/** Another name than the page's, or the same. */
	readonly to: string;
	/** There is a workflow of that other name, which would be replaced. */
	readonly isTaken: boolean;
	/** Somebody else has saved this one meanwhile. */
	readonly theirs: WorkflowDetail | null;
	readonly then: Then | undefined;
}
type Then = (name: string) => void;

export interface Saving {
	readonly isBusy: boolean;
	readonly problem: Error | null;
	/** What the service found in the text that it refused. */
	readonly diagnostics: readonly Diagnostic[];
	readonly asked: Asked | null;
	/** `then` is told the name once it is saved. */
	save(then?: Then): void;
	confirm(): void;
	cancel(): void;
	/** Forgets the problem: the text is another by now. */
	clear(): void;
}

interface Given {
	/** Of the page; null: it is new. */
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
		draft.saved(written, saved.updated_at);
		toast(text.saved(saved.name));
		onSaved(saved.name);
		then?.(saved.name);
	});
	const begin = useAction(async (then: Then | undefined) => {
		const to = nameIn(draft.text) ?? name;
		if (to === null) throw new Error(text.noName);
		const isOther = to !== name;
		const isTaken = isOther && (await exists(to));
		const stored = isOther ? null : await storedAs(to);
		const theirs = stored !== null && draft.isUnseen(stored) ? stored : null;
		if ((isOther && name !== null) || isTaken || theirs !== null) setAsked({ to, isTaken, theirs, then });
		else await write.run(to, then);
	});
	const problem = write.problem ?? begin.problem;
	const isBusy = write.isBusy || begin.isBusy;
	return {
		isBusy,
		problem,
		diagnostics: diagnosticsOf(problem),
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

function diagnosticsOf(problem: Error | null): readonly Diagnostic[] {
	const found = problem instanceof ApiProblem ? problem.answer.diagnostics : undefined;
	return Array.isArray(found) ? (found as Diagnostic[]) : [];
}

async function exists(name: string): Promise<boolean> {
	return (await api.workflows.list()).some((each) => each.name === name);
}

/** Asked at every save: a page that looks every so often may not know the latest. */
async function storedAs(name: string): Promise<WorkflowDetail | null> {
	try {
		return await api.workflows.get(name);
	} catch (error) {
		// Deleted meanwhile: it is made anew.
		if (error instanceof ApiProblem && error.status === 404) return null;
		throw error;
	}
}
