import { Failed } from "@tripline/contract/failures";
import { Namespace } from "@tripline/contract/names";
import { ANONYMOUS, PARTNER_KEY } from "@tripline/contract/partner-keys";
import { isSameSecret } from "@tripline/contract/secrets";
import type { Clock } from "@tripline/platform/clock";
import { partnerNamespaces, type StoreClient } from "@tripline/store/client";
import type { Incoming } from "@tripline/web/http-message";
import type { Caller } from "../domain/callers.ts";
import type { ExecutorSettings } from "../settings.ts";

const TENANT_HEADER = "x-service-api-key";
/** Of a self-hosted service, where whoever has the access token may name any. */
const DEFAULT_NAMESPACE = "default";

export type Tenants = ReturnType<typeof tenants>;

/** Identifies the caller by the tenant header: a namespace in self-hosted mode, a partner key in multi-tenant mode. */
export function tenants(deps: { settings: ExecutorSettings; store: StoreClient; clock: Clock }) {
	const { settings } = deps;
	const resolveNamespace = partnerNamespaces(deps);

	return {
		/** For management routes: 401 without a tenant, or without the access token if one is set. */
		requireCaller(request: Incoming): Caller | Promise<Caller> {
			checkAccess(request);
			const caller = readCaller(request);
			return caller ?? refuse("the header X-Service-API-Key is required: it identifies the tenant");
		},

		/**
		 * For OpenAI's clients, which send one key as a bearer: what the tenant header would be, or the access token if one is
		 * set. The header counts if it is there.
		 */
		requireBearer(request: Incoming): Caller | Promise<Caller> {
			if ((request.headers.get(TENANT_HEADER) ?? "") !== "" || isInternal(request)) {
				checkAccess(request);
				return readCaller(request) ?? refuse("the header X-Service-API-Key is required");
			}
			const key = readBearer(request);
			if (key === undefined) return refuse("an API key is required: send Authorization: Bearer <key>");
			if (settings.accessToken === undefined) return requireKey(key);
			checkAccess(request);
			return settings.multiTenant
				? refuse("the header X-Service-API-Key is required beside the access token")
				: { namespace: DEFAULT_NAMESPACE };
		},

		/** For routes that need no tenant but do need the access token, if one is set. */
		async findCaller(request: Incoming): Promise<Caller | null> {
			checkAccess(request);
			return readCaller(request);
		},

		/** For triggers, which are public: the caller in the header. Null if it is absent or invalid. */
		identifyForwarded: (request: Incoming): Caller | Promise<Caller | null> | null => identify(request),

		checkAccess,
		isInternal,
	};

	function checkAccess(request: Incoming): void {
		if (settings.accessToken === undefined || isInternal(request)) return;
		if (!hasBearer(request, settings.accessToken))
			refuse("a valid access token is required: send Authorization: Bearer <SERVICE_ACCESS_TOKEN>");
	}

	/** An internal caller has authenticated its own caller and names the namespace in either mode. */
	function isInternal(request: Incoming): boolean {
		if (request.isInternal === true) return true;
		return settings.internalToken !== undefined && hasBearer(request, settings.internalToken);
	}

	/** Null without a header. An invalid header is refused. */
	function readCaller(request: Incoming): Caller | Promise<Caller> | null {
		const header = request.headers.get(TENANT_HEADER);
		if (header === null || header === "") return null;
		const caller = identify(request);
		if (caller instanceof Promise) return caller.then((known) => known ?? refuse(NOT_A_KEY));
		if (caller !== null) return caller;
		if (takesKeys(request)) return refuse(NOT_A_KEY);
		return refuse(header === ANONYMOUS ? NOBODY : NOT_A_NAMESPACE);
	}

	function identify(request: Incoming): Caller | Promise<Caller | null> | null {
		return identifyKey(request.headers.get(TENANT_HEADER) ?? "", takesKeys(request));
	}

	function identifyKey(key: string, isPartnerKey: boolean): Caller | Promise<Caller | null> | null {
		if (isPartnerKey) return PARTNER_KEY.test(key) ? resolvePartner(key) : null;
		return key !== ANONYMOUS && Namespace.safeParse(key).success ? { namespace: key } : null;
	}

	async function requireKey(key: string): Promise<Caller> {
		return (await identifyKey(key, settings.multiTenant)) ?? refuse("the API key is not valid");
	}

	function takesKeys(request: Incoming): boolean {
		return settings.multiTenant && !isInternal(request);
	}

	async function resolvePartner(key: string): Promise<Caller | null> {
		const namespace = await resolveNamespace(key);
		return namespace === null ? null : { namespace };
	}
}

const NOT_A_KEY = "the header X-Service-API-Key is not a valid partner key";
const NOT_A_NAMESPACE = "the header X-Service-API-Key is not a namespace: 1 to 64 letters, digits, _ or -";
const NOBODY = `${ANONYMOUS} is reserved for runs without a namespace`;

function refuse(message: string): never {
	throw new Failed({ kind: "unauthorized", message });
}

export const readBearer = ({ headers }: Pick<Incoming, "headers">): string | undefined =>
	/^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

function hasBearer(request: Incoming, token: string): boolean {
	const bearer = readBearer(request);
	return bearer !== undefined && isSameSecret(bearer, token);
}
