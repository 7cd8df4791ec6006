/** A permanent failure: the node is not retried. */
export class TerminalError extends Error {
	override readonly name = "TerminalError";
}
