import * as z from "zod";

/** An invalid setting. The message names it and never contains its value, which may be a secret. */
export class SettingProblem extends Error {
	override readonly name = "SettingProblem";
}

/** Reads settings from variables of the same names; an empty one counts as unset. Throws a `SettingProblem`. */
export function readSettings<Schema extends z.ZodObject>(
	schema: Schema,
	variables: object,
): z.output<Schema> {
	const empty = listEmptySettings(schema, variables);
	const given: Variables = Object.fromEntries(
		Object.entries(variables).filter(([name]) => !empty.includes(name)),
	);
	const result = schema.safeParse(given);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const name = String(issue?.path[0]);
	// On Workers a variable may be any JSON value.
	const isJson = given[name] !== undefined && typeof given[name] !== "string";
	throw new SettingProblem(`${name} ${isJson ? "must be text: put its value in quotes" : issue?.message}`);
}

/** The names of settings that are empty although empty is not a valid value; they count as unset. */
export const listEmptySettings = ({ shape }: z.ZodObject, variables: object): string[] =>
	Object.entries(shape)
		.filter(([name, value]) => (variables as Variables)[name] === "" && !z.safeParse(value, "").success)
		.map(([name]) => name);

type Variables = Readonly<Record<string, unknown>>;

export const wholeNumber = (fallback: number, least: number, most: number) =>
	z
		.string()
		.regex(/^\d{1,12}$/, `must be a whole number from ${least} to ${most}`)
		.transform(Number)
		.refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
		.default(fallback);

export const trueOrFalse = (fallback: boolean) =>
	z
		.enum(["true", "false"], "must be true or false")
		.transform((value) => value === "true")
		.default(fallback);

export const httpUrl = z
	.url({ protocol: /^https?$/, error: "must be an http or https URL" })
	.refine(
		(value) => URL.parse(value)?.search === "" && URL.parse(value)?.hash === "",
		"must have no query or fragment",
	)
	.transform((value) => value.replace(/\/+$/, ""))
	.optional();

/** A URL that is called exactly as written, and so may have a query. */
export const calledUrl = (keysGo = "") =>
	z
		.url({ protocol: /^https?$/, error: "must be an http or https URL" })
		.refine((value) => {
			const url = URL.parse(value);
			return url?.username === "" && url.password === "" && url.hash === "";
		}, `must have no credentials or fragment${keysGo}`)
		.optional();

export const secret = z.string().min(16, "must have at least 16 characters");

/** A secret that callers send as a bearer token. */
export const bearerSecret = secret.regex(
	/^[\x21-\x7e]+$/,
	"must be printable ASCII without spaces, because it is sent in a header: create one with openssl rand -hex 24",
);
