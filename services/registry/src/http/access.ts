import { Failed } from "@tripline/contract/failures";
import { isSameSecret } from "@tripline/contract/secrets";
import type { Incoming } from "@tripline/web/http-message";
import type { RegistrySettings } from "../settings.ts";

export type Access = ReturnType<typeof access>;

/** Authorizes everything beyond reading: by the access token, if one is set, or by the admin token. */
export function access({ accessToken, adminToken }: RegistrySettings) {
	return {
		checkSubmitter(request: Incoming): void {
			if (accessToken === undefined) return;
			const bearer = readBearer(request);
			if (isSame(bearer, accessToken) || isSame(bearer, adminToken)) return;
			throw unauthorized("a valid access token is needed: Authorization: Bearer <SERVICE_ACCESS_TOKEN>");
		},

		checkAdmin(request: Incoming): void {
			if (adminToken === undefined)
				throw new Failed({
					kind: "unavailable",
					message: "reviews are disabled: set REGISTRY_ADMIN_TOKEN",
					retryAfterSeconds: 60,
				});
			if (!isSame(readBearer(request), adminToken))
				throw unauthorized("the admin token is needed: Authorization: Bearer <REGISTRY_ADMIN_TOKEN>");
		},
	};
}

const readBearer = (request: Incoming): string | undefined =>
	/^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];

const isSame = (given: string | undefined, expected: string | undefined): boolean =>
	given !== undefined && expected !== undefined && isSameSecret(given, expected);

const unauthorized = (message: string): Failed => new Failed({ kind: "unauthorized", message });
