import { type ModelPrices, modelPrices } from "@tripline/contract/model-prices";
import { bearerSecret, httpUrl, trueOrFalse, wholeNumber } from "@tripline/contract/settings";
import { tracingEnvironment } from "@tripline/contract/tracing-settings";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import * as z from "zod";

/** The executor's settings by environment variable. */
export const executorEnvironment = tracingEnvironment.extend({
	MULTI_TENANT: trueOrFalse(true),
	BASE_URL: httpUrl,
	PAGES_ORIGIN: httpUrl,
	SERVICE_ACCESS_TOKEN: bearerSecret.optional(),
	STORE_INTERNAL_TOKEN: bearerSecret.optional(),
	MAX_BODY_BYTES: wholeNumber(1_048_576, 1_024, 104_857_600),
	RUN_TIMEOUT_MS: wholeNumber(30_000, 1, 600_000),
	MAX_CONCURRENT_RUNS: wholeNumber(256, 1, 100_000),
	MAX_QUEUED_RUNS: wholeNumber(1_024, 0, 1_000_000),
	FILE_RETENTION_HOURS: wholeNumber(24, 1, 8_760),
	MAX_FILE_BYTES: wholeNumber(0, 1, 10_737_418_240).unwrap().optional(),
	MAX_FILES_BYTES: wholeNumber(0, 1_048_576, 549_755_813_888).unwrap().optional(),
	MAX_KEPT_BYTES: wholeNumber(104_857_600, 1_048_576, 549_755_813_888),
	DURABLE_DAILY_ROWS: wholeNumber(0, 0, 1_000_000_000).unwrap().optional(),
	RATE_LIMIT_PER_MINUTE: wholeNumber(0, 0, 1_000_000_000).unwrap().optional(),
	MODEL_PRICES: modelPrices,
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
	/** How long a file lives that is not kept. */
	readonly fileRetentionHours: number;
	readonly maxFileBytes: number;
	/** Of all files of a namespace. */
	readonly maxFilesBytes: number;
	/** Of all stored data of a namespace's runs. */
	readonly maxKeptBytes: number;
	/** How many rows are written for durable runs in a UTC day; 0 means no limit. */
	readonly durableDailyRows: number;
	/** Per token or namespace; 0 means no limit. */
	readonly rateLimitPerMinute: number;
	readonly modelPrices: ModelPrices;
	/** Whether webhooks can be created without a tenant header. */
	readonly anonymousWebhooks: boolean;
}

const MULTI_TENANT_RATE_PER_MINUTE = 600;
const MULTI_TENANT_FILES_BYTES = 1_073_741_824;
const SELF_HOSTED_FILES_BYTES = 10_737_418_240;

const NODE_DEFAULTS = { maxFileBytes: 104_857_600, durableDailyRows: 0 };
/**
 * Cloudflare takes request bodies of at most 100 MB on most plans. Its free plan allows 100,000 rows a day in D1, for
 * everything.
 */
export const WORKERS_DEFAULTS = { maxFileBytes: 99_614_720, durableDailyRows: 30_000 };

export const executorSettings = (
	environment: z.output<typeof executorEnvironment>,
	defaults: typeof NODE_DEFAULTS = NODE_DEFAULTS,
): ExecutorSettings => ({
	multiTenant: environment.MULTI_TENANT,
	baseUrl: environment.BASE_URL,
	pagesOrigin: environment.PAGES_ORIGIN,
	accessToken: environment.SERVICE_ACCESS_TOKEN,
	internalToken: environment.STORE_INTERNAL_TOKEN,
	maxBodyBytes: environment.MAX_BODY_BYTES,
	runTimeoutMs: environment.RUN_TIMEOUT_MS,
	maxConcurrentRuns: environment.MAX_CONCURRENT_RUNS,
	maxQueuedRuns: environment.MAX_QUEUED_RUNS,
	fileRetentionHours: environment.FILE_RETENTION_HOURS,
	maxFileBytes: environment.MAX_FILE_BYTES ?? defaults.maxFileBytes,
	maxFilesBytes:
		environment.MAX_FILES_BYTES ??
		(environment.MULTI_TENANT ? MULTI_TENANT_FILES_BYTES : SELF_HOSTED_FILES_BYTES),
	maxKeptBytes: environment.MAX_KEPT_BYTES,
	durableDailyRows: environment.DURABLE_DAILY_ROWS ?? defaults.durableDailyRows,
	modelPrices: environment.MODEL_PRICES,
	anonymousWebhooks: environment.ANONYMOUS_WEBHOOKS === "on",
	rateLimitPerMinute:
		environment.RATE_LIMIT_PER_MINUTE ?? (environment.MULTI_TENANT ? MULTI_TENANT_RATE_PER_MINUTE : 0),
});
