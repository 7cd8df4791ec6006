import type { Signature } from "@tripline/contract/webhook-trigger";
import type { Report } from "../diagnostics.ts";

const CUSTOM_KEYS = [
	"header",
	"algorithm",
	"encoding",
	"prefix",
	"signed_text",
	"timestamp_header",
	"tolerance_seconds",
] as const;

/** Finds keys of a signature that do not fit together. */
export function checkSignature(signature: Signature, path: readonly string[], report: Report): void {
	const { scheme, header, signed_text = "{body}", timestamp_header, tolerance_seconds } = signature;
	if (scheme !== "custom") {
		for (const key of CUSTOM_KEYS) {
			if (signature[key] === undefined) continue;
			refuse(key, `${key} belongs to the scheme custom, not ${scheme}`, "Remove the key, or use custom");
		}
		return;
	}
	if (header === undefined)
		refuse(
			"header",
			"the scheme custom needs header",
			"The header with the signature, as the sender names it",
		);
	const parts: readonly string[] = signed_text.match(/\{[a-z_]*\}/g) ?? [];
	const unknown = parts.find((part) => !PARTS.includes(part));
	if (unknown !== undefined) refuse("signed_text", `signed_text has the unknown part ${unknown}`, PARTS_HINT);
	const bodies = parts.filter((part) => part === "{body}").length;
	if (bodies !== 1) refuse("signed_text", "signed_text must have {body} once", PARTS_HINT);
	const hasTimestamp = parts.includes("{timestamp}");
	if (hasTimestamp && timestamp_header === undefined)
		refuse(
			"timestamp_header",
			"{timestamp} in signed_text needs timestamp_header",
			"The header with the time",
		);
	if (!hasTimestamp && timestamp_header !== undefined)
		refuse(
			"timestamp_header",
			"the time in timestamp_header is not signed, so anyone can change it",
			"Add {timestamp} to signed_text, such as {timestamp}.{body}, or remove timestamp_header",
		);
	if (tolerance_seconds !== undefined && timestamp_header === undefined)
		refuse("tolerance_seconds", "tolerance_seconds needs timestamp_header", "The header with the time");

	function refuse(key: string, message: string, hint: string): void {
		report.error("bad_webhook", message, { path: [...path, key], near: { path } }, hint);
	}
}

const PARTS: readonly string[] = ["{body}", "{timestamp}", "{url}"];
const PARTS_HINT = "Its parts are {body}, {timestamp} and {url}; other text is signed as it is";

/** Whether a changed URL, and so a changed query, makes the signature invalid. */
export const signsUrl = ({ scheme, signed_text }: Signature): boolean =>
	scheme === "twilio" ||
	scheme === "square" ||
	(scheme === "custom" && signed_text?.includes("{url}") === true);
