import { EditorView, ViewPlugin } from "@codemirror/view";

/** Keeps the cursor's line in view when diagnostics appear below the editor and reduce its height. */
export const caretInView = ViewPlugin.define((view) => {
	let height = view.scrollDOM.clientHeight;
	const observer = new ResizeObserver(() => {
		const before = height;
		height = view.scrollDOM.clientHeight;
		if (height >= before || !view.hasFocus) return;
		const { head } = view.state.selection.main;
		const caret = view.coordsAtPos(head);
		const { top } = view.scrollDOM.getBoundingClientRect();
		// If the user has scrolled away from the cursor, the scroll position stays.
		if (caret !== null && caret.top < top + before && caret.bottom > top + height)
			view.dispatch({ effects: EditorView.scrollIntoView(head) });
	});
	observer.observe(view.scrollDOM);
	return { destroy: () => observer.disconnect() };
});
