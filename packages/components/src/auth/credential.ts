import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/component";

/** A tenant's credential, opened for one call. */
export interface Credential {
	readonly name: string;
	readonly recipe: AuthRecipe;
	readonly fields: Readonly<Record<string, string>>;
	/** Tells tenant, name and value apart: what was made with the credential may be kept under it. */
	readonly key: string;
}

const FIELD = /\{([a-z_][a-z0-9_]*)\}/g;

/** Names of the fields that stand in a recipe's text. */
export const fieldsIn = (text: string): string[] => Array.from(text.matchAll(FIELD), ([, name = ""]) => name);

/** A recipe's text with the credential's values. An optional field that has none leaves nothing. */
export const filled = (
	text: string,
	credential: Credential,
	encode: (value: string) => string = (value) => value,
): string => text.replace(FIELD, (_, name: string) => encode(fieldValue(credential, name)));

/** The same for a text that a request cannot do without. */
export function needed(what: string, text: string, credential: Credential): string {
	const value = filled(text, credential);
	if (value === "") {
		const fields = fieldsIn(text).join(" or ");
		throw new TerminalError(`credential "${credential.name}" has no ${what}: give it the field ${fields}`);
	}
	return value;
}

export const fieldValue = ({ fields }: Credential, name: string): string =>
	Object.hasOwn(fields, name) ? (fields[name] ?? "") : "";

/** Also of fields that the recipe does not know: nothing says that those may be shown. */
export function secretValues({ recipe, fields }: Credential): string[] {
	const open = new Set(recipe.fields.filter(({ secret }) => !secret).map(({ name }) => name));
	return Object.keys(fields)
		.filter((name) => !open.has(name))
		.map((name) => fields[name] ?? "");
}
