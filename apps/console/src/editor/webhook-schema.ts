import {
	ACCEPTED_BODIES,
	AUTH_SCHEMES,
	CHAT_ACCESS,
	HANDSHAKE_SCHEMES,
	SIGNATURE_SCHEMES,
	TRIGGER_METHODS,
} from "@tripline/contract/calling/words";
import type { Schema } from "./schema.ts";
import type { WEBHOOK_TEXTS } from "./webhook-texts.ts";

type Texts = Readonly<
	Record<
		keyof (typeof WEBHOOK_TEXTS)["en"] | "options_signature" | "signature_scheme" | "signature_credential",
		string
	>
>;

const WITH_CREDENTIAL = (scheme: string): string => `\n\tscheme: #{${scheme}}\n\tcredential: #{name}`;

/** Keys that only a trigger of type webhook has. */
export function webhookProperties(text: Texts): Readonly<Record<string, Schema>> {
	return {
		accept: list(text.trigger_accept, ACCEPTED_BODIES, "json"),
		methods: list(text.trigger_methods, TRIGGER_METHODS, "POST"),
		answer: { enum: ["result", "respond"], description: text.trigger_answer, snippet: "#{respond}" },
		form: {
			type: "object",
			description: text.trigger_form,
			snippet: "\n\ttitle: #{Contact}",
			properties: {
				title: line(text.form_title),
				description: line(text.form_description),
				submit: line(text.form_submit),
				done: line(text.form_done),
			},
		},
		chat: {
			type: "object",
			description: text.trigger_chat,
			snippet: "\n\taccess: #{token}",
			properties: {
				access: { enum: CHAT_ACCESS, description: text.chat_access },
				title: line(text.form_title),
				greeting: line(text.chat_greeting),
				daily_tokens: { type: "integer", description: text.chat_daily_tokens },
				links: { type: "integer", description: text.chat_links },
			},
		},
		auth: {
			type: "object",
			description: text.trigger_auth,
			snippet: WITH_CREDENTIAL("bearer"),
			required: ["scheme", "credential"],
			properties: {
				scheme: { enum: AUTH_SCHEMES, description: text.auth_scheme },
				credential: line(text.auth_credential),
				header: line(text.auth_header),
			},
		},
		signature: signatureSchema(text, text.trigger_signature),
		handshake: {
			description: text.trigger_handshake,
			snippet: "#{slack}",
			oneOf: [{ enum: HANDSHAKE_SCHEMES }, handshakeSchema(text)],
		},
		cors: { type: "array", description: text.trigger_cors, snippet: "[#{https://example.com}]" },
		max_bytes: { type: "integer", description: text.trigger_max_bytes, default: 100_000 },
	};
}

/** The same in `trigger` and in `options`. */
export const signatureSchema = (text: Texts, description: string): Schema => ({
	type: "object",
	description,
	snippet: WITH_CREDENTIAL("standard-webhooks"),
	required: ["scheme", "credential"],
	properties: {
		scheme: { enum: SIGNATURE_SCHEMES, description: text.signature_scheme },
		credential: line(text.signature_credential),
		header: line(text.signature_header),
		algorithm: { enum: ["sha1", "sha256", "sha512"], description: text.signature_algorithm },
		encoding: { enum: ["hex", "base64"], description: text.signature_encoding },
		prefix: line(text.signature_prefix),
		signed_text: line(text.signature_signed_text),
		timestamp_header: line(text.signature_timestamp_header),
		tolerance_seconds: { type: "integer", default: 300, description: text.signature_tolerance_seconds },
	},
});

const handshakeSchema = (text: Texts): Schema => ({
	type: "object",
	required: ["scheme"],
	properties: {
		scheme: { enum: HANDSHAKE_SCHEMES, description: text.handshake_scheme },
		credential: line(text.handshake_credential),
		challenge: line(text.handshake_challenge),
		token: line(text.handshake_token),
		field: line(text.handshake_field),
		answer: {
			enum: ["echo", "hmac-sha256-hex", "hmac-sha256-base64"],
			description: text.handshake_answer,
		},
		prefix: line(text.handshake_prefix),
	},
});

const line = (description: string): Schema => ({ type: "string", description, snippet: "#{}" });

const list = (description: string, values: readonly string[], first: string): Schema => ({
	type: "array",
	description,
	items: { enum: values },
	snippet: `[#{${first}}]`,
});
