import type { Completion } from "@codemirror/autocomplete";
import type { Outline } from "./outline.ts";
import type { Sources } from "./sources.ts";
import type { EditorTexts } from "./texts.ts";

/** What completion is asked with. */
export interface Asked {
	readonly written: string;
	/** Of the line, behind the cursor. */
	readonly after: string;
	readonly outline: Outline;
	readonly sources: Sources;
	readonly text: EditorTexts;
}

/** Options and where what they replace begins, in the line. */
export interface Offered {
	readonly from: number;
	readonly options: readonly Completion[];
	/** What may be typed on without asking again. */
	readonly validFor: RegExp;
}
