import { Namespace } from "@tripline/contract/names";
import {
	bearerSecret,
	calledUrl,
	SettingProblem,
	trueOrFalse,
	wholeNumber,
} from "@tripline/contract/settings";
import { tracingEnvironment } from "@tripline/contract/tracing-settings";
import * as z from "zod";
import { buildDailyLimits, type DailyLimits } from "./domain/execution-log.ts";

/** The store's settings by environment variable. */
export const storeEnvironment = tracingEnvironment.extend({
	STORE_INTERNAL_TOKEN: bearerSecret.optional(),
	EXECUTION_LOG_DAILY_WRITE_LIMIT: wholeNumber(20_000, 0, 1_000_000_000),
	EXECUTION_RETENTION_DAYS: wholeNumber(30, 1, 36_500),
	MULTI_TENANT: trueOrFalse(true),
	NAMESPACE: Namespace.default("default"),
	STORE_INGEST_URL: calledUrl(),
	MAX_BODY_BYTES: wholeNumber(1_048_576, 1_024, 104_857_600),
	EMBED: z.enum(["on", "off"], "must be on or off").default("on"),
	EMBED_URL: calledUrl(": a key goes into EMBED_API_KEY"),
	EMBED_MODEL: z.string().min(1, "must be a model's name").max(200, "must be a model's name").optional(),
	EMBED_API_KEY: z
		.string()
		.regex(/^[\x21-\x7e]+$/, "must be a key without spaces")
		.optional(),
});

export interface StoreSettings {
	/** Undefined: every caller without a partner key is internal. */
	readonly internalToken: string | undefined;
	/** The owner when an internal caller names none; undefined in multi-tenant mode. */
	readonly defaultOwner: string | undefined;
	/** The address that refreshes are forwarded to. */
	readonly ingestUrl: string | undefined;
	readonly dailyLogLimits: DailyLimits;
	readonly retentionDays: number;
	readonly maxBodyBytes: number;
}

export const storeSettings = (environment: z.output<typeof storeEnvironment>): StoreSettings => ({
	internalToken: environment.STORE_INTERNAL_TOKEN,
	defaultOwner: environment.MULTI_TENANT ? undefined : environment.NAMESPACE,
	ingestUrl: environment.STORE_INGEST_URL,
	dailyLogLimits: buildDailyLimits(environment.EXECUTION_LOG_DAILY_WRITE_LIMIT, environment.MULTI_TENANT),
	retentionDays: environment.EXECUTION_RETENTION_DAYS,
	maxBodyBytes: environment.MAX_BODY_BYTES,
});

/** Which embedder is used: none, the platform's own, or a server. */
export type EmbedSettings =
	| { readonly kind: "off" }
	| { readonly kind: "built-in" }
	| {
			readonly kind: "http";
			readonly url: string;
			readonly model: string;
			readonly apiKey: string | undefined;
	  };

/** Throws a `SettingProblem` if the embedding settings contradict each other. */
export function checkEmbedding(environment: z.output<typeof storeEnvironment>): void {
	const { EMBED_URL: url, EMBED_MODEL: model, EMBED_API_KEY: key } = environment;
	if (url !== undefined && model === undefined)
		throw new SettingProblem("EMBED_URL is set without EMBED_MODEL: set the model's name too");
	if (url === undefined && model !== undefined)
		throw new SettingProblem(
			"EMBED_MODEL is set without EMBED_URL: set the server's address too, or leave EMBED_MODEL unset",
		);
	if (url === undefined && key !== undefined)
		throw new SettingProblem(
			"EMBED_API_KEY is set without EMBED_URL: set the server's address too, or leave EMBED_API_KEY unset",
		);
}

export function embedSettings(environment: z.output<typeof storeEnvironment>): EmbedSettings {
	if (environment.EMBED === "off") return { kind: "off" };
	const { EMBED_URL: url, EMBED_MODEL: model, EMBED_API_KEY: apiKey } = environment;
	return url === undefined || model === undefined
		? { kind: "built-in" }
		: { kind: "http", url, model, apiKey };
}
