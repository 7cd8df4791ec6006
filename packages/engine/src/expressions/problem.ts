import type { Type } from "../types/type.ts";

/** A problem in a template or an expression. `offset` counts UTF-16 units from the start of its text. */
export interface TextProblem {
	readonly code:
		| "bad_template"
		| "bad_expression"
		| "unknown_reference"
		| "unreachable_reference"
		| "credential_not_allowed"
		| "missing_field"
		| "may_be_skipped"
		| "wrong_type";
	readonly message: string;
	readonly offset: number;
	readonly hint?: string;
	/** For a claim: evaluating the part fails, but it may not be evaluated, or its failure may not matter. */
	readonly isConditional?: boolean;
}

export type Compiled<T> =
	| {
			readonly ok: true;
			readonly value: T;
			readonly type: Type;
			/** Why evaluating it always fails, as far as the types tell. */
			readonly claims: readonly TextProblem[];
	  }
	| { readonly ok: false; readonly problems: readonly TextProblem[] };

/** Nobody reads more; keeps the response to hostile text small. */
export const MAX_PROBLEMS = 20;
