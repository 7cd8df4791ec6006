import * as z from "zod";
import { segmentUpTo } from "./names.ts";

const MAX_FIELDS = 32;
const MAX_VALUE_BYTES = 16 * 1024;

export const CredentialName = segmentUpTo(128).meta({
	description: "Credential name: 1 to 128 characters of any script, without / and control characters",
});

const AuthRecipeId = z
	.string()
	.regex(
		/^[a-z0-9][a-z0-9_.-]{0,128}$/,
		"must be 1 to 129 lowercase letters, digits, _, . or -, starting with a letter or digit",
	)
	.meta({
		description:
			"How the credential enters a request. `signing_secret`: for signed webhooks, with the field `secret`",
		examples: ["signing_secret"],
	});

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const NOT_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** A custom check, because a record schema would silently skip `__proto__`. */
const Fields = z
	.custom<Readonly<Record<string, string>>>(
		(value) => typeof value === "object" && value !== null && !Array.isArray(value),
		"must be an object of field names and their values",
	)
	.superRefine((fields, context) => {
		const names = Object.keys(fields);
		const problem = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
		if (names.length < 1 || names.length > MAX_FIELDS) problem([], `must have 1 to ${MAX_FIELDS} fields`);
		for (const name of names.slice(0, MAX_FIELDS)) {
			if (!FIELD_NAME.test(name) || NOT_NAMES.has(name)) {
				problem([], "field names must be 1 to 64 letters, digits or _, not starting with a digit");
			} else if (!isValue((fields as Record<string, unknown>)[name])) {
				problem([name], `must be text of 1 to ${MAX_VALUE_BYTES} bytes`);
			}
		}
	})
	.meta({
		type: "object",
		minProperties: 1,
		maxProperties: MAX_FIELDS,
		propertyNames: { pattern: FIELD_NAME.source },
		additionalProperties: { type: "string", minLength: 1, maxLength: MAX_VALUE_BYTES },
		description: "Secret values by field name. They are never returned",
	});

export const WriteCredential = z
	.strictObject({ auth_recipe: AuthRecipeId, fields: Fields })
	.meta({ id: "WriteCredential" });

export const SignInState = z
	.object({
		state: z.enum(["required", "done"]).meta({
			description: "required: the owner has not signed in yet, or must sign in again",
		}),
		account: z.string().nullable().meta({ description: "Name of the account, if the service tells it" }),
		signed_in_at: z.iso.datetime().nullable(),
		expires_at: z.iso.datetime().nullable().meta({
			description: "When the sign-in ends, if it cannot be renewed without the owner",
		}),
	})
	.meta({ id: "SignInState" });
export type SignInState = z.output<typeof SignInState>;

export const SignInLink = z
	.object({
		url: z.string().meta({ description: "For the owner to open in a browser; can be used once" }),
		expires_at: z.iso.datetime(),
	})
	.meta({ id: "SignInLink" });

export const ConnectionTest = z
	.object({
		ok: z.boolean(),
		message: z.string().meta({ description: "What happened, in plain words and without secrets" }),
	})
	.meta({ id: "ConnectionTest" });
export type ConnectionTest = z.output<typeof ConnectionTest>;

const described = {
	name: z.string(),
	auth_recipe: z.string(),
	fields: z.array(z.string()).meta({ description: "Field names" }),
	updated_at: z.iso.datetime(),
	sign_in: SignInState.optional().meta({
		description: "Only if the auth recipe has the type oauth2_authorization_code",
	}),
};

export const WrittenCredential = z
	.object({
		...described,
		created: z.boolean().meta({ description: "False if it replaced a credential of this name" }),
	})
	.meta({ id: "WrittenCredential" });

export const CredentialList = z.object({
	credentials: z.array(
		z
			.object({
				...described,
				last_used_at: z.iso.datetime().nullable().meta({ description: "To the hour; null if never used" }),
			})
			.meta({ id: "Credential" }),
	),
});

const isValue = (value: unknown): boolean =>
	typeof value === "string" &&
	value.length >= 1 &&
	value.length <= MAX_VALUE_BYTES &&
	new TextEncoder().encode(value).length <= MAX_VALUE_BYTES;
