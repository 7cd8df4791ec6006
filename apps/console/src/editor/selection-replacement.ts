import type { Extension, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Touch keyboards keep their own copy of the text, and not all allow preventing an input event. */
const IS_TOUCH = /Android|iPhone|iPad/.test(navigator.userAgent);
const DELETES = new Set(["deleteContentBackward", "deleteContentForward", "deleteContent", "deleteByDrag"]);

/**
 * Replaces a selection by a transaction. The browser's own command would preserve the style of the replaced text with
 * style attributes, which the content security policy blocks. Input method composition is not touched, because it would
 * lose its position.
 */
export const selectionReplacement: Extension = EditorView.domEventHandlers({
	beforeinput(event, view) {
		const { state } = view;
		const isComposing = event.isComposing || view.composing || view.compositionStarted;
		if (IS_TOUCH || isComposing || !event.cancelable || state.readOnly || state.selection.main.empty)
			return false;
		if (DELETES.has(event.inputType)) {
			view.dispatch(state.replaceSelection(""), { userEvent: "delete.selection", scrollIntoView: true });
			return true;
		}
		if (event.inputType !== "insertText" || event.data === null) return false;
		replaceSelection(view, event.data);
		return true;
	},
});

/** Runs the editor's input handlers first, so that, for example, a bracket typed over a selection encloses it. */
function replaceSelection(view: EditorView, text: string): void {
	const { from, to } = view.state.selection.main;
	const plain = (): Transaction =>
		view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
	const handlers = view.state.facet(EditorView.inputHandler);
	if (!handlers.some((handle) => handle(view, from, to, text, plain))) view.dispatch(plain());
}
