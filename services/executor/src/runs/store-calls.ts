import { TerminalError } from "@tripline/engine/terminal-error";
import type { Turns } from "@tripline/platform/turns";
import { type CallOptions, StoreRefused } from "@tripline/store/client";

/** Calls of the store on behalf of a run. They take turns with those of other namespaces. */
export const createStoreCalls =
	(turns: Turns, owner_id: string, run: CallOptions["run"]) =>
	<T>(signal: AbortSignal, call: (on: CallOptions) => Promise<T>): Promise<T> =>
		turns.call(owner_id, signal, () => toTerminal(call({ run, signal })));

/** The store would refuse the same call again, so a refusal must not be retried. */
async function toTerminal<T>(answer: Promise<T>): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		if (!(error instanceof StoreRefused)) throw error;
		const issues = error.issues.map(({ path, message }) => `${path}: ${message}`);
		throw new TerminalError(issues.length === 0 ? error.message : issues.join("; "));
	}
}
