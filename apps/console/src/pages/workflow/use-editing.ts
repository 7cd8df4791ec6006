import type { WorkflowDetail, WorkflowDraft } from "../../api/types.ts";
import { useLeaveGuard } from "../../router.tsx";
import { useKeptWork } from "../../session/unsaved-work.ts";
import { useTexts } from "../../texts/texts.ts";
import { toast } from "../../ui/toasts.tsx";
import { replaceName } from "./text/places.ts";
import { type Autosave, useAutosave } from "./text/use-autosave.ts";
import { type Draft, useDraft } from "./text/use-draft.ts";
import { WORKFLOW } from "./texts.ts";
import { type Saving, useSaving } from "./use-saving.ts";

interface Given {
	/** Null for a new workflow. */
	readonly name: string | null;
	readonly detail: WorkflowDetail | null;
	/** Initial text of a new workflow. */
	readonly initial: string;
	/** The page is left on purpose: changes need no question. */
	readonly isLeaving: boolean;
	onDraft(draft: WorkflowDraft | null): void;
	onSaved(name: string): void;
	/** Called when the text was replaced by other means than typing. */
	onReplaced(): void;
}

export interface Editing {
	readonly draft: Draft;
	readonly autosave: Autosave;
	readonly saving: Saving;
	discard(): void;
	take(theirs: WorkflowDetail): void;
	/** Called after the workflow was renamed, which made a new version. A draft goes on from there under the new name. */
	rename(to: string, version: number): void;
}

/** The text of a workflow: its draft, how it is stored and published, and what happens when the page is left. */
export function useEditing({
	name,
	detail,
	initial,
	isLeaving,
	onDraft,
	onSaved,
	onReplaced,
}: Given): Editing {
	const text = useTexts(WORKFLOW);
	const draft = useDraft(detail, initial);
	const autosave = useAutosave({ name, draft, onStored: onDraft });
	const saving = useSaving({ name, draft, autosave, onSaved });
	// An unchanged example is not worth a warning.
	const isWork = name === null ? draft.text !== initial : autosave.isPending;
	useLeaveGuard(isWork && !isLeaving, text.leaveQuestion, () => {
		if (name === null || autosave.problem !== null) return false;
		autosave.flush().catch(() => toast(text.draftLost, { isProblem: true }));
		return true;
	});
	const { base } = draft.state;
	const unsaved = isWork ? { text: draft.text, base: base === null ? null : String(base) } : null;
	useKeptWork("workflow", unsaved, (work) => {
		draft.restore(work.text, work.base === null ? null : Number(work.base));
		onReplaced();
	});
	return { draft, autosave, saving, discard, take, rename };

	function discard(): void {
		const { text: before, base: of } = draft.getState();
		draft.discard();
		saving.clear();
		onReplaced();
		// Stored at once, because the page may have been left.
		const undo = () => {
			draft.restore(before, of);
			autosave.flush().catch(() => toast(text.draftLost, { isProblem: true }));
		};
		autosave.flush().then(
			() => toast(text.discarded, { action: { label: text.undo, run: undo } }),
			() => {},
		);
	}

	function rename(to: string, version: number): void {
		const { text: mine, published } = draft.getState();
		draft.markPublished({ text: replaceName(published.text, to), version });
		draft.restore(replaceName(mine, to), version);
	}

	function take(theirs: WorkflowDetail): void {
		saving.cancel();
		saving.clear();
		draft.take({ text: theirs.text, version: theirs.workflow.version_number });
		onReplaced();
	}
}
