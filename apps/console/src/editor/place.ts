/** Lines from 1, as the editor's document has them. */
export interface Lines {
	readonly lines: number;
	line(number: number): { readonly text: string };
}

/** In a path, an element of a list. */
export const ITEM = "[]";
export type Path = readonly string[];

/** What is being written at a place; `from` is the column where it begins. */
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
