/** A credential to be sent to the executor. Its values are never shown. */
export interface Credential {
	readonly name: string;
	readonly authRecipe: string;
	readonly fields: ReadonlyMap<string, string>;
}

/** A credential whose fields have not been read yet. */
export interface Named {
	readonly name: string;
	readonly recipe: string;
}
