/** A list of selectors; an element matches if one of them does. */
export type SelectorList = readonly Selector[];

/** Tests of one element, and what must be before or above it. */
export interface Selector {
	readonly tests: readonly Test[];
	readonly before: { readonly combinator: Combinator; readonly selector: Selector } | null;
}

export type Combinator = " " | ">" | "+" | "~";

export type Test =
	| { readonly kind: "type" | "id" | "class"; readonly value: string }
	| {
			readonly kind: "attribute";
			readonly name: string;
			readonly operator: AttributeOperator | null;
			readonly value: string;
			readonly ignoresCase: boolean;
	  }
	/** Position `step * n + offset` among the siblings, from 1, for any n from 0. */
	| {
			readonly kind: "nth";
			readonly step: number;
			readonly offset: number;
			readonly isFromEnd: boolean;
			readonly isOfType: boolean;
	  }
	| { readonly kind: "is" | "not" | "has"; readonly list: SelectorList }
	/** `anchor` is the element of a `:has()`. */
	| { readonly kind: "root" | "empty" | "scope" | "anchor" };

export type AttributeOperator = "=" | "~=" | "|=" | "^=" | "$=" | "*=";
