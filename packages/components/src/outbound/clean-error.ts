import { TerminalError } from "@tripline/engine/terminal-error";
import type { Redactor } from "./redact.ts";

/** Other properties of a driver's error may contain secrets, so only the message is kept. */
export function cleanError(
	error: unknown,
	clean: Redactor | null,
	Problem: new (...given: never[]) => Error,
): Error {
	const given = error instanceof Error ? error.message : String(error);
	const message = clean?.text(given) ?? given;
	return error instanceof TerminalError || error instanceof Problem
		? new TerminalError(message)
		: new Error(message);
}
