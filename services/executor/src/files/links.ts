import { FileId, type FileLink } from "@tripline/contract/files";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { Vault } from "../vault/vault.ts";

const MINUTE_MS = 60_000;
const EXPIRY = /^[1-9]\d{0,14}$/;

export type FileLinks = ReturnType<typeof fileLinks>;

/** Addresses from which anyone can download a file for a while. */
export function fileLinks({ vault, clock }: { vault: Pick<Vault, "sign" | "verify">; clock: Clock }) {
	return {
		async create(baseUrl: string, id: string, minutes: number): Promise<FileLink> {
			// Whole seconds, so that the address says exactly what the answer says.
			const expires = Math.ceil((clock.now() + minutes * MINUTE_MS) / 1000);
			const signature = await vault.sign(PURPOSE, buildText(id, String(expires)));
			return {
				url: `${baseUrl}/files/${id}/content?expires=${expires}&signature=${signature}`,
				expires_at: toIsoTime(expires * 1000),
			};
		},

		/** Whether the link is ours and has not expired. Says nothing about why not. */
		async verify(id: string, expires: string, signature: string): Promise<boolean> {
			const isWellFormed = FileId.safeParse(id).success && EXPIRY.test(expires);
			if (!isWellFormed || !(await vault.verify(PURPOSE, buildText(id, expires), signature))) return false;
			return Number(expires) * 1000 > clock.now();
		},
	};
}

const PURPOSE = "file link";

/** Neither part contains a line feed. */
const buildText = (id: string, expires: string): string => `${id}\n${expires}`;
