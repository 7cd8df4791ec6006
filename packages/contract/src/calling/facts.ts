import type { AcceptedBody, Auth, HandshakeScheme, Signature } from "../webhook-trigger.ts";
import type { Options, Trigger } from "../workflows.ts";
import type { TRIGGER_METHODS } from "./words.ts";

/** How others start a workflow. */
export interface CallFacts {
	readonly webhook_url: string;
	/** Public GET address; null if `options.query` is not set. */
	readonly query_url: string | null;
	/** The page of the form; null if the trigger has none. */
	readonly form_url: string | null;
	/** The page of the chat; null if the trigger has none. */
	readonly chat_url: string | null;
	readonly methods: readonly (typeof TRIGGER_METHODS)[number][];
	/** Null: a JSON object is the input, and anything else is an empty one. */
	readonly accept: readonly AcceptedBody[] | null;
	readonly max_bytes: number | null;
	readonly answer: "result" | "respond";
	readonly auth: Auth | null;
	readonly signature: Signature | null;
	readonly handshake: HandshakeScheme | null;
	/** Origins whose pages may call it. */
	readonly cors: readonly string[];
}

interface Called {
	readonly trigger?: Trigger | undefined;
	readonly options?: Options | undefined;
}

/** How to call a document, saved or with a token, at its public address. */
export function describeCall(webhook_url: string, { trigger, options }: Called): CallFacts {
	const given: Partial<Trigger> = trigger?.type === "webhook" ? trigger : {};
	const { max_bytes, auth, handshake, form, chat } = given;
	return {
		webhook_url,
		query_url: options?.query === true ? toAddress(webhook_url, "q") : null,
		form_url: form === undefined ? null : toAddress(webhook_url, "f"),
		chat_url: chat === undefined ? null : toAddress(webhook_url, "chat"),
		...fillDefaults(given),
		max_bytes: max_bytes ?? null,
		auth: auth ?? null,
		signature: trigger?.signature ?? options?.signature ?? null,
		handshake: typeof handshake === "object" ? handshake.scheme : (handshake ?? null),
	};
}

/** The keys of a webhook trigger whose defaults depend on each other. */
export const fillDefaults = ({
	methods,
	accept,
	answer,
	cors,
	form,
}: Partial<Trigger>): Pick<CallFacts, "methods" | "accept" | "answer" | "cors"> => ({
	methods: methods ?? ["POST"],
	accept: accept ?? (form === undefined ? null : ["form", "files"]),
	answer: answer ?? (form === undefined ? "result" : "respond"),
	cors: cors ?? [],
});

/** All addresses of a workflow end with its namespace and name, escaped in the same way. A token has no others. */
function toAddress(webhookUrl: string, place: "q" | "f" | "chat"): string | null {
	const at = /^(.*)\/webhooks\/named\/([^/]+\/[^/]+)\/trigger$/.exec(webhookUrl);
	return at === null ? null : `${at[1]}/${place}/${at[2]}`;
}

/** Whether its public address takes such a body. */
export const takesBody = ({ accept }: Pick<CallFacts, "accept">, kind: AcceptedBody): boolean =>
	accept === null ? kind === "json" : accept.includes(kind);

export const DEFAULT_AUTH_HEADER = "X-API-Key";
