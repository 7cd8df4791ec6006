import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";

/** Ends work after a time, unless the node has its own limit, which is part of its signal. */
export async function withinTime<T>(
	call: Pick<NodeCall<never>, "node" | "signal" | "abort">,
	{ what, timeoutMs }: { readonly what: string; readonly timeoutMs: number },
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (call.node.timeoutMs !== undefined) return work(call.signal);
	// The call's own signal, because combining it with another takes longer than a short query.
	const timer = setTimeout(
		() => call.abort(new TerminalError(`${what} took longer than ${timeoutMs} ms; set timeout_ms for more`)),
		timeoutMs,
	);
	try {
		return await work(call.signal);
	} finally {
		clearTimeout(timer);
	}
}
