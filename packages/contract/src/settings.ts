import * as z from "zod";

/** A setting that cannot be used. The message names it and never has its value, which may be a secret. */
export class SettingProblem extends Error {
	override readonly name = "SettingProblem";
}

/** Settings from variables by their names; an empty one counts as unset. Throws a `SettingProblem`. */
export function readSettings<Schema extends z.ZodObject>(
	schema: Schema,
	variables: object,
): z.output<Schema> {
	const empty = emptySettings(schema, variables);
	const given: Variables = Object.fromEntries(
		Object.entries(variables).filter(([name]) => !empty.includes(name)),
	);
	const result = schema.safeParse(given);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const name = String(issue?.path[0]);
	// On Workers a variable may be any JSON.
	const isJson = given[name] !== undefined && typeof given[name] !== "string";
	throw new SettingProblem(`${name} ${isJson ? "must be a text: put its value in quotes" : issue?.message}`);
}

/** The names of settings that are empty although that is none of their values: they count as unset. */
export const emptySettings = ({ shape }: z.ZodObject, variables: object): string[] =>
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

/** An address that is called as it is written, and so may have a query. */
export const calledUrl = (keysGo = "") =>
	z
		.url({ protocol: /^https?$/, error: "must be an http or https URL" })
		.refine((value) => {
			const url = URL.parse(value);
			return url?.username === "" && url.password === "" && url.hash === "";
		}, `must have no credentials or fragment${keysGo}`)
		.optional();

export const secret = z.string().min(16, "must have at least 16 characters");

/** A secret that callers send as a bearer. */
export const bearerSecret = secret.regex(
	/^[\x21-\x7e]+$/,
	"must be ASCII letters, digits and signs without spaces, because a header carries it: make one with openssl rand -hex 24",
);
