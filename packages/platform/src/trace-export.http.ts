import type { SendSpans } from "./trace-export.ts";

/** Sends spans to a collector by OTLP over HTTP. */
export const httpSpans =
	(collector: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> }): SendSpans =>
	async (body, signal) => {
		const response = await fetch(`${collector.endpoint}/v1/traces`, {
			method: "POST",
			headers: { ...collector.headers, "content-type": "application/x-protobuf" },
			body,
			signal,
			// The headers hold a secret, which must not go elsewhere.
			redirect: "manual",
		});
		await response.body?.cancel();
		return { status: response.status, retryAfter: response.headers.get("retry-after") };
	};
