import { bearerSecret, httpUrl, trueOrFalse, wholeNumber } from "@tripline/contract/settings";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import * as z from "zod";

/** The executor's settings by environment variable. */
export const executorEnvironment = z.object({
	MULTI_TENANT: trueOrFalse(true),
	BASE_URL: httpUrl,
	PAGES_ORIGIN: httpUrl,
	SERVICE_ACCESS_TOKEN: bearerSecret.optional(),
	STORE_INTERNAL_TOKEN: bearerSecret.optional(),
	MAX_BODY_BYTES: wholeNumber(1_048_576, 1_024, 104_857_600),
	RUN_TIMEOUT_MS: wholeNumber(30_000, 1, 600_000),
	MAX_CONCURRENT_RUNS: wholeNumber(256, 1, 100_000),
	MAX_QUEUED_RUNS: wholeNumber(1_024, 0, 1_000_000),
	RATE_LIMIT_PER_MINUTE: wholeNumber(0, 0, 1_000_000_000).unwrap().optional(),
	ANONYMOUS_WEBHOOKS: z.enum(["on", "off"], "must be on or off").default("on"),
	ALLOW_PRIVATE_HOSTS: z
		.string()
		.default("")
		.transform((text, context) => {
			try {
				return parseAllowedHosts(text);
			} catch (error) {
				context.addIssue({ code: "custom", message: (error as Error).message });
				return z.NEVER;
			}
		}),
});

export interface ExecutorSettings {
	readonly multiTenant: boolean;
	/** Undefined: use the request's origin. */
	readonly baseUrl: string | undefined;
	/** Where pages made by workflows may submit forms and run scripts, in multi-tenant mode. */
	readonly pagesOrigin: string | undefined;
	/** Undefined: anyone who can reach the port may manage workflows. */
	readonly accessToken: string | undefined;
	/** Identifies internal callers, which act for the namespace in the tenant header. */
	readonly internalToken: string | undefined;
	readonly maxBodyBytes: number;
	readonly runTimeoutMs: number;
	readonly maxConcurrentRuns: number;
	readonly maxQueuedRuns: number;
	/** Per token or namespace; 0 means no limit. */
	readonly rateLimitPerMinute: number;
	/** Whether webhooks can be created without a tenant header. */
	readonly anonymousWebhooks: boolean;
}

const MULTI_TENANT_RATE_PER_MINUTE = 600;

export const executorSettings = (environment: z.output<typeof executorEnvironment>): ExecutorSettings => ({
	multiTenant: environment.MULTI_TENANT,
	baseUrl: environment.BASE_URL,
	pagesOrigin: environment.PAGES_ORIGIN,
	accessToken: environment.SERVICE_ACCESS_TOKEN,
	internalToken: environment.STORE_INTERNAL_TOKEN,
	maxBodyBytes: environment.MAX_BODY_BYTES,
	runTimeoutMs: environment.RUN_TIMEOUT_MS,
	maxConcurrentRuns: environment.MAX_CONCURRENT_RUNS,
	maxQueuedRuns: environment.MAX_QUEUED_RUNS,
	anonymousWebhooks: environment.ANONYMOUS_WEBHOOKS === "on",
	rateLimitPerMinute:
		environment.RATE_LIMIT_PER_MINUTE ?? (environment.MULTI_TENANT ? MULTI_TENANT_RATE_PER_MINUTE : 0),
});
