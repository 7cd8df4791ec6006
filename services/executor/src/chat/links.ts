import type { ChatLink } from "@tripline/contract/chat";
import type { Chat } from "@tripline/contract/webhook-trigger";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Vault } from "../vault/vault.ts";

export interface ChatKey {
	readonly namespace: string;
	readonly workflow: string;
	readonly chat: Chat;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const OWNERS_LINK_MS = DAY_MS / 2;
const TOKEN = /^([1-9]\d{0,11})\.([\w-]{1,100})$/;
const PURPOSE = "chat link";

export type ChatLinks = ReturnType<typeof chatLinks>;

/** Links to chats. The token stands behind the #, which no browser sends, so that it is in no log. */
export function chatLinks({ vault, clock }: { vault: Pick<Vault, "sign" | "verify">; clock: Clock }) {
	return {
		async create(baseUrl: string, key: ChatKey, days: number): Promise<ChatLink> {
			const { namespace, workflow, chat } = key;
			const url = `${baseUrl}/chat/${namespace}/${encodeURIComponent(workflow)}`;
			if (chat.access === "public") return { url, expires_at: null };
			const lifetime = chat.access === "owner" ? OWNERS_LINK_MS : days * DAY_MS;
			const expires = Math.ceil((clock.now() + lifetime) / 1000);
			const signature = await vault.sign(PURPOSE, buildText(key, String(expires)));
			return { url: `${url}#${expires}.${signature}`, expires_at: toIsoTime(expires * 1000) };
		},

		/** Whether the token is of this chat and has not expired. */
		async verify(key: ChatKey, token: string): Promise<boolean> {
			const [, expires, signature] = TOKEN.exec(token) ?? [];
			if (expires === undefined || signature === undefined) return false;
			if (!(await vault.verify(PURPOSE, buildText(key, expires), signature))) return false;
			return Number(expires) * 1000 > clock.now();
		},
	};
}

/** A link ends when the owner changes who has access, or the number of the links. */
const buildText = ({ namespace, workflow, chat }: ChatKey, expires: string): string =>
	JSON.stringify([namespace, workflow, chat.access ?? "token", chat.links ?? 1, expires]);
