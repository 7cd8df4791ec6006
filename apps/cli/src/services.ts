import { executorClient, type TenantExecutor } from "@tripline/executor/client";
import { type RegistryClient, registryClient } from "@tripline/registry/client";
import { findSavedSecret } from "./cloudflare/saved-deployment.ts";
import { readSecret, requireSetting } from "./config.ts";
import type { Io } from "./io.ts";

/** The executor, as the configured namespace. */
export function createExecutor(io: Io): TenantExecutor {
	const baseUrl = requireSetting(io, "base_url").replace(/\/+$/, "");
	const transport = {
		fetch: io.fetch,
		baseUrl,
		// For a deployment made on this machine, the token is in its secrets file.
		token: readSecret(io, "SERVICE_ACCESS_TOKEN") ?? findSavedSecret(io, baseUrl, "SERVICE_ACCESS_TOKEN"),
	};
	return executorClient(transport).as(requireSetting(io, "namespace"));
}

export function createRegistry(io: Io): RegistryClient {
	return registryClient({ fetch: io.fetch, baseUrl: requireSetting(io, "registry_url").replace(/\/+$/, "") });
}
