import * as z from "zod";
import { AnyJson } from "./json.ts";
import { createPaginate } from "./paginate.ts";

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const ID_WORDS = "must be 1 to 64 lowercase letters, digits, _ or -, starting with a letter or digit";

export const RecipeId = z.string().regex(ID, ID_WORDS);
const OperationName = z
	.string()
	.regex(/^[a-z][a-z0-9_]{0,63}$/, "must be 1 to 64 lowercase letters, digits or _, starting with a letter");

/** `{field}` is replaced by a non-secret field of the credential; `*.example.com` matches every subdomain. */
const HOST =
	/^(?:\*\.)?(?:(?:[a-z0-9_-]+|\{[a-z_][a-z0-9_]*\})(?:\.(?:[a-z0-9_-]+|\{[a-z_][a-z0-9_]*\}))*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
export const Host = z
	.string()
	.max(253)
	.regex(HOST, "must be a lowercase host name such as api.example.com, *.example.com or {host}");

const JsonObject = z.record(z.string(), AnyJson);
const Text = (most: number) => z.string().min(1).max(most);

const FieldName = z
	.string()
	.regex(/^[a-z_][a-z0-9_]{0,63}$/, "must be 1 to 64 lowercase letters, digits or _");
const ResponsePath = z
	.string()
	.max(200)
	.regex(/^\w+(?:\.\w+){0,4}$/, "must be the place of a value in the token response, such as team.name");

const Field = z.strictObject({
	name: FieldName,
	secret: z.boolean(),
	help: z.string().max(500),
	/** A credential may omit it. */
	optional: z.boolean().optional(),
});

const recipe = {
	/** If present, it must equal the id in the path. */
	id: RecipeId.optional(),
	title: Text(120),
	fields: z.array(Field).min(1).max(16),
	hosts: z
		.array(Host)
		.min(1)
		.max(50)
		.meta({ description: "The only hosts that the credential may be sent to" }),
};

/** How each type adds a credential to a request. `{field}` in a string is replaced by the credential's field. */
const kinds = [
	z.strictObject({
		...recipe,
		type: z.literal("bearer"),
		inject: z.strictObject({ token: Text(200).default("{token}") }).prefault({}),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("basic"),
		inject: z
			.strictObject({
				username: z.string().max(200).default("{username}"),
				password: z.string().max(200).default("{password}"),
			})
			.prefault({}),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("header"),
		inject: z.strictObject({ headers: z.record(z.string(), Text(500)) }),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("query"),
		inject: z.strictObject({ query: z.record(z.string(), Text(500)) }),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("path"),
		/** Inserted between the host and the path, such as `/bot{token}`, or behind the start of a path such as `/file`. */
		inject: z.strictObject({
			prefix: Text(500).startsWith("/"),
			after: z
				.array(
					z
						.string()
						.max(200)
						.regex(/^(?:\/[\w-]+)+$/, "must be the start of a path, such as /file"),
				)
				.max(10)
				.optional(),
		}),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("oauth2_client_credentials"),
		inject: z.strictObject({
			token_url: Text(2_000),
			client_id: Text(200).default("{client_id}"),
			client_secret: Text(200).default("{client_secret}"),
			scope: z.string().max(2_000).optional(),
			audience: z.string().max(2_000).optional(),
			/** How the client authenticates at the token endpoint. */
			client_auth: z.enum(["basic", "body"]).default("basic"),
		}),
	}),
	/** Signs in at the service as a person, always with PKCE (S256). */
	z.strictObject({
		...recipe,
		type: z.literal("oauth2_authorization_code"),
		inject: z.strictObject({
			authorize_url: Text(2_000),
			token_url: Text(2_000),
			client_id: Text(200).default("{client_id}"),
			/** Omitted for a public client. */
			client_secret: Text(200).optional(),
			scope: z.string().max(2_000).optional(),
			/** How the client authenticates at the token endpoint. */
			client_auth: z.enum(["basic", "body", "none"]).default("basic"),
			/** Fixed query parameters of the authorization request, such as access_type=offline. */
			authorize_params: z.record(z.string().regex(/^[\w.-]{1,64}$/), Text(500)).optional(),
			/** What the tokens are for (RFC 8707); sent to both endpoints. */
			resource: Text(2_000).optional(),
			/** Compared with `iss` of the authorization response (RFC 9207), if the service sends it. */
			issuer: Text(500).optional(),
			/** Refuse an authorization response without `iss`. */
			issuer_required: z.boolean().optional(),
			/** Where the account's name is in the token response: `team.name`, or `id_token.email` for a claim. */
			account: ResponsePath.optional(),
			/**
			 * Fields of the credential that the token response sets, with the place of the value: `{ instance: instance_url }`.
			 * The value is a URL or a host, of which the host is stored; it must be one of `hosts`.
			 */
			fields: z.record(FieldName, ResponsePath).optional(),
		}),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("service_account_jwt"),
		inject: z.strictObject({
			token_url: Text(2_000),
			issuer: Text(200).default("{client_email}"),
			private_key: Text(200).default("{private_key}"),
			key_id: z.string().max(200).optional(),
			subject: z.string().max(200).optional(),
			scope: z.string().max(2_000).optional(),
		}),
	}),
	z.strictObject({
		...recipe,
		type: z.literal("aws_sigv4"),
		inject: z.strictObject({
			access_key_id: Text(200).default("{access_key_id}"),
			secret_access_key: Text(200).default("{secret_access_key}"),
			session_token: z.string().max(200).optional(),
			region: Text(200).default("{region}"),
			service: Text(200),
		}),
	}),
	/** Not added to requests: logs in at a database. `hosts` is the server, with its port unless that is the usual one. */
	z.strictObject({
		...recipe,
		type: z.literal("database"),
		hosts: z.array(Host).length(1),
		inject: z.strictObject({
			engine: z.enum(["postgresql", "mysql"]),
			database: Text(200).default("{database}"),
			user: Text(200).default("{user}"),
			password: Text(200).default("{password}"),
			/** `off` is for servers on private networks; TLS is verified otherwise. */
			tls: z.string().max(200).optional(),
			/** Certificates to trust, as PEM. */
			ca: z.string().max(200).optional(),
		}),
	}),
	/** Not added to requests: logs in at a mail server. `hosts` is the server, with its port unless that is the usual one. */
	z.strictObject({
		...recipe,
		type: z.literal("mail"),
		hosts: z.array(Host).length(1),
		inject: z.strictObject({
			protocol: z.enum(["smtp", "imap"]),
			/** Without a user the server is asked for no login. */
			user: z.string().max(200).default("{user}"),
			password: z.string().max(200).default("{password}"),
			/** `off` is for servers on private networks; TLS is verified otherwise. */
			tls: z.string().max(200).optional(),
			/** Certificates to trust, as PEM. */
			ca: z.string().max(200).optional(),
		}),
	}),
	/** Not added to requests: used to verify signed webhooks. */
	z.strictObject({
		...recipe,
		type: z.literal("signature"),
		hosts: z.array(Host).max(0),
		inject: z.strictObject({}).prefault({}),
	}),
] as const;

/** How a credential is added to a request. */
export const WriteAuthRecipe = z.discriminatedUnion("type", kinds).meta({ id: "WriteAuthRecipe" });
export type WriteAuthRecipe = z.output<typeof WriteAuthRecipe>;
export type AuthRecipe = WriteAuthRecipe & { readonly id: string };

/** Templates of an e-mail's fields. An address is `ada@example.com` or `Ada <ada@example.com>`. */
const EmailTemplate = z.strictObject({
	from: Text(500).optional(),
	to: Text(500).optional(),
	cc: Text(500).optional(),
	bcc: Text(500).optional(),
	reply_to: Text(500).optional(),
	subject: Text(500).optional(),
	/** Ids of messages, such as `<abc@mail.example.com>`. */
	in_reply_to: Text(500).optional(),
	references: Text(500).optional(),
	text: Text(20_000).optional(),
	html: Text(20_000).optional(),
	/** A template that gives a list of files. */
	attachments: Text(500).optional(),
});
export type EmailTemplate = z.output<typeof EmailTemplate>;

/** One of `text`, `json`, `file` and `email` is the content. A part whose template reads an absent parameter is omitted. */
const Part = z
	.strictObject({
		name: Text(200),
		text: z.string().optional(),
		json: AnyJson.optional(),
		/** A template that gives a file; it also gives the name and the type, unless they are set. */
		file: Text(500).optional(),
		/** A message (RFC 5322, MIME). */
		email: EmailTemplate.optional(),
		filename: Text(500).optional(),
		content_type: Text(200).optional(),
	})
	.refine(
		({ text, json, file, email }) =>
			[text, json, file, email].filter((content) => content !== undefined).length === 1,
		"must have one of text, json, file and email",
	);

const Operation = z.strictObject({
	title: Text(120),
	description: z.string().max(2_000).optional(),
	method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
	/** Appended to the base URL. `{name}` is a parameter as one path segment, `{+name}` one that may contain slashes. */
	path: z.string().max(1_000),
	params: JsonObject.meta({ description: "JSON Schema of an object" }),
	/**
	 * Templates may read `params`, and `credential` for non-secret fields. A string that reads an absent parameter is
	 * omitted, and so is an object or a list that becomes empty.
	 */
	query: JsonObject.optional(),
	headers: z.record(z.string(), Text(2_000)).optional(),
	body: z
		.discriminatedUnion("kind", [
			z.strictObject({ kind: z.literal("json"), value: AnyJson }),
			z.strictObject({ kind: z.literal("form"), fields: JsonObject }),
			z.strictObject({ kind: z.literal("text"), text: z.string(), content_type: z.string().optional() }),
			/** A template that gives a file. Its type is sent unless there is a header content-type. */
			z.strictObject({ kind: z.literal("file"), file: Text(500) }),
			/** A message (RFC 5322, MIME), sent as message/rfc822 or, with an encoding, as text/plain. */
			z.strictObject({
				kind: z.literal("email"),
				email: EmailTemplate,
				encoding: z.literal("base64").optional(),
			}),
			/** A form, or with a header content-type such as multipart/related another multipart body. */
			z.strictObject({ kind: z.literal("multipart"), parts: z.array(Part).min(1).max(50) }),
		])
		.optional(),
	/** The node's output: a template over `data` (the response), `status` and `headers`; by default the response itself. */
	output: z.strictObject({ value: AnyJson.optional(), schema: JsonObject }),
	/** How the response body is decoded. With `file`, `data` is a file value. */
	response: z.enum(["json", "text", "base64", "file"]).optional(),
	/** Name of the downloaded file, as a template; by default the one in the response, or the end of the path. */
	filename: Text(500).optional(),
	/** With `file`: a template over `data`, the response as JSON, that gives the file's content as base64. */
	content: Text(500).optional(),
	/** Further hosts that the service may redirect to, such as one that holds files. They get no credential. */
	redirect_hosts: z
		.array(Host.regex(/^[^{}]+$/, "must be a host without fields"))
		.max(10)
		.optional(),
	expect: z.array(z.int().min(100).max(599)).max(20).optional(),
	/** For services that answer 200 to a failure: a template like the output's. If it gives text, the node fails with it. */
	error: Text(500).optional(),
	/**
	 * How further pages are read. A node may then set `paginate` to `all` or to a number of items; its output is the list
	 * of items. Paths start in the body of the response.
	 */
	paginate: createPaginate(z.string().max(500), {}).optional(),
	examples: z
		.array(z.strictObject({ title: Text(120), params: JsonObject }))
		.max(10)
		.optional(),
});

const RecipeAuth = z.union([RecipeId, z.array(RecipeId).min(1).max(8), z.null()]).meta({
	description:
		"Id of the auth recipe whose credentials it accepts, or a list of which any is accepted and the first is recommended; null if it needs none",
});

/** The kind of service, for lists. */
const Category = z.enum([
	"ai",
	"calendar",
	"data",
	"development",
	"email",
	"files",
	"messaging",
	"projects",
	"sales",
	"web",
]);

/** A component made of data: each operation is used as `<id>.<operation>`. */
export const WriteApiRecipe = z
	.strictObject({
		/** If present, it must equal the id in the path. */
		id: RecipeId.optional(),
		category: Category.optional(),
		title: Text(120),
		description: Text(4_000),
		auth: RecipeAuth,
		base_url: Text(500).meta({
			description: "https:// URL; may contain {{credential.field}} for a non-secret field",
		}),
		docs_url: z.string().max(500).optional(),
		operations: z.record(OperationName, Operation),
	})
	.meta({ id: "WriteApiRecipe" });
export type WriteApiRecipe = z.output<typeof WriteApiRecipe>;
export type ApiRecipe = WriteApiRecipe & { readonly id: string };
export type ApiOperation = z.output<typeof Operation>;

const Source = z.enum(["own", "seeded", "installed"]).meta({
	description:
		"own: the tenant's, which shadows a seeded one with the same id; installed: part of an installed component",
});

export const ApiRecipeList = z.object({
	recipes: z.array(
		z.object({
			id: z.string(),
			title: z.string(),
			description: z.string(),
			category: Category.nullable(),
			auth: RecipeAuth,
			source: Source,
			operations: z.array(z.string()).meta({ description: "Used as <id>.<operation>" }),
		}),
	),
});

export const AuthRecipeList = z.object({
	auth_recipes: z.array(
		z.object({
			id: z.string(),
			title: z.string(),
			type: z.string(),
			source: Source,
			fields: z.array(Field),
			hosts: z.array(z.string()),
			redirect_url: z.string().optional().meta({
				description:
					"To be registered with the service, if the recipe signs in and the public address is known",
			}),
		}),
	),
});

const Counts = z.object({ created: z.int(), updated: z.int(), unchanged: z.int() });
export const SeededRecipes = z.object({ recipes: Counts, auth_recipes: Counts });
