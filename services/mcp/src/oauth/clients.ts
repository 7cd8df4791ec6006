import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import { documentAddress, registrationFrom } from "./client-document.ts";
import { type Registration, registrationIn } from "./client-id.ts";
import { OAuthFailed } from "./problems.ts";

export interface Client {
	readonly name: string | null;
	/** The host of the client's metadata document; null: the name is the client's own claim. */
	readonly host: string | null;
	/** Null: any redirect URI on an allowed host. */
	readonly redirectUris: readonly string[] | null;
}

interface Known extends Client {
	readonly until: number;
}

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 64 * 1024;
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 50;

/** Clients reuse old ids and ids of other servers: such a client is accepted without a name. */
const UNKNOWN: Client = { name: null, host: null, redirectUris: null };

/** Finds a client by its id, which contains the registration or is the URL of a metadata document. */
export function clientFinder(deps: {
	readonly http: Pick<OutboundHttp, "send">;
	readonly clock: Clock;
	readonly hosts: readonly string[];
}) {
	const { http, clock, hosts } = deps;
	const kept = new Map<string, Known>();

	return async function clientOf(id: string, signal: AbortSignal | undefined): Promise<Client> {
		const registered = registrationIn(id);
		if (registered !== null) return { ...registered, host: null };
		const address = documentAddress(id, hosts);
		if (address === null) return UNKNOWN;
		const known = kept.get(id);
		if (known !== undefined && known.until > clock.now()) return known;
		const client = { ...(await fetched(address, id, signal)), host: address.hostname };
		keep(id, client);
		return client;
	};

	async function fetched(url: URL, id: string, signal: AbortSignal | undefined): Promise<Registration> {
		const request = {
			method: "GET",
			url,
			headers: { accept: "application/json" },
			body: null,
			timeoutMs: TIMEOUT_MS,
			maxBytes: MOST_BYTES,
		};
		const answer = await http
			.send(request, signal ?? new AbortController().signal)
			.catch((error: unknown) => {
				throw unusable(url, error instanceof Error ? error.message : "it could not be fetched");
			});
		const registration = registrationFrom(answer, id);
		if (typeof registration === "string") throw unusable(url, registration);
		return registration;
	}

	function keep(id: string, client: Client): void {
		kept.delete(id);
		if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
		kept.set(id, { ...client, until: clock.now() + KEPT_MS });
	}
}

const unusable = (url: URL, reason: string): OAuthFailed =>
	new OAuthFailed({
		kind: "bad_client",
		message: `The application's metadata document ${url.href} cannot be used: ${reason}.`,
	});
