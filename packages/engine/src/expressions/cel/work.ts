import { TerminalError } from "../../component.ts";
import type { Scope } from "./values.ts";

/**
 * Steps that a node's expression may take, over all elements together: about half a second at worst. Text is cheaper
 * than steps, so 64 characters count as one.
 */
export const MAX_WORK = 10_000_000;

/** Unlike other failures it is not held back by `||`, `&&`, `all` and `exists`. */
class TooMuchWork extends TerminalError {}

export function spend(scope: Scope, steps: number): void {
	scope.work -= steps;
	if (scope.work < 0)
		throw new TooMuchWork(
			"the expression takes too long on this data: use shorter lists or fewer loops in loops",
		);
}

export function spendOnText(scope: Scope, characters: number): void {
	spend(scope, 1 + characters / 64);
}

/** Looking for one text in another can compare each character with each. */
export function spendOnSearch(scope: Scope, text: string, part: string): void {
	spend(scope, 1 + (text.length * (part.length + 1)) / 64);
}

/** Lets a failure wait for what may outweigh it. Making one costs about as much as a hundred steps. */
export function holdBack(error: unknown, scope: Scope): void {
	if (!(error instanceof TerminalError) || error instanceof TooMuchWork) throw error;
	spend(scope, 100);
}
