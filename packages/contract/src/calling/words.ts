/** The words of a webhook trigger, apart from its schema, so that the console can read them without a library. */

export const SIGNATURE_SCHEMES = [
	"standard-webhooks",
	"github",
	"stripe",
	"slack",
	"hmac-sha256",
	"shopify",
	"twilio",
	"discord",
	"meta",
	"linear",
	"zoom",
	"square",
	"typeform",
	"gitlab",
	"telegram",
	"custom",
] as const;

export const AUTH_SCHEMES = ["bearer", "basic", "header"] as const;

export const HANDSHAKE_SCHEMES = [
	"slack",
	"discord",
	"zoom",
	"meta",
	"microsoft",
	"dropbox",
	"custom",
] as const;

export const CHAT_ACCESS = ["token", "owner", "public"] as const;

export const TRIGGER_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export const ACCEPTED_BODIES = ["json", "form", "files", "text", "bytes"] as const;
