import { executorClient, type TenantExecutor } from "@tripline/executor/client";
import { type RegistryClient, registryClient } from "@tripline/registry/client";
import { keptSecret } from "./cloudflare/kept.ts";
import { needed, secretOf } from "./config.ts";
import type { Io } from "./io.ts";

/** The executor, as the configured namespace. */
export function executorOf(io: Io): TenantExecutor {
	const baseUrl = needed(io, "base_url").replace(/\/+$/, "");
	const transport = {
		fetch: io.fetch,
		baseUrl,
		// For a deployment made on this machine, the token is in its secrets file.
		token: secretOf(io, "SERVICE_ACCESS_TOKEN") ?? keptSecret(io, baseUrl, "SERVICE_ACCESS_TOKEN"),
	};
	return executorClient(transport).as(needed(io, "namespace"));
}

export function registryOf(io: Io): RegistryClient {
	return registryClient({ fetch: io.fetch, baseUrl: needed(io, "registry_url").replace(/\/+$/, "") });
}
