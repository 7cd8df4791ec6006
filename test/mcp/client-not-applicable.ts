import type { Reasons, Revision } from "./suite.ts";

const NOBODY_TO_ASK =
	"nobody is there during a run to answer the server, and to send a form's defaults would be consent that nobody gave: the capability is not declared, such requests are declined, and the tool fails with that reason";
const OTHER_GRANT =
	"an extension: a service is reached as a person, or with a credential that its owner stores; tokens are bearer tokens";
const EXTENSIONS: Reasons = {
	"auth/client-credentials-jwt": ["failed", OTHER_GRANT],
	"auth/client-credentials-basic": ["failed", OTHER_GRANT],
	"auth/enterprise-managed-authorization": ["failed", OTHER_GRANT],
	"auth/dpop": ["failed", OTHER_GRANT],
	"auth/dpop-nonce": ["failed", OTHER_GRANT],
	"auth/wif-jwt-bearer": ["failed", OTHER_GRANT],
};

/** What the official suite tests of clients and this service does not do. Scenarios that are not listed must pass. */
export const CLIENT_NOT_APPLICABLE: Readonly<Record<Revision, Reasons>> = {
	"2026-07-28": {
		...EXTENSIONS,
		"sep-2322-client-request-state": ["failed", NOBODY_TO_ASK],
	},
	"2025-11-25": {
		...EXTENSIONS,
		"elicitation-sep1034-client-defaults": ["failed", NOBODY_TO_ASK],
	},
};
