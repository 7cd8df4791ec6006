import { useState } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { Diagnostic } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { toast } from "../../ui/toasts.tsx";
import { nameIn } from "./text/places.ts";
import type { Draft } from "./text/use-draft.ts";
import { WORKFLOW } from "./texts.ts";

/** A save that goes to another name than the page's: it is asked for first. */
interface OtherName {
	readonly to: string;
	/** There is a workflow of that name, which would be replaced. */
	readonly isTaken: boolean;
	readonly then: Then | undefined;
}
type Then = (name: string) => void;

export interface Saving {
	readonly isBusy: boolean;
	readonly problem: Error | null;
	/** What the service found in the text that it refused. */
	readonly diagnostics: readonly Diagnostic[];
	readonly asked: OtherName | null;
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
	const [asked, setAsked] = useState<OtherName | null>(null);
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
		if (to === name) return void (await write.run(to, then));
		const isTaken = await exists(to);
		if (name !== null || isTaken) setAsked({ to, isTaken, then });
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
