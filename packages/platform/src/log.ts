import { type Clock, toIsoTime } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields are for ids, names, counts, routes and durations: never a token, secret, header value or body. */
export type LogFields = Readonly<
	Record<string, string | number | boolean | null | undefined | readonly string[]>
>;

export type Log = (level: Exclude<LogLevel, "silent">, message: string, fields?: LogFields) => void;

/** One JSON object per line. */
export function jsonLog(deps: {
	level: LogLevel;
	clock: Clock;
	write: (line: string) => void;
	/** Of every line. */
	fields?: LogFields | undefined;
}): Log {
	const threshold = LOG_LEVELS.indexOf(deps.level);
	return (level, message, fields) => {
		if (LOG_LEVELS.indexOf(level) < threshold) return;
		const time = toIsoTime(deps.clock.now());
		deps.write(`${JSON.stringify({ time, level, message, ...deps.fields, ...fields })}\n`);
	};
}

/** Logged once, at startup. */
export function logEmptySettings(log: Log, settings: readonly string[]): void {
	if (settings.length > 0) log("info", "empty settings are taken as unset", { settings });
}

/** The fields that a log line may contain for an unexpected error. */
export function toErrorFields(error: unknown): LogFields {
	return error instanceof Error
		? { error: `${error.name}: ${error.message}`, stack: error.stack?.split("\n").slice(1, 6).join("\n") }
		: { error: typeof error };
}
