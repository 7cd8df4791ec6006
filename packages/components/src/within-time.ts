import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";

/** Ends work after a time, unless the node has its own limit, which is part of its signal. */
export async function withinTime<T>(
	call: Pick<NodeCall<never>, "node" | "signal">,
	{ what, timeoutMs }: { readonly what: string; readonly timeoutMs: number },
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	if (call.node.timeoutMs !== undefined) return work(call.signal);
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		return await work(AbortSignal.any([call.signal, timeout]));
	} catch (error) {
		if (!timeout.aborted || call.signal.aborted) throw error;
		throw new TerminalError(`${what} took longer than ${timeoutMs} ms; set timeout_ms for more`);
	}
}
