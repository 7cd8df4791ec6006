import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";

/** Ends work after a time, unless the node has its own limit, which is part of its signal. */
export async function withinTime<T>(
	call: Pick<NodeCall<never>, "node" | "signal">,
	{ what, timeoutMs }: { readonly what: string; readonly timeoutMs: number },
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (call.node.timeoutMs !== undefined) return work(call.signal);
	// AbortSignal.any() and .timeout() take longer than a short query.
	const control = new AbortController();
	const timer = setTimeout(
		() =>
			control.abort(new TerminalError(`${what} took longer than ${timeoutMs} ms; set timeout_ms for more`)),
		timeoutMs,
	);
	const abort = () => control.abort(call.signal.reason);
	call.signal.addEventListener("abort", abort, { once: true });
	try {
		return await work(control.signal);
	} finally {
		clearTimeout(timer);
		call.signal.removeEventListener("abort", abort);
	}
}
