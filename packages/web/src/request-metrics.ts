import { type Counter, type Histogram, type Metrics, REQUEST_BOUNDS_MS } from "@tripline/platform/metrics";
import type { RouteDescription } from "./route.ts";

/** Null: no route matched. */
export type CountRequest = (route: RouteDescription | null, status: number, ms: number) => void;

interface Row {
	/** By the first digit of the status, less 2. */
	readonly counters: readonly Counter[];
	readonly durations: Histogram;
}

const CLASSES = ["2xx", "3xx", "4xx", "5xx"];

/** Counts requests by route: by its pattern, because a path may carry a token. */
export function requestCounter(metrics: Metrics, service: string): CountRequest {
	// By the route itself, of which an app has a fixed number.
	const rows = new Map<RouteDescription | null, Row>();
	return (route, status, ms) => {
		let row = rows.get(route);
		if (row === undefined) {
			row = createRow(route);
			rows.set(route, row);
		}
		row.counters[Math.floor(status / 100) - 2]?.add();
		row.durations.observe(ms);
	};

	/** With all classes, so that a first failure shows as a change from zero. */
	function createRow(route: RouteDescription | null): Row {
		const labels = { service, method: route?.method ?? "none", route: route?.path ?? "none" };
		return {
			counters: CLASSES.map((status) =>
				metrics.counter(
					{ name: "tripline_http_requests", help: "Requests by route and class of the status" },
					{ ...labels, status },
				),
			),
			durations: metrics.durations(
				{
					name: "tripline_http_request_duration_seconds",
					help: "Duration of requests until the response begins",
					boundsMs: REQUEST_BOUNDS_MS,
				},
				labels,
			),
		};
	}
}
