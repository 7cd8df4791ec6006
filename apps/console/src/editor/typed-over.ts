import type { Extension, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Their keyboards keep a text of their own, and not all of them let an input be prevented. */
const IS_TOUCH = /Android|iPhone|iPad/.test(navigator.userAgent);
const DELETES = new Set(["deleteContentBackward", "deleteContentForward", "deleteContent", "deleteByDrag"]);

/**
 * What replaces a selection goes in by a transaction. The browser's own command would keep the look of what it takes
 * away, by style attributes that the content security policy refuses. What an input method composes is left alone:
 * it would lose its place.
 */
export const typedOver: Extension = EditorView.domEventHandlers({
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
		typed(view, event.data);
		return true;
	},
});

/** As the editor does it with what it reads from the page: brackets, for one, go around what is selected. */
function typed(view: EditorView, text: string): void {
	const { from, to } = view.state.selection.main;
	const plain = (): Transaction =>
		view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
	const handlers = view.state.facet(EditorView.inputHandler);
	if (!handlers.some((handle) => handle(view, from, to, text, plain))) view.dispatch(plain());
}
