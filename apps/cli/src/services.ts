import { executorClient, type TenantExecutor } from "@tripline/executor/client";
import { type RegistryClient, registryClient } from "@tripline/registry/client";
import { findSavedSecret } from "./cloudflare/saved-deployment.ts";
import { CliProblem } from "./command.ts";
import { accessTokenVariable, listServices, readSecret, requireSetting, resolveSetting } from "./config.ts";
import type { Io } from "./io.ts";
import { isServiceName, toServiceVariable } from "./named-service.ts";
import { findNearest } from "./nearest.ts";

/** The executor, as the configured namespace. */
export function createExecutor(io: Io): TenantExecutor {
	const baseUrl = requireSetting(io, "base_url").replace(/\/+$/, "");
	const transport = {
		fetch: createFetch(io),
		baseUrl,
		// For a deployment made on this machine, the token is in its secrets file.
		token: readSecret(io, accessTokenVariable(io)) ?? findSavedSecret(io, baseUrl, "SERVICE_ACCESS_TOKEN"),
	};
	return executorClient(transport).as(requireSetting(io, "namespace"));
}

export function createRegistry(io: Io): RegistryClient {
	return registryClient({
		fetch: createFetch(io),
		baseUrl: requireSetting(io, "registry_url").replace(/\/+$/, ""),
	});
}

/** The versions of workflows say that they were made by the command line, which its user agent tells. */
const createFetch =
	({ fetch, version }: Io): Io["fetch"] =>
	(request, init) => {
		request.headers.set("user-agent", `tripline-cli/${version}`);
		return fetch(request, init);
	};

/** The same world with another service; without a name the configured one. */
export function selectService(io: Io, name: string | undefined): Io {
	if (name === undefined) return io;
	const selected = { ...io, service: name };
	if (isServiceName(name) && resolveSetting(selected, "base_url").value !== null) return selected;
	const near = findNearest(name, listServices(io));
	throw new CliProblem(`there is no service ${JSON.stringify(name)}`, {
		code: 2,
		hint: near === null ? describeAdding(name) : `did you mean: ${near}`,
	});
}

const describeAdding = (name: string): string =>
	isServiceName(name)
		? `set ${toServiceVariable("SERVICE_BASE_URL", name)}, or add it to services in tripline.json: {"services": {"${name}": {"base_url": "https://..."}}}`
		: "a name is letters, digits, - and _; services are named in tripline.json";
