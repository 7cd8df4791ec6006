import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import { documentAddress, registrationFrom } from "./client-document.ts";
import { type Registration, registrationIn } from "./client-id.ts";
import { OAuthFailed } from "./problems.ts";

export interface Client {
	readonly name: string | null;
	/** Whose document says so; null: the client says it of itself. */
	readonly host: string | null;
	/** Null: whichever the host list allows. */
	readonly redirectUris: readonly string[] | null;
}

interface Known extends Client {
	readonly until: number;
}

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 64 * 1024;
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 50;

/** Clients replay ids of long ago, and ids that other servers gave them: such a client is one without a name. */
const UNKNOWN: Client = { name: null, host: null, redirectUris: null };

/** Who a client is, by its id: what the id carries, or the document that it is the address of. */
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
				throw unusable(url, error instanceof Error ? error.message : "it cannot be fetched");
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
		message: `The application's own description, ${url.href}, cannot be used: ${reason}.`,
	});
