import type { Completion } from "@codemirror/autocomplete";
import type { Outline } from "./outline.ts";
import type { Sources } from "./sources.ts";
import type { EditorTexts } from "./texts.ts";

/** Context of a completion request. */
export interface Asked {
	readonly written: string;
	/** The rest of the line after the cursor. */
	readonly after: string;
	readonly outline: Outline;
	readonly sources: Sources;
	readonly text: EditorTexts;
}

/** Completion options, and the column at which the text they replace starts. */
export interface Offered {
	readonly from: number;
	readonly options: readonly Completion[];
	/** While the typed text matches this, the options are filtered without a new request. */
	readonly validFor: RegExp;
}
