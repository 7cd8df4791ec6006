/** Who changes a workflow, and by what. */
export interface Author {
	readonly author: string;
	readonly client: string;
}

/** What a change requires: this version, that the workflow exists, or that it does not. */
export type Condition = number | "any" | "none";
