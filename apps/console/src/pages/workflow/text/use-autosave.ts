import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../../api/api.ts";
import { ApiProblem } from "../../../api/call.ts";
import { resolveDeletion } from "../../../api/not-found.ts";
import type { WorkflowDraft } from "../../../api/types.ts";
import { isToStore } from "./draft-state.ts";
import type { Draft } from "./use-draft.ts";

/** A pause in typing. */
const DEBOUNCE_MS = 800;
const RETRY_MS = 5000;

export interface Autosave {
	/** Why the draft could not be stored; null if it was. The text stays in the editor. */
	readonly problem: Error | null;
	/** Whether the text is not stored yet. */
	readonly isPending: boolean;
	/** Stores the text now. Rejects if that fails. */
	flush(): Promise<void>;
	/** Does something to the draft while nothing else is sent. */
	inTurn<T>(act: () => Promise<T>): Promise<T>;
	/** Does the same after the text has been stored. */
	withStored<T>(act: () => Promise<T>): Promise<T>;
}

interface Given {
	/** Null for a new workflow, which has no draft until it is saved. */
	readonly name: string | null;
	readonly draft: Draft;
	/** Called with the draft that the service has, null if none. */
	onStored(draft: WorkflowDraft | null): void;
}

/** Stores the text as the workflow's draft whenever typing pauses, one request at a time. */
export function useAutosave(given: Given): Autosave {
	const latest = useRef(given);
	latest.current = given;
	const last = useRef<Promise<unknown> | null>(null);
	const [problem, setProblem] = useState<Error | null>(null);
	const { name, draft } = given;
	const isPending = name !== null && isToStore(draft.state);

	const inTurn = useCallback(<T>(act: () => Promise<T>): Promise<T> => {
		// At once if nothing is under way, because the session may end right after.
		const done = last.current === null ? act() : last.current.then(act);
		const ended = done
			.catch(() => {})
			.then(() => {
				if (last.current === ended) last.current = null;
			});
		last.current = ended;
		return done;
	}, []);
	const flush = useCallback(() => inTurn(() => store(latest.current, setProblem)), [inTurn]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text restarts the timer.
	useEffect(() => {
		if (!isPending || (problem !== null && !mayPass(problem))) return;
		const timer = setTimeout(() => flush().catch(() => {}), problem === null ? DEBOUNCE_MS : RETRY_MS);
		return () => clearTimeout(timer);
	}, [isPending, draft.text, problem, flush]);
	// Another text may be accepted.
	// biome-ignore lint/correctness/useExhaustiveDependencies: every change of the text counts.
	useEffect(() => {
		setProblem((now) => (now === null || mayPass(now) ? now : null));
	}, [draft.text]);

	return {
		problem: isPending ? problem : null,
		isPending,
		flush,
		inTurn,
		withStored: (act) =>
			inTurn(async () => {
				await store(latest.current, setProblem);
				return act();
			}),
	};
}

async function store({ name, draft, onStored }: Given, setProblem: (problem: Error | null) => void) {
	const state = draft.getState();
	if (name === null || !isToStore(state)) return;
	const { text, base, published } = state;
	try {
		if (text === published.text) {
			await resolveDeletion(api.drafts.discard(name));
			draft.markStored(text, null);
			onStored(null);
		} else {
			const stored = await api.drafts.save(name, text, base ?? undefined);
			draft.markStored(text, stored);
			onStored(stored);
		}
		setProblem(null);
	} catch (error) {
		setProblem(error instanceof Error ? error : new Error(String(error)));
		throw error;
	}
}

/** Whether the same request may succeed later. */
const mayPass = (problem: Error): boolean => !(problem instanceof ApiProblem) || problem.status >= 500;
