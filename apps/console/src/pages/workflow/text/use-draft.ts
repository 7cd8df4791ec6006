import { useEffect, useState } from "react";
import type { WorkflowDetail } from "../../../api/types.ts";
import { isNewer, type StoredText } from "./newer.ts";

export interface Draft {
	readonly text: string;
	readonly isUnsaved: boolean;
	/** The stored text that the draft is based on. */
	readonly base: StoredText;
	/** A newer version saved by someone else; null if there is none or its text is the same. */
	readonly theirs: WorkflowDetail | null;
	/** Whether saving now would overwrite a version the user has not seen. */
	isUnseen(stored: WorkflowDetail): boolean;
	set(text: string): void;
	/** Call after a save. */
	markSaved(text: string, at: string): void;
	discard(): void;
	takeTheirs(theirs: WorkflowDetail): void;
	/** Keeps the draft; the next save overwrites their version. */
	keepMine(theirs: WorkflowDetail): void;
	/** Restores an earlier draft. */
	restore(text: string, base: StoredText): void;
}

const toStoredText = (detail: WorkflowDetail): StoredText => ({
	text: detail.text,
	at: detail.workflow.updated_at,
});

/** The edited text and its stored version. An unchanged text follows the stored one. */
export function useDraft(detail: WorkflowDetail | null, initial: string): Draft {
	const [base, setBase] = useState<StoredText>(() =>
		detail === null ? { text: "", at: null } : toStoredText(detail),
	);
	const [text, setText] = useState(detail === null ? initial : base.text);
	const isUnsaved = text !== base.text;
	/** The version shown when the base was set; it does not count as newer, even within the same second. */
	const [outdated, setOutdated] = useState<WorkflowDetail | null>(null);
	const newer = detail !== null && detail !== outdated && isNewer(toStoredText(detail), base) ? detail : null;
	const isOther = isUnsaved && newer !== null && newer.text !== text;
	useEffect(() => {
		if (newer === null || isOther) return;
		setBase(toStoredText(newer));
		setText(newer.text);
	}, [newer, isOther]);
	return {
		text,
		isUnsaved,
		base,
		theirs: isOther ? newer : null,
		isUnseen: (stored) => isNewer(toStoredText(stored), base) && stored.text !== text,
		set: setText,
		markSaved: (savedText, at) => setStored({ text: savedText, at }),
		discard: () => setText(base.text),
		takeTheirs(theirs) {
			setStored(toStoredText(theirs));
			setText(theirs.text);
		},
		keepMine: (theirs) => setStored(toStoredText(theirs)),
		restore(changed, before) {
			setBase(before);
			setText(changed);
		},
	};

	function setStored(stored: StoredText): void {
		setBase(stored);
		setOutdated(detail);
	}
}
