import type { ComponentAnswer, ComponentPage, VersionAnswer } from "@tripline/contract/market";
import {
	createServiceCaller,
	encodeText,
	orNull,
	ServiceRefused,
	ServiceUnavailable,
	type Transport,
} from "@tripline/web/service-call";

export type { ComponentAnswer, ComponentPage, VersionAnswer };

export type RegistryClient = ReturnType<typeof registryClient>;

/** The registry was unreachable or could not respond; the same call may succeed later. */
export class RegistryUnavailable extends ServiceUnavailable {
	override readonly name = "RegistryUnavailable";
}

/** The registry refused the call; a retry would be refused too. */
export class RegistryRefused extends ServiceRefused {
	override readonly name = "RegistryRefused";
}

interface ListQuery {
	readonly q?: string | undefined;
	readonly tag?: string | undefined;
	readonly sort?: "downloads" | "recent" | undefined;
	readonly limit?: number | undefined;
	readonly cursor?: string | undefined;
}

const TIMEOUT_MS = 15_000;
/** Enough for a page of a hundred components with long descriptions. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** The registry's client for the other services. Responses are untrusted: the installer verifies the hash. */
export function registryClient(transport: Transport) {
	const { call } = createServiceCaller(transport, {
		name: "the registry",
		Unavailable: RegistryUnavailable,
		Refused: RegistryRefused,
		maxAnswerBytes: MAX_ANSWER_BYTES,
		timeoutMs: TIMEOUT_MS,
	});

	return {
		/** Null if the version does not exist. */
		version: (id: string, version: string): Promise<VersionAnswer | null> =>
			orNull(call("GET", `/components/${encodeText(id)}/${encodeText(version)}`, has("manifest"), {})),

		/** Null if the component does not exist. */
		component: (id: string): Promise<ComponentAnswer | null> =>
			orNull(call("GET", `/components/${encodeText(id)}`, has("versions"), {})),

		list: (query: ListQuery = {}): Promise<ComponentPage> =>
			call("GET", "/components", has("components"), { query: { ...query } }),

		async countInstall(id: string, version: string): Promise<void> {
			const body = { version };
			await call("POST", `/components/${encodeText(id)}/installs`, has("counted"), { body });
		},
	};
}

const has = (field: string) => (answer: object) => field in answer;
