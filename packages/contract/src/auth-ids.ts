/** The ids of the auth recipes of a recipe's `auth`, the recommended one first. */
export const listAuthIds = (auth: string | readonly string[] | null): readonly string[] =>
	auth === null ? [] : typeof auth === "string" ? [auth] : auth;
