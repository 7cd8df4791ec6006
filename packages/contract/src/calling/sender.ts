import type { AcceptedBody, SignatureScheme } from "../webhook-trigger.ts";

/** Services that send webhooks, each by the signature scheme of its name. */
type SenderId = Exclude<SignatureScheme, "standard-webhooks" | "hmac-sha256" | "custom">;

export interface Sender {
	readonly id: SenderId;
	readonly title: string;
	readonly accept: readonly AcceptedBody[];
	/** As YAML. */
	readonly handshake?: string;
	/** What to do at the sender, in order, in each language of the console. */
	readonly steps: Readonly<Record<"en" | "zh-Hant", readonly string[]>>;
}
