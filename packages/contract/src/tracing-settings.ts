import * as z from "zod";
import { httpUrl } from "./settings.ts";

const RATIO_RULE = "must be a number from 0 to 1, such as 0.1";
const HEADERS_RULE = "must be name=value pairs, separated by commas, such as authorization=Bearer%20key";

/** Settings of tracing by the names that OpenTelemetry gives them; every service has them. */
export const tracingEnvironment = z.object({
	OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.refine(
		(value) => value === undefined || isWithoutCredentials(value),
		"must have no credentials: a key goes into OTEL_EXPORTER_OTLP_HEADERS",
	),
	OTEL_EXPORTER_OTLP_HEADERS: z
		.string()
		.default("")
		.transform((text, context) => {
			const headers = parseHeaders(text);
			if (headers !== null) return headers;
			context.addIssue({ code: "custom", message: HEADERS_RULE });
			return z.NEVER;
		}),
	OTEL_SERVICE_NAME: z.string().max(100, "must be at most 100 characters").default("tripline"),
	OTEL_TRACES_SAMPLER_ARG: z
		.string()
		.regex(/^(?:[01](?:\.0{1,9})?|0?\.\d{1,9})$/, RATIO_RULE)
		.transform(Number)
		.default(1),
});

export interface TracingSettings {
	readonly endpoint: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly serviceName: string;
	/** The share of traces that are recorded. */
	readonly ratio: number;
}

/** Null if tracing is off. */
export function tracingSettings(environment: z.output<typeof tracingEnvironment>): TracingSettings | null {
	const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = environment;
	if (endpoint === undefined) return null;
	return {
		endpoint,
		headers: environment.OTEL_EXPORTER_OTLP_HEADERS,
		serviceName: environment.OTEL_SERVICE_NAME,
		ratio: environment.OTEL_TRACES_SAMPLER_ARG,
	};
}

function isWithoutCredentials(value: string): boolean {
	const url = URL.parse(value);
	return url?.username === "" && url.password === "";
}

/** Values may be percent-encoded. Null if the text is something else. */
function parseHeaders(text: string): Record<string, string> | null {
	const headers: Record<string, string> = {};
	for (const pair of text.split(",")) {
		if (pair.trim() === "") continue;
		const [, name, encoded] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
		const value = encoded === undefined ? null : decode(encoded);
		if (name === undefined || value === null || !/^[\x20-\x7e]*$/.test(value)) return null;
		headers[name.toLowerCase()] = value;
	}
	return headers;
}

function decode(text: string): string | null {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}
