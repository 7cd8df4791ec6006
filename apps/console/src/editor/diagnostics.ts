import type { Diagnostic as Mark } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { Diagnostic } from "../api/types.ts";
import { findTokenRange } from "./diagnostic-range.ts";

/** The compiler's diagnostics as marks in the text. A diagnostic without a line is shown on the first line. */
export function toMarks(doc: Text, diagnostics: readonly Diagnostic[]): Mark[] {
	return diagnostics.map(({ severity, message, hint, line = 1, column }) => {
		const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
		const { from, to } = findTokenRange(at.text, column);
		return {
			from: at.from + from,
			to: at.from + to,
			severity,
			message: hint === undefined ? message : `${message}. ${hint}`,
			renderMessage: () => renderDiagnostic(message, hint),
		};
	});
}

function renderDiagnostic(message: string, hint: string | undefined): Node {
	const content = document.createDocumentFragment();
	content.append(createSpan(message, ""));
	if (hint !== undefined) content.append(createSpan(hint, "hint"));
	return content;
}

function createSpan(text: string, name: string): HTMLSpanElement {
	const span = document.createElement("span");
	span.className = name;
	span.textContent = text;
	return span;
}
