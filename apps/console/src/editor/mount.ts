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
import { shownDiagnostics } from "./diagnostics.ts";
import { differenceOf } from "./difference.ts";
import { untilEchoed } from "./echoes.ts";
import { workflowLanguage } from "./language.ts";
import { lineKeys } from "./line-keys.ts";
import { sourcesOf } from "./sources.ts";
import type { EditorTexts } from "./texts.ts";
import { editorTheme } from "./theme.ts";
import { typedOver } from "./typed-over.ts";

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

const WAY_OUT = "way-out";
const TOLD_WITHIN_MS = 100;

/**
 * Mounts the editor in a shadow root, where its styles are adopted style sheets: the content security policy allows no
 * style elements.
 */
export function mountEditor(host: HTMLElement, wanted: Wanted): Editor {
	// Code that restores the focus, such as a closing dialog, knows only the host element.
	const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
	const wayOut = document.createElement("p");
	wayOut.id = WAY_OUT;
	wayOut.hidden = true;
	wayOut.textContent = wanted.texts.wayOut;
	root.replaceChildren(wayOut);
	const reading = new Compartment();
	const echoes = untilEchoed(wanted.value);
	let isTelling = false;

	const view = new EditorView({
		root,
		parent: root,
		state: EditorState.create({
			doc: wanted.value,
			extensions: [
				Prec.highest(
					keymap.of([
						{ key: "Mod-s", run: () => done(wanted.onSave), preventDefault: true },
						{ key: "Mod-Enter", run: () => done(wanted.onRun), preventDefault: true },
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
				completion(sourcesOf(wanted.components), wanted.texts),
				lineKeys,
				typedOver,
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
					"aria-describedby": WAY_OUT,
					tabindex: "0",
				}),
				reading.of([]),
				EditorView.updateListener.of((update) => {
					if (update.docChanged) tellLater();
				}),
				EditorView.domEventHandlers({ blur: () => void tell() }),
			],
		}),
	});

	// The scroller gets the focus first, also by a click beside the text; pass it to the text.
	view.scrollDOM.addEventListener("focus", () => view.focus());

	/** Reports after the next paint, so that typing does not wait for the page. */
	function tellLater(): void {
		if (isTelling) return;
		isTelling = true;
		requestAnimationFrame(() => setTimeout(tell));
		// A frame may take long, and until the report the page considers the text unchanged.
		setTimeout(() => isTelling && tell(), TOLD_WITHIN_MS);
	}

	/** Runs a command after reporting the latest text. */
	function done(act: () => void): boolean {
		flushSync(tell);
		act();
		return true;
	}

	/** Reports the text. Returns whether it had changed. */
	function tell(): boolean {
		isTelling = false;
		const text = view.state.doc.toString();
		const isNews = echoes.tell(text);
		if (isNews) wanted.onChange(text);
		return isNews;
	}

	return {
		setValue(text) {
			// Unreported typing wins over the new value: report it to the page instead.
			if (isTelling && tell()) return;
			if (echoes.isEcho(text)) return;
			view.dispatch({
				changes: differenceOf(view.state.doc.toString(), text),
				// A separate undo step, so that undo restores exactly what was typed before.
				annotations: isolateHistory.of("full"),
			});
		},
		setReadOnly(isReadOnly) {
			view.dispatch({ effects: reading.reconfigure(isReadOnly ? EditorState.readOnly.of(true) : []) });
		},
		setDiagnostics(diagnostics) {
			view.dispatch(setDiagnostics(view.state, shownDiagnostics(view.state.doc, diagnostics)));
		},
		goTo({ line, column = 1 }) {
			if (line === undefined) return view.focus();
			const { from, to } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
			const at = Math.min(to, from + Math.max(0, column - 1));
			view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
			view.focus();
		},
		destroy() {
			tell();
			view.destroy();
		},
	};
}
