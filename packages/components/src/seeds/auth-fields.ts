import type { AuthRecipe } from "@tripline/contract/recipes";

/** A field that is never shown in outputs, logs or errors. */
export const secret = (name: string, help: string) => ({ name, secret: true, help });
/** A field that is not secret and may be used in a recipe's base URL. */
export const open = (name: string, help: string) => ({ name, secret: false, help });

/** A recipe whose only field is a token, sent as `Authorization: Bearer`. */
export const bearer = (id: string, title: string, hosts: string[], help: string): AuthRecipe => ({
	id,
	title,
	type: "bearer",
	fields: [secret("token", help)],
	hosts,
	inject: { token: "{token}" },
});
