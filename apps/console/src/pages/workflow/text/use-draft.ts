import { useEffect, useState } from "react";
import type { WorkflowDetail } from "../../../api/types.ts";
import { isNewer, type StoredText } from "./newer.ts";

export interface Draft {
	readonly text: string;
	readonly isUnsaved: boolean;
	/** What it was before it was changed. */
	readonly base: StoredText;
	/** What somebody else has saved since this text was loaded; null too where it is this very text. */
	readonly theirs: WorkflowDetail | null;
	/** Whether saving now would replace what its author has not seen. */
	isUnseen(stored: WorkflowDetail): boolean;
	set(text: string): void;
	/** It is what is stored now. */
	saved(text: string, at: string): void;
	discard(): void;
	take(theirs: WorkflowDetail): void;
	/** The next save replaces theirs. */
	keepOver(theirs: WorkflowDetail): void;
	/** Goes on with a text that was changed before. */
	takeUp(text: string, base: StoredText): void;
}

const baseOf = (detail: WorkflowDetail): StoredText => ({
	text: detail.text,
	at: detail.workflow.updated_at,
});

/** The text as it is typed, and as it is stored. A text that nobody has touched follows what is stored. */
export function useDraft(detail: WorkflowDetail | null, initial: string): Draft {
	const [base, setBase] = useState<StoredText>(() =>
		detail === null ? { text: "", at: null } : baseOf(detail),
	);
	const [text, setText] = useState(detail === null ? initial : base.text);
	const isUnsaved = text !== base.text;
	/** What was shown when the base was set is no newer than that, whatever its second says. */
	const [outdated, setOutdated] = useState<WorkflowDetail | null>(null);
	const newer = detail !== null && detail !== outdated && isNewer(baseOf(detail), base) ? detail : null;
	const isOther = isUnsaved && newer !== null && newer.text !== text;
	useEffect(() => {
		if (newer === null || isOther) return;
		setBase(baseOf(newer));
		setText(newer.text);
	}, [newer, isOther]);
	return {
		text,
		isUnsaved,
		base,
		theirs: isOther ? newer : null,
		isUnseen: (stored) => isNewer(baseOf(stored), base) && stored.text !== text,
		set: setText,
		saved: (savedText, at) => know({ text: savedText, at }),
		discard: () => setText(base.text),
		take(theirs) {
			know(baseOf(theirs));
			setText(theirs.text);
		},
		keepOver: (theirs) => know(baseOf(theirs)),
		takeUp(changed, before) {
			setBase(before);
			setText(changed);
		},
	};

	function know(stored: StoredText): void {
		setBase(stored);
		setOutdated(detail);
	}
}
