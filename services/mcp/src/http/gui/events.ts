import type { RunProblem } from "@tripline/contract/workflows";
import type { Incoming } from "@tripline/web/http-message";
import * as z from "zod";

export const RunEvents = z.string().meta({
	description:
		"Server-sent events: `started` has the execution_id, `node` the state of a node (id, component, status running, retrying, success, failed, skipped or cancelled, attempt, duration_ms, error, and in a loop how many elements have ended), `result` the result, `accepted` the execution_id of a run that waits and goes on by itself, or `problem` a status and an error if there is no result. Rapid changes of a node are merged into the latest state; a node in a loop reports at most twenty times a second.",
});

const CONNECTION_LOST: RunProblem = {
	status: 503,
	error: "the connection to the executor was lost: see the executions for the result of the run",
};

export const wantsEvents = ({ headers }: Pick<Incoming, "headers">): boolean =>
	headers
		.get("accept")
		?.split(",")
		.some((range) => /^\s*text\/event-stream\s*(?:;(?!\s*q\s*=\s*0(?:\.0*)?\s*$)|$)/i.test(range)) ?? false;

/** Passes the executor's events on, with backpressure. */
export function toEventResponse(events: ReadableStream<Uint8Array>): Response {
	const reader = events.getReader();
	const stream = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { done, value } = await reader.read();
					if (!done) return controller.enqueue(value);
				} catch {
					controller.enqueue(
						new TextEncoder().encode(`event: problem\ndata: ${JSON.stringify(CONNECTION_LOST)}\n\n`),
					);
				}
				controller.close();
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return new Response(stream, {
		headers: {
			"content-type": "text/event-stream; charset=utf-8",
			"cache-control": "no-store",
			// A buffering proxy would deliver the events only after the run.
			"x-accel-buffering": "no",
		},
	});
}
