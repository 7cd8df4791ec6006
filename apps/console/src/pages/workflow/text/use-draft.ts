import { useEffect, useState } from "react";
import type { WorkflowDetail } from "../../../api/types.ts";

export interface Draft {
	readonly text: string;
	readonly isUnsaved: boolean;
	/** What somebody else has saved since this text was loaded. */
	readonly theirs: WorkflowDetail | null;
	set(text: string): void;
	/** It is what is stored now. */
	saved(text: string, at: string): void;
	discard(): void;
	takeTheirs(): void;
	/** The next save replaces theirs. */
	keepMine(): void;
}

interface Base {
	readonly text: string;
	readonly at: string | null;
}

const baseOf = (detail: WorkflowDetail): Base => ({ text: detail.text, at: detail.workflow.updated_at });

/** The text as it is typed, and as it is stored. A text that nobody has touched follows what is stored. */
export function useDraft(detail: WorkflowDetail | null, initial: string): Draft {
	const [base, setBase] = useState<Base>(() => (detail === null ? { text: "", at: null } : baseOf(detail)));
	const [text, setText] = useState(detail === null ? initial : base.text);
	const isUnsaved = text !== base.text;
	const newer = detail !== null && isLater(detail.workflow.updated_at, base.at) ? detail : null;
	useEffect(() => {
		if (newer === null || isUnsaved) return;
		setBase(baseOf(newer));
		setText(newer.text);
	}, [newer, isUnsaved]);
	return {
		text,
		isUnsaved,
		theirs: isUnsaved ? newer : null,
		set: setText,
		saved: (savedText, at) => setBase({ text: savedText, at }),
		discard: () => setText(base.text),
		takeTheirs() {
			if (newer === null) return;
			setBase(baseOf(newer));
			setText(newer.text);
		},
		keepMine: () => newer !== null && setBase(baseOf(newer)),
	};
}

const isLater = (one: string | null, other: string | null): boolean =>
	one !== null && other !== null && one > other;
