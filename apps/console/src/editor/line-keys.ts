import { type Extension, Prec } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { nextLine } from "./next-line.ts";

/** Enter continues the previous line's structure: deeper indentation after a key, another item in a list. */
export const lineKeys: Extension = Prec.high(keymap.of([{ key: "Enter", run: enter }]));

function enter(view: EditorView): boolean {
	const { state } = view;
	const { main } = state.selection;
	if (state.readOnly || state.selection.ranges.length > 1 || !main.empty) return false;
	const line = state.doc.lineAt(main.head);
	const next = nextLine(line.text, main.head - line.from);
	if (next === null) return false;
	const from = next.isInPlace ? line.from : main.head;
	const insert = next.isInPlace ? next.text : `\n${next.text}`;
	view.dispatch({
		changes: { from, to: main.head, insert },
		selection: { anchor: from + insert.length },
		scrollIntoView: true,
		userEvent: "input",
	});
	return true;
}
