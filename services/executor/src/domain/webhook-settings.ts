import { DEFAULT_AUTH_HEADER, fillDefaults } from "@tripline/contract/calling/facts";
import type {
	AcceptedBody,
	Auth,
	Chat,
	Form,
	Handshake,
	HandshakeScheme,
} from "@tripline/contract/webhook-trigger";
import type { Trigger } from "@tripline/contract/workflows";

/** How a workflow's public addresses are called, by the keys of its trigger. */
export interface WebhookSettings {
	readonly methods: readonly string[];
	/** Null: as without keys, a JSON object is the input and anything else is an empty one. */
	readonly accept: readonly AcceptedBody[] | null;
	readonly maxBytes: number;
	readonly auth: Auth | null;
	readonly handshake: Handshake | null;
	readonly answersByRespond: boolean;
	/** Origins whose pages may call; `*` is any. */
	readonly cors: readonly string[];
	readonly form: Form | null;
	/** Others than the owner talk to the workflow by its chat only. */
	readonly chat: Chat | null;
}

const HANDSHAKE_METHODS: Readonly<Record<Exclude<HandshakeScheme, "custom">, readonly string[]>> = {
	slack: ["POST"],
	discord: ["POST"],
	zoom: ["POST"],
	meta: ["GET"],
	microsoft: ["POST", "GET"],
	dropbox: ["GET"],
};

/** The methods by which a sender makes the handshake; calls by them that are no handshake stay refused. */
export function listHandshakeMethods({ scheme, challenge }: Handshake): readonly string[] {
	if (scheme !== "custom") return HANDSHAKE_METHODS[scheme];
	return challenge?.startsWith("query.") ? ["GET"] : ["POST"];
}

/** The header of one's own that carries the credential, in lower case; `authorization` is not listed. */
export const listAuthHeaders = (auth: Auth | null): readonly string[] =>
	auth?.scheme === "header" ? [(auth.header ?? DEFAULT_AUTH_HEADER).toLowerCase()] : [];

/** Null if the trigger has none of the keys, as nearly all. */
export function readWebhookSettings(trigger: Trigger | undefined): WebhookSettings | null {
	if (trigger?.type !== "webhook") return null;
	const { methods, accept, max_bytes, auth, handshake, answer, cors, form, chat } = trigger;
	if (
		[methods, accept, max_bytes, auth, handshake, answer, cors, form, chat].every((key) => key === undefined)
	)
		return null;
	const filled = fillDefaults(trigger);
	return {
		methods: filled.methods,
		accept: filled.accept,
		maxBytes: max_bytes ?? Number.POSITIVE_INFINITY,
		auth: auth ?? null,
		handshake: typeof handshake === "string" ? { scheme: handshake } : (handshake ?? null),
		answersByRespond: filled.answer === "respond",
		cors: filled.cors,
		form: form ?? null,
		chat: chat ?? null,
	};
}

/**
 * For the owner, who calls with the tenant's credential: JSON by POST is always taken, and the answer is always the run's
 * result.
 */
export const toOwnersSettings = (settings: WebhookSettings): WebhookSettings => ({
	...settings,
	accept: settings.accept === null ? null : [...new Set<AcceptedBody>(["json", ...settings.accept])],
	methods: ["POST"],
	auth: null,
	handshake: null,
	answersByRespond: false,
	cors: [],
});
