import type { ExecutorClient } from "@tripline/executor/client";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import type { Kv } from "@tripline/platform/kv";
import type { Log } from "@tripline/platform/log";
import type { Metrics } from "@tripline/platform/metrics";
import type { Peers } from "@tripline/platform/peers";
import type { Signals } from "@tripline/platform/signals";
import type { Tracing } from "@tripline/platform/tracing";
import type { RegistryClient } from "@tripline/registry/client";
import type { StoreClient } from "@tripline/store/client";
import type { ConsoleFiles } from "./http/console-files.ts";
import type { Sdk } from "./protocol/server.ts";
import type { Surface } from "./protocol/surface.ts";
import type { McpSettings } from "./settings.ts";

/** The dependencies of the MCP server. */
export interface McpDeps {
	readonly store: StoreClient;
	readonly executor: ExecutorClient;
	readonly registry: RegistryClient;
	/** Stores authorization codes and access tokens; null: the binding is not set. */
	readonly oauthKv: Kv | null;
	/** Outbound calls, to fetch clients' metadata documents. */
	readonly http: Pick<OutboundHttp, "send">;
	readonly clock: Clock;
	readonly log: Log;
	readonly version: string;
	readonly background: Background;
	readonly settings: McpSettings;
	/** Readiness check. */
	ready(): Promise<boolean>;
	/** The protocol SDK and the surface, loaded at the first request because both are larger than the rest. */
	readonly sdk: () => Promise<Sdk>;
	readonly surface: () => Promise<Surface>;
	/** The web console; omitted: this server has none. */
	readonly console?: ConsoleFiles | undefined;
	/** The executor is served at the same address, so webhook URLs are built from the request's origin. */
	readonly sharesAddress?: boolean;
	/** Reaches the other processes. Omitted: there are none, or it is a Worker. */
	readonly signals?: Signals | undefined;
	readonly peers?: Peers | undefined;
	/** Omitted: nothing is counted, as on Workers. */
	readonly metrics?: Metrics | undefined;
	/** On Workers: a request cannot await another's promise, and in-memory caches are best effort. */
	readonly isolatesRequests?: boolean;
	/** Null or omitted: nothing is traced. */
	readonly tracing?: Tracing | null;
}
