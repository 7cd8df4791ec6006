import { randomToken, sha256Hex } from "@tripline/contract/ids";
import { PARTNER_KEY } from "@tripline/contract/partner-keys";

const KEY_BYTES = 24;

/** Self-hosted mode, recognised by its default owner, has no keys: none is issued and none is valid. */
export const hasPartnerKeys = (settings: { readonly defaultOwner: string | undefined }): boolean =>
	settings.defaultOwner === undefined;

export const createPartnerKey = (): string => `tlk_${randomToken(KEY_BYTES)}`;

export const isPartnerKey = (text: string): boolean => PARTNER_KEY.test(text);

/** A key has 192 random bits, so an unsalted hash cannot be reversed by guessing. */
export const hashPartnerKey = (key: string): Promise<string> => sha256Hex(key);
