import type { TextProblem } from "../problem.ts";

const MAX_CLAIMS = 20;

/** Collects the parts of an expression whose evaluation always fails. */
export class Claims {
	readonly #claims: { readonly problem: TextProblem; readonly path: string | null }[] = [];
	/** Paths in `has(…)`: the expression expects that they may be missing. */
	readonly #probed: string[] = [];
	#isTypeTested = false;
	#conditions = 0;

	/** `path` is what is read, as written; null if the problem is not about reading. */
	add(problem: TextProblem, path: string | null): void {
		if (this.#claims.length >= MAX_CLAIMS) return;
		const isConditional = path === null && this.#conditions > 0;
		this.#claims.push({ problem: isConditional ? { ...problem, isConditional } : problem, path });
	}

	/** Starts a part that may not be evaluated, or whose failure may not matter. */
	enterCondition(): void {
		this.#conditions++;
	}

	leaveCondition(): void {
		this.#conditions--;
	}

	recordProbe(path: string): void {
		this.#probed.push(path);
	}

	/** The expression decides by the type of a value or its keys, so nothing is certain. */
	recordTypeTest(): void {
		this.#isTypeTested = true;
	}

	list(): TextProblem[] {
		if (this.#isTypeTested || this.#claims.length === 0) return [];
		return this.#claims
			.filter(({ path }) => path === null || !this.#probed.some((probed) => probed.startsWith(path)))
			.map(({ problem }) => problem);
	}
}
