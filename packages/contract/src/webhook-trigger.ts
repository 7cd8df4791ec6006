import * as z from "zod";
import {
	ACCEPTED_BODIES,
	AUTH_SCHEMES,
	CHAT_ACCESS,
	HANDSHAKE_SCHEMES,
	SIGNATURE_SCHEMES,
	TRIGGER_METHODS,
} from "./calling/words.ts";
import { nameUpTo } from "./names.ts";

/** What a trigger of type `webhook` may say besides its type. Without these keys it takes and answers JSON. */

export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

const HeaderName = z
	.string()
	.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, "must be a header name of at most 64 characters");

const credential = nameUpTo(128);

/** The keys of the scheme `custom`. */
const customSignature = {
	header: HeaderName.optional().meta({ description: "custom: the header with the signature" }),
	algorithm: z
		.enum(["sha1", "sha256", "sha512"])
		.optional()
		.meta({ description: "custom: the HMAC's hash function; default sha256" }),
	encoding: z
		.enum(["hex", "base64"])
		.optional()
		.meta({ description: "custom: how the signature is written; default hex" }),
	prefix: z
		.string()
		.max(64)
		.optional()
		.meta({ description: "custom: text before the signature, such as sha256=" }),
	signed_text: z
		.string()
		.max(256)
		.optional()
		.meta({ description: "custom: what is signed, of {body}, {timestamp}, {url}; default {body}" }),
	timestamp_header: HeaderName.optional().meta({ description: "custom: the header with the Unix time" }),
	tolerance_seconds: z
		.int()
		.min(1)
		.max(86_400)
		.optional()
		.meta({ description: "custom: maximum age of a call; default 300" }),
} as const;

export const Signature = z
	.strictObject({ scheme: z.enum(SIGNATURE_SCHEMES), credential, ...customSignature })
	.meta({ id: "Signature", description: "Calls must be signed with the credential's secret" });
export type Signature = z.infer<typeof Signature>;

export type AuthScheme = (typeof AUTH_SCHEMES)[number];

/** The credential fields that a scheme reads. The first alternative whose fields all exist is used. */
export const AUTH_FIELDS: Readonly<Record<AuthScheme, readonly (readonly string[])[]>> = {
	bearer: [["token"], ["secret"]],
	basic: [["username", "password"]],
	header: [["value"], ["key"], ["secret"]],
};

export const Auth = z
	.strictObject({
		scheme: z.enum(AUTH_SCHEMES),
		credential,
		header: HeaderName.optional().meta({ description: "scheme header: its name; default X-API-Key" }),
	})
	.meta({ id: "WebhookAuth", description: "Calls must carry the credential" });
export type Auth = z.infer<typeof Auth>;

export type HandshakeScheme = (typeof HANDSHAKE_SCHEMES)[number];

/** `query.name` or `body.name`, with more names for nested fields. */
const RequestPath = z
	.string()
	.max(256)
	.regex(/^(?:query|body)(?:\.[^.]{1,64}){1,4}$/, "must be query.<name> or body.<name>");

export const Handshake = z
	.strictObject({
		scheme: z.enum(HANDSHAKE_SCHEMES),
		credential: credential
			.optional()
			.meta({ description: "Whose secret verifies the handshake; default the signature's" }),
		challenge: RequestPath.optional().meta({ description: "custom: where the challenge is" }),
		token: RequestPath.optional().meta({
			description: "custom: where the text is that must equal the secret",
		}),
		field: z
			.string()
			.min(1)
			.max(64)
			.optional()
			.meta({ description: "custom: answer a JSON object with this field instead of text" }),
		answer: z
			.enum(["echo", "hmac-sha256-hex", "hmac-sha256-base64"])
			.optional()
			.meta({ description: "custom: what is answered, made of the challenge; default echo" }),
		prefix: z.string().max(64).optional().meta({ description: "custom: text before the answer" }),
	})
	.meta({ id: "Handshake", description: "Answers the call by which a sender checks the URL, without a run" });
export type Handshake = z.infer<typeof Handshake>;

export type AcceptedBody = (typeof ACCEPTED_BODIES)[number];

export const Form = z
	.strictObject({
		title: z.string().min(1).max(200).optional().meta({ description: "Default: the workflow's name" }),
		description: z.string().max(4_000).optional().meta({ description: "Text above the fields" }),
		submit: z.string().min(1).max(80).optional().meta({ description: "The button's text" }),
		done: z.string().max(4_000).optional().meta({
			description: "After submitting: a text, or an https address to go to; else what respond gives",
		}),
	})
	.meta({
		id: "Form",
		description: "Serves a form at /f/{namespace}/{name}, drawn from options.input_schema",
	});
export type Form = z.infer<typeof Form>;

export const Chat = z
	.strictObject({
		access: z.enum(CHAT_ACCESS).optional().meta({
			description:
				"Who may open the page: `token`, whoever has a link with a token; `owner`, the owner; `public`, anyone. Default token",
		}),
		title: z.string().min(1).max(200).optional().meta({ description: "Default: the workflow's name" }),
		greeting: z.string().min(1).max(4_000).optional().meta({
			description: "Text above the first message, in Markdown",
		}),
		daily_tokens: z.int().min(1).max(1_000_000_000_000).optional().meta({
			description: "Tokens that all conversations may use in a day (UTC); required if access is public",
		}),
		links: z.int().min(1).max(1_000_000).optional().meta({
			description: "Change this number to make all links of before invalid; default 1",
		}),
	})
	.meta({
		id: "Chat",
		description: "Serves a chat at /chat/{namespace}/{name}, and as a model at /v1/chat/completions",
	});
export type Chat = z.infer<typeof Chat>;

const Origin = z
	.string()
	.max(256)
	.regex(/^(?:\*|https?:\/\/[^/\s?#@]+)$/, "must be an origin such as https://example.com, or *");

export const webhookKeys = {
	methods: z
		.array(z.enum(TRIGGER_METHODS))
		.min(1)
		.max(TRIGGER_METHODS.length)
		.optional()
		.meta({ description: "Default POST. The query parameters are the input of a GET" }),
	accept: z.array(z.enum(ACCEPTED_BODIES)).min(1).max(ACCEPTED_BODIES.length).optional().meta({
		description:
			"Bodies that it takes; others get 415, malformed ones 400. Form fields are the input, files in it are file values, text is input.text, bytes are the file input.file",
	}),
	max_bytes: z
		.int()
		.min(1)
		.max(100 * 1024 * 1024)
		.optional()
		.meta({
			description:
				"Maximum size of a body; default and at most MAX_BODY_BYTES. Of all files in a body: default 10 MiB, at most MAX_FILE_BYTES",
		}),
	auth: Auth.optional(),
	signature: Signature.optional(),
	handshake: z.union([z.enum(HANDSHAKE_SCHEMES), Handshake]).optional(),
	answer: z.enum(["result", "respond"]).optional().meta({
		description: "respond: the component respond shapes the response; default result, the run's result",
	}),
	cors: z.array(Origin).min(1).max(32).optional().meta({ description: "Origins whose pages may call it" }),
	form: Form.optional(),
	chat: Chat.optional(),
} as const;
