import type { ExecutorClient } from "@tripline/executor/client";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import type { Kv } from "@tripline/platform/kv";
import type { Log } from "@tripline/platform/log";
import type { RegistryClient } from "@tripline/registry/client";
import type { StoreClient } from "@tripline/store/client";
import type { ConsoleFiles } from "./http/console-files.ts";
import type { Sdk } from "./protocol/server.ts";
import type { Surface } from "./protocol/surface.ts";
import type { McpSettings } from "./settings.ts";

/** What the MCP server is made from. */
export interface McpDeps {
	readonly store: StoreClient;
	readonly executor: ExecutorClient;
	readonly registry: RegistryClient;
	/** Authorization codes and access tokens; null: there is no such binding. */
	readonly oauthKv: Kv | null;
	/** To addresses outside, for the documents of clients. */
	readonly http: Pick<OutboundHttp, "send">;
	readonly clock: Clock;
	readonly log: Log;
	readonly version: string;
	readonly background: Background;
	readonly settings: McpSettings;
	/** Whether requests can be served now. */
	ready(): Promise<boolean>;
	/** The protocol's library and what clients see, both larger than the rest: asked for at the first request. */
	readonly sdk: () => Promise<Sdk>;
	readonly surface: () => Promise<Surface>;
	/** The web console; left out: there is none here. */
	readonly console?: ConsoleFiles | undefined;
	/** The executor answers at the same address, so that webhooks' addresses are made from the caller's. */
	readonly sharesAddress?: boolean;
	/** As Workers do: no request waits for another's promise, and memory is a while's at best. */
	readonly isolatesRequests?: boolean;
}
