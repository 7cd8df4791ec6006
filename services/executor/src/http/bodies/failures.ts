import { Failed } from "@tripline/contract/failures";

export const malformed = (message: string): Failed => new Failed({ kind: "bad_request", message });

export const tooLarge = (message: string): Failed => new Failed({ kind: "too_large", message });

export const unsupported = (message: string): Failed =>
	new Failed({ kind: "unsupported_media_type", message });
