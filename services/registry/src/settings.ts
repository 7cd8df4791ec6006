import { bearerSecret, wholeNumber } from "@tripline/contract/settings";
import { tracingEnvironment } from "@tripline/contract/tracing-settings";
import type * as z from "zod";

/** The key-value bindings of the registry's worker: published versions, submissions and publishers, statistics. */
export const REQUIRED_KV_NAMESPACES = ["COMPONENTS_KV", "SUBMISSIONS_KV", "STATS_KV"] as const;

/** The registry's settings by environment variable. */
export const registryEnvironment = tracingEnvironment.extend({
	SERVICE_ACCESS_TOKEN: bearerSecret.optional(),
	REGISTRY_ADMIN_TOKEN: bearerSecret.optional(),
	REGISTRY_STATS_SECONDS: wholeNumber(10, 1, 86_400),
});

export interface RegistrySettings {
	/** Undefined: anyone who reaches the port may submit. */
	readonly accessToken: string | undefined;
	/** Undefined: nobody can review. */
	readonly adminToken: string | undefined;
	/** How long counts are collected before they are written. */
	readonly statisticsMs: number;
}

export const registrySettings = (environment: z.output<typeof registryEnvironment>): RegistrySettings => ({
	accessToken: environment.SERVICE_ACCESS_TOKEN,
	adminToken: environment.REGISTRY_ADMIN_TOKEN,
	statisticsMs: environment.REGISTRY_STATS_SECONDS * 1000,
});
