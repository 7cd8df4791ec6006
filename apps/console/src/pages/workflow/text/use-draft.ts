import { useCallback, useEffect, useRef, useState } from "react";
import type { WorkflowDetail, WorkflowDraft } from "../../../api/types.ts";
import { createDraftState, type DraftState, followDetail, isStale, type Published } from "./draft-state.ts";

export interface Draft {
	readonly state: DraftState;
	readonly text: string;
	/** Whether the text differs from the published one. */
	readonly isUnsaved: boolean;
	/** Someone else published a version that the text does not contain. */
	readonly isStale: boolean;
	/** The state as of now, also in a callback of an earlier render. */
	getState(): DraftState;
	set(text: string): void;
	/** Called when the service has stored a text as the draft, or has discarded the draft (null). */
	markStored(text: string, draft: WorkflowDraft | null): void;
	markPublished(published: Published): void;
	/** Returns to the published version. */
	discard(): void;
	/** Replaces the text with a published version. */
	take(published: Published): void;
	/** Restores an earlier text. */
	restore(text: string, base: number | null): void;
}

/** The edited text, and the published version and draft that the service has. */
export function useDraft(detail: WorkflowDetail | null, initial: string): Draft {
	const [state, setState] = useState(() => createDraftState(detail, initial));
	const latest = useRef(state);
	const change = useCallback((next: (now: DraftState) => DraftState) => {
		latest.current = next(latest.current);
		setState(latest.current);
	}, []);
	useEffect(() => {
		if (detail !== null) change((now) => followDetail(now, detail));
	}, [detail, change]);
	return {
		state,
		text: state.text,
		isUnsaved: state.text !== state.published.text,
		isStale: isStale(state),
		getState: () => latest.current,
		set: (text) => change((now) => ({ ...now, text })),
		markStored: (stored, draft) =>
			change((now) => ({
				...now,
				stored,
				draftBase: draft?.base ?? null,
				// Only a workflow of the legacy store gets its first version with its draft.
				base: now.base ?? draft?.base ?? null,
			})),
		markPublished: (published) =>
			change((now) => ({
				...now,
				published,
				base: published.version,
				stored: published.text,
				draftBase: null,
			})),
		discard: () => change((now) => ({ ...now, text: now.published.text, base: now.published.version })),
		take: (published) =>
			change((now) => ({ ...now, text: published.text, published, base: published.version })),
		restore: (text, base) => change((now) => ({ ...now, text, base })),
	};
}
