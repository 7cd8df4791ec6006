import { Namespace } from "@tripline/contract/names";
import * as z from "zod";

const wholeNumber = (fallback: number, least: number, most: number) =>
	z
		.string()
		.regex(/^\d{1,12}$/, `must be a whole number from ${least} to ${most}`)
		.transform(Number)
		.refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
		.default(fallback);

export const trueOrFalse = (fallback: boolean) =>
	z
		.enum(["true", "false"], "must be true or false")
		.transform((value) => value === "true")
		.default(fallback);

export const httpUrl = z
	.url({ protocol: /^https?$/, error: "must be an http or https URL" })
	.refine(
		(value) => URL.parse(value)?.search === "" && URL.parse(value)?.hash === "",
		"must have no query or fragment",
	)
	.transform((value) => value.replace(/\/+$/, ""))
	.optional();

/** The store's settings, by their environment names. */
export const storeEnvironment = z.object({
	STORE_INTERNAL_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
	EXECUTION_LOG_DAILY_WRITE_LIMIT: wholeNumber(20_000, 0, 1_000_000_000),
	EXECUTION_RETENTION_DAYS: wholeNumber(30, 1, 36_500),
	MULTI_TENANT: trueOrFalse(true),
	NAMESPACE: Namespace.default("default"),
	STORE_INGEST_URL: httpUrl,
	MAX_BODY_BYTES: wholeNumber(1_048_576, 1_024, 104_857_600),
});

export interface StoreSettings {
	/** Undefined: every caller without a partner key is internal. */
	readonly internalToken: string | undefined;
	/** Whose knowledge is meant when an internal caller names no owner; undefined in multi-tenant mode. */
	readonly defaultOwner: string | undefined;
	/** Where a refresh is forwarded to. */
	readonly ingestUrl: string | undefined;
	readonly dailyLogLimit: number;
	readonly retentionDays: number;
	readonly maxBodyBytes: number;
}

export const storeSettings = (environment: z.output<typeof storeEnvironment>): StoreSettings => ({
	internalToken: environment.STORE_INTERNAL_TOKEN,
	defaultOwner: environment.MULTI_TENANT ? undefined : environment.NAMESPACE,
	ingestUrl: environment.STORE_INGEST_URL,
	dailyLogLimit: environment.EXECUTION_LOG_DAILY_WRITE_LIMIT,
	retentionDays: environment.EXECUTION_RETENTION_DAYS,
	maxBodyBytes: environment.MAX_BODY_BYTES,
});
