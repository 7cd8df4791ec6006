import { TooMuchWork } from "../../meter.ts";
import { TerminalError } from "../../terminal-error.ts";
import type { Scope } from "./values.ts";

export function spend({ meter }: Scope, steps: number): void {
	meter.spend(steps);
}

export function spendOnText({ meter }: Scope, characters: number): void {
	meter.spendOnText(characters);
}

/** A substring search may compare every character with every other. */
export function spendOnSearch({ meter }: Scope, text: string, part: string): void {
	meter.spendOnText(text.length * (part.length + 8));
}

/** Defers an error that a later operand may override. Creating an error costs about two hundred steps. */
export function deferError(error: unknown, scope: Scope): void {
	if (!(error instanceof TerminalError) || error instanceof TooMuchWork) throw error;
	spend(scope, 200);
}
