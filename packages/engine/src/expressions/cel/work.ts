import { TerminalError } from "../../component.ts";
import { TooMuchWork } from "../../meter.ts";
import type { Scope } from "./values.ts";

export function spend({ meter }: Scope, steps: number): void {
	meter.spend(steps);
}

export function spendOnText({ meter }: Scope, characters: number): void {
	meter.spendOnText(characters);
}

/** Looking for one text in another can compare each character with each. */
export function spendOnSearch({ meter }: Scope, text: string, part: string): void {
	meter.spendOnText(text.length * (part.length + 8));
}

/** Lets a failure wait for what may outweigh it. Making one costs about as much as two hundred steps. */
export function holdBack(error: unknown, scope: Scope): void {
	if (!(error instanceof TerminalError) || error instanceof TooMuchWork) throw error;
	spend(scope, 200);
}
