import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import {
	EditorView,
	highlightActiveLine,
	highlightActiveLineGutter,
	highlightSpecialChars,
	keymap,
	lineNumbers,
} from "@codemirror/view";
import { flushSync } from "react-dom";
import type { ComponentItem, Diagnostic } from "../api/types.ts";
import { caretInView } from "./caret-in-view.ts";
import { completion } from "./completion.ts";
import { toMarks } from "./diagnostics.ts";
import { findDifference } from "./difference.ts";
import { trackEchoes } from "./echoes.ts";
import { workflowLanguage } from "./language.ts";
import { lineKeys } from "./line-keys.ts";
import { selectionReplacement } from "./selection-replacement.ts";
import { createSources } from "./sources.ts";
import type { EditorTexts } from "./texts.ts";
import { editorTheme } from "./theme.ts";

export interface Editor {
	setValue(text: string): void;
	setReadOnly(isReadOnly: boolean): void;
	setDiagnostics(diagnostics: readonly Diagnostic[]): void;
	/** Focuses the text at a position, or at the last cursor position if none is given. */
	goTo(place: { readonly line?: number; readonly column?: number }): void;
	destroy(): void;
}

interface Wanted {
	readonly value: string;
	readonly label: string;
	readonly texts: EditorTexts;
	components(): readonly ComponentItem[];
	onChange(text: string): void;
	onSave(): void;
	onRun(): void;
}

const HINT_ID = "leave-hint";
const MAX_REPORT_DELAY_MS = 100;

/**
 * Mounts the editor in a shadow root, where its styles are adopted style sheets: the content security policy allows no
 * style elements.
 */
export function mountEditor(host: HTMLElement, wanted: Wanted): Editor {
	// Code that restores the focus, such as a closing dialog, knows only the host element.
	const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
	const leaveHint = document.createElement("p");
	leaveHint.id = HINT_ID;
	leaveHint.hidden = true;
	leaveHint.textContent = wanted.texts.leaveHint;
	root.replaceChildren(leaveHint);
	const reading = new Compartment();
	const echoes = trackEchoes(wanted.value);
	let isReportPending = false;

	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: wanted.value,
			extensions: [
				Prec.highest(
					keymap.of([
						{ key: "Mod-s", run: () => runCommand(wanted.onSave), preventDefault: true },
						{ key: "Mod-Enter", run: () => runCommand(wanted.onRun), preventDefault: true },
					]),
				),
				lineNumbers(),
				lintGutter(),
				highlightActiveLineGutter(),
				highlightSpecialChars(),
				// Without wrapping, each key typed into the longest line would lay out all other lines again.
				EditorView.lineWrapping,
				caretInView,
				EditorView.scrollMargins.of(() => ({ top: 8, bottom: 8 })),
				history(),
				indentUnit.of("  "),
				EditorState.tabSize.of(2),
				bracketMatching({ maxScanDistance: 2000 }),
				closeBrackets(),
				highlightActiveLine(),
				workflowLanguage,
				editorTheme,
				completion(createSources(wanted.components), wanted.texts),
				lineKeys,
				selectionReplacement,
				keymap.of([
					...closeBracketsKeymap,
					...completionKeymap,
					...lintKeymap,
					...historyKeymap,
					...defaultKeymap,
					indentWithTab,
				]),
				EditorState.phrases.of(wanted.texts.phrases),
				EditorView.contentAttributes.of({
					"aria-label": wanted.label,
					"aria-describedby": HINT_ID,
					tabindex: "0",
				}),
				reading.of([]),
				EditorView.updateListener.of((update) => {
					if (update.docChanged) scheduleReport();
				}),
				EditorView.domEventHandlers({ blur: () => void reportChange() }),
			],
		}),
	});

	// The scroller gets the focus first, also by a click beside the text; pass it to the text.
	view.scrollDOM.addEventListener("focus", () => view.focus());

	/** Reports after the next paint, so that typing does not wait for the page. */
	function scheduleReport(): void {
		if (isReportPending) return;
		isReportPending = true;
		requestAnimationFrame(() => setTimeout(reportChange));
		// A frame may take long, and until the report the page considers the text unchanged.
		setTimeout(() => isReportPending && reportChange(), MAX_REPORT_DELAY_MS);
	}

	/** Runs a command after reporting the latest text. */
	function runCommand(act: () => void): boolean {
		flushSync(reportChange);
		act();
		return true;
	}

	/** Reports the text. Returns whether it had changed. */
	function reportChange(): boolean {
		isReportPending = false;
		const text = view.state.doc.toString();
		const isNews = echoes.report(text);
		if (isNews) wanted.onChange(text);
		return isNews;
	}

	return {
		setValue(text) {
			// Unreported typing wins over the new value: report it to the page instead.
			if (isReportPending && reportChange()) return;
			if (echoes.isEcho(text)) return;
			view.dispatch({
				changes: findDifference(view.state.doc.toString(), text),
				// A separate undo step, so that undo restores exactly what was typed before.
				annotations: isolateHistory.of("full"),
			});
		},
		setReadOnly(isReadOnly) {
			view.dispatch({ effects: reading.reconfigure(isReadOnly ? EditorState.readOnly.of(true) : []) });
		},
		setDiagnostics(diagnostics) {
			view.dispatch(setDiagnostics(view.state, toMarks(view.state.doc, diagnostics)));
		},
		goTo({ line, column = 1 }) {
			if (line === undefined) return view.focus();
			const { from, to } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
			const at = Math.min(to, from + Math.max(0, column - 1));
			view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
			view.focus();
		},
		destroy() {
			reportChange();
			view.destroy();
		},
	};
}
