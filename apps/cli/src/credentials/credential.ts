/** A credential on its way to the executor. Its values are shown to nobody. */
export interface Credential {
	readonly name: string;
	readonly authRecipe: string;
	readonly fields: ReadonlyMap<string, string>;
}

/** One whose fields are still to come. */
export interface Named {
	readonly name: string;
	readonly recipe: string;
}
