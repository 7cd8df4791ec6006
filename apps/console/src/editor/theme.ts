import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { TRIPLET_TAGS } from "./language.ts";

const colours = HighlightStyle.define([
	{ tag: TRIPLET_TAGS.section, color: "var(--ink)", fontWeight: "650" },
	{ tag: TRIPLET_TAGS.node, color: "var(--accent)" },
	{ tag: TRIPLET_TAGS.relation, color: "var(--violet)" },
	{ tag: TRIPLET_TAGS.failure, color: "var(--bad)" },
	{ tag: TRIPLET_TAGS.arrow, color: "var(--soft)" },
	{ tag: TRIPLET_TAGS.template, color: "var(--teal)", fontWeight: "600" },
	{ tag: tags.string, color: "var(--good)" },
	{ tag: [tags.number, tags.atom], color: "var(--warn)" },
	{ tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
	{ tag: tags.punctuation, color: "var(--soft)" },
]);

/** Separate properties, because Safari does not support the style in the shorthand. */
const underline = (style: string, colour: string) => ({
	textDecorationLine: "underline",
	textDecorationStyle: style,
	textDecorationColor: colour,
	textDecorationThickness: "1px",
});

/** Uses the page's CSS variables, which are inherited into the shadow root, so the editor follows the theme. */
const look = EditorView.theme({
	"&": {
		height: "100%",
		borderRadius: "inherit",
		backgroundColor: "var(--card)",
		color: "var(--ink)",
		fontSize: "0.84375rem",
	},
	"&.cm-focused": { outline: "none" },
	// Drawn above the gutters, which would cover an outline.
	"&.cm-focused::after": {
		content: '""',
		position: "absolute",
		inset: "0",
		zIndex: "201",
		border: "2px solid var(--accent)",
		borderRadius: "inherit",
		pointerEvents: "none",
	},
	".cm-scroller": {
		borderRadius: "inherit",
		fontFamily: "var(--mono)",
		lineHeight: "1.6",
		overflow: "auto",
	},
	".cm-content": { padding: "0.6rem 0", caretColor: "var(--ink)" },
	// Wrapped rows are indented further, so that the indentation of the line stays visible.
	".cm-line": { padding: "0 1rem 0 calc(0.5rem + 4ch)", textIndent: "-4ch" },
	".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", border: "0" },
	".cm-lineNumbers .cm-gutterElement": { padding: "0 0.4rem 0 0.6rem", minWidth: "2.2rem" },
	".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--ink) 4%, transparent)" },
	".cm-activeLineGutter": {
		backgroundColor: "color-mix(in srgb, var(--ink) 4%, transparent)",
		color: "var(--ink)",
	},
	// Uses the browser's caret and selection: drawing them ourselves costs more than the rest of a keystroke.
	".cm-content ::selection, .cm-content::selection": {
		backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
	},
	"&.cm-focused .cm-matchingBracket, .cm-matchingBracket": {
		backgroundColor: "transparent",
		outline: "1px solid var(--edge)",
		borderRadius: "2px",
	},
	"&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--bad)" },

	".cm-lintRange": { paddingBottom: "0" },
	".cm-lintRange-error": {
		backgroundImage: "none",
		...underline("wavy", "var(--bad)"),
		textUnderlineOffset: "3px",
	},
	".cm-lintRange-warning": {
		backgroundImage: "none",
		...underline("dashed", "var(--warn)"),
		textUnderlineOffset: "3px",
	},
	".cm-lintRange-active": { backgroundColor: "color-mix(in srgb, var(--warn) 15%, transparent)" },
	".cm-lintPoint::after": { borderBottomColor: "var(--bad)" },
	".cm-lintPoint-warning::after": { borderBottomColor: "var(--warn)" },
	".cm-gutter-lint": { width: "1.1rem" },
	".cm-gutter-lint .cm-gutterElement": {
		display: "grid",
		placeItems: "start center",
		// Centred on the first row of a wrapped line, next to its number.
		padding: "calc((1.6em - 0.55rem) / 2) 0 0",
		cursor: "pointer",
	},
	".cm-lint-marker": { width: "0.55rem", height: "0.55rem" },
	".cm-lint-marker-error": { content: '""', borderRadius: "50%", backgroundColor: "var(--bad)" },
	".cm-lint-marker-warning": {
		content: '""',
		backgroundColor: "var(--warn)",
		clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
	},

	".cm-tooltip": {
		maxWidth: "min(30rem, 90vw)",
		border: "1px solid var(--line)",
		borderRadius: "8px",
		backgroundColor: "var(--card)",
		color: "var(--ink)",
		boxShadow: "0 8px 24px -8px var(--shadow)",
		overflow: "hidden",
	},
	".cm-tooltip-lint": { margin: "0", padding: "0.15rem 0" },
	".cm-diagnostic": { padding: "0.35rem 0.75rem", border: "0", fontFamily: "var(--sans)" },
	".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
	".cm-diagnostic-warning": { borderLeft: "3px solid var(--warn)" },
	".cm-diagnostic + .cm-diagnostic": { marginTop: "0.25rem" },
	".cm-diagnosticText span": { display: "block" },
	".cm-diagnosticText .hint": { color: "var(--soft)" },

	".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)" },
	".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
	".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--accent-back)" },
	"&.cm-focused .cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]":
		{
			background: "var(--accent-back)",
			color: "var(--ink)",
		},
	".cm-panel.cm-panel-lint [name=close]": { color: "var(--ink)", minWidth: "1.5rem", minHeight: "1.5rem" },

	".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
	".cm-tooltip.cm-tooltip-autocomplete > ul": {
		minWidth: "14rem",
		maxWidth: "min(34rem, 92vw)",
		maxHeight: "15rem",
		padding: "0.25rem",
		borderRadius: "8px",
		fontFamily: "var(--mono)",
	},
	".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
		display: "flex",
		gap: "0.75rem",
		alignItems: "baseline",
		padding: "0.2rem 0.5rem",
		borderRadius: "5px",
		lineHeight: "1.4",
	},
	".cm-tooltip-autocomplete ul li[aria-selected], .cm-tooltip-autocomplete-disabled ul li[aria-selected]": {
		background: "var(--accent-back)",
		color: "var(--ink)",
	},
	".cm-completionLabel": { whiteSpace: "pre" },
	".cm-completionMatchedText": { color: "var(--accent)", textDecoration: "none", fontWeight: "650" },
	".cm-completionDetail": {
		flex: "1",
		minWidth: "0",
		margin: "0",
		overflow: "hidden",
		textOverflow: "ellipsis",
		color: "var(--soft)",
		fontFamily: "var(--sans)",
		fontSize: "0.8125rem",
		fontStyle: "normal",
		textAlign: "right",
	},
	".cm-tooltip.cm-completionInfo": {
		maxWidth: "22rem",
		padding: "0.5rem 0.75rem",
		fontFamily: "var(--sans)",
		fontSize: "0.8125rem",
		lineHeight: "1.5",
		whiteSpace: "pre-line",
		maxHeight: "15rem",
		overflow: "auto",
	},
	".cm-snippetField": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
});

export const editorTheme = [look, syntaxHighlighting(colours)];
