import { EditorView, ViewPlugin } from "@codemirror/view";

/** Findings that appear below the text take their room from it: the line that is being written stays in view. */
export const caretInView = ViewPlugin.define((view) => {
	let height = view.scrollDOM.clientHeight;
	const observer = new ResizeObserver(() => {
		const before = height;
		height = view.scrollDOM.clientHeight;
		if (height >= before || !view.hasFocus) return;
		const { head } = view.state.selection.main;
		const caret = view.coordsAtPos(head);
		const { top } = view.scrollDOM.getBoundingClientRect();
		// One who has scrolled away from it stays where they are.
		if (caret !== null && caret.top < top + before && caret.bottom > top + height)
			view.dispatch({ effects: EditorView.scrollIntoView(head) });
	});
	observer.observe(view.scrollDOM);
	return { destroy: () => observer.disconnect() };
});
