import { TerminalError } from "@tripline/engine/terminal-error";

/** Adds the place to a part's own errors only; a timeout belongs to the run. */
export function prefixErrors<Value>(place: () => string, evaluate: () => Value): Value {
	try {
		return evaluate();
	} catch (error) {
		if (!(error instanceof TerminalError)) throw error;
		throw new TerminalError(`${place()}: ${error.message}`);
	}
}
