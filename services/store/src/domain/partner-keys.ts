import { randomToken, sha256Hex } from "@tripline/contract/ids";
import { PARTNER_KEY } from "@tripline/contract/partner-keys";

const KEY_BYTES = 24;

/** In self-hosted mode, which is told by its namespace, there are no keys: none is issued and none is good. */
export const hasPartnerKeys = (settings: { readonly defaultOwner: string | undefined }): boolean =>
	settings.defaultOwner === undefined;

export const newPartnerKey = (): string => `tlk_${randomToken(KEY_BYTES)}`;

export const isPartnerKey = (text: string): boolean => PARTNER_KEY.test(text);

/** A key is 192 random bits, so a plain hash cannot be guessed back. */
export const partnerKeyHash = (key: string): Promise<string> => sha256Hex(key);
