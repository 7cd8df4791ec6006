/** The lines of a text, 1-based like those of the editor's document. */
export interface Lines {
	readonly lines: number;
	line(number: number): { readonly text: string };
}

/** Path segment for an element of a list. */
export const ITEM = "[]";
export type Path = readonly string[];

/** What is being typed at a position; `from` is the column at which it starts. */
export type Place =
	| {
			readonly kind: "key";
			readonly path: Path;
			readonly from: number;
			readonly siblings: readonly string[];
			readonly isCompact: boolean;
	  }
	| { readonly kind: "value"; readonly path: Path; readonly from: number }
	| { readonly kind: "triplet"; readonly part: 0 | 1 | 2; readonly from: number }
	| { readonly kind: "template"; readonly path: Path; readonly from: number; readonly text: string };
