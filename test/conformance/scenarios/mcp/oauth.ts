import type { Scenario } from "../../scenario.ts";
import { MCP_ENVIRONMENT } from "./login.ts";
import { attempts } from "./oauth/attempts.ts";
import { authorize } from "./oauth/authorize.ts";
import { clientDocuments } from "./oauth/client-documents.ts";
import { codes } from "./oauth/codes.ts";
import { consenting } from "./oauth/consent.ts";
import { flow } from "./oauth/flow.ts";
import { metadata } from "./oauth/metadata.ts";
import { redirects } from "./oauth/redirects.ts";
import { register } from "./oauth/register.ts";
import { secrets } from "./oauth/secrets.ts";
import { tokenEndpoint } from "./oauth/token.ts";
import { tokens } from "./oauth/tokens.ts";
import { unavailable } from "./oauth/unavailable.ts";

/** How a client gets an access token. */
export const oauth: readonly Scenario[] = [
	...metadata,
	...flow,
	...register,
	...authorize,
	...redirects,
	...consenting,
	...attempts,
	...tokenEndpoint,
	...codes,
	...tokens,
	...clientDocuments,
	...unavailable,
	...secrets,
].map((scenario) => ({ ...scenario, environment: MCP_ENVIRONMENT }));
