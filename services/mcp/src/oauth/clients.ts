import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import { parseDocumentUrl, parseRegistration } from "./client-document.ts";
import { decodeClientId, type Registration } from "./client-id.ts";
import { OAuthFailed } from "./problems.ts";

export interface Client {
	readonly name: string | null;
	/** The host of the client's metadata document; null: the name is the client's own claim. */
	readonly host: string | null;
	/** Null: any redirect URI on an allowed host. */
	readonly redirectUris: readonly string[] | null;
}

interface CachedClient extends Client {
	readonly until: number;
}

const TIMEOUT_MS = 5_000;
const MAX_DOCUMENT_BYTES = 64 * 1024;
const CACHE_MS = 5 * 60_000;
const MAX_CACHED = 50;

/** Clients reuse old ids and ids of other servers: such a client is accepted without a name. */
const UNKNOWN: Client = { name: null, host: null, redirectUris: null };

/** Finds a client by its id, which contains the registration or is the URL of a metadata document. */
export function clientFinder(deps: {
	readonly http: Pick<OutboundHttp, "send">;
	readonly clock: Clock;
	readonly hosts: readonly string[];
}) {
	const { http, clock, hosts } = deps;
	const cache = new Map<string, CachedClient>();

	return async function findClient(id: string, signal: AbortSignal | undefined): Promise<Client> {
		const registered = decodeClientId(id);
		if (registered !== null) return { ...registered, host: null };
		const address = parseDocumentUrl(id, hosts);
		if (address === null) return UNKNOWN;
		const known = cache.get(id);
		if (known !== undefined && known.until > clock.now()) return known;
		const client = { ...(await fetchRegistration(address, id, signal)), host: address.hostname };
		cacheClient(id, client);
		return client;
	};

	async function fetchRegistration(
		url: URL,
		id: string,
		signal: AbortSignal | undefined,
	): Promise<Registration> {
		const request = {
			method: "GET",
			url,
			headers: { accept: "application/json" },
			body: null,
			timeoutMs: TIMEOUT_MS,
			maxBytes: MAX_DOCUMENT_BYTES,
		};
		const answer = await http
			.send(request, signal ?? new AbortController().signal)
			.catch((error: unknown) => {
				throw createUnusable(url, error instanceof Error ? error.message : "it could not be fetched");
			});
		const registration = parseRegistration(answer, id);
		if (typeof registration === "string") throw createUnusable(url, registration);
		return registration;
	}

	function cacheClient(id: string, client: Client): void {
		cache.delete(id);
		if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
		cache.set(id, { ...client, until: clock.now() + CACHE_MS });
	}
}

const createUnusable = (url: URL, reason: string): OAuthFailed =>
	new OAuthFailed({
		kind: "bad_client",
		message: `The application's metadata document ${url.href} cannot be used: ${reason}.`,
	});
