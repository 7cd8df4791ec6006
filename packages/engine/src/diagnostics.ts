import type { Diagnostic } from "@tripline/contract/workflows";
import { MAX_DOCUMENT_UNITS, Meter, TooMuchWork } from "./meter.ts";

export type Path = readonly (string | number)[];

/** A position in the source: the value at a path, its key, or a character in it. */
export interface Spot {
	readonly path: Path;
	readonly key?: boolean;
	/** Offset into the string at the path. */
	readonly offset?: number;
	/** Offset into the whole source, if no path leads there. */
	readonly sourceOffset?: number;
	/** Fallback if there is nothing at the path. */
	readonly near?: Spot | undefined;
}

interface Located {
	/** Sort key, compared element by element, for the order of the source. */
	readonly order: readonly number[];
	readonly line?: number;
	readonly column?: number;
}

export type Locate = (spot: Spot) => Located;

interface Found {
	readonly severity: Diagnostic["severity"];
	readonly code: string;
	readonly message: string;
	readonly hint?: string | undefined;
	readonly spot: Spot;
}

/** Nobody reads more, and a hostile source could cause millions. */
const MAX_DIAGNOSTICS = 1_000;
/** Searching for a similar name costs more than finding the problem. */
const MAX_GUESSES = 50;

/** A hint, or a function that searches for one. */
export type Hint = string | undefined | (() => string | undefined);

/** A problem costs more than valid input: it creates an error and keeps its position. */
const UNITS_PER_PROBLEM = 300;

/** Collects the problems of a source and limits the work spent on finding them. */
export class Report {
	/** Reading and compiling the source spend from it. */
	readonly meter = new Meter(MAX_DOCUMENT_UNITS);
	readonly #found: Found[] = [];
	readonly #isStored: boolean;
	#errors = 0;
	#guesses = 0;

	constructor(options: { readonly isStored: boolean } = { isStored: false }) {
		this.#isStored = options.isStored;
	}

	error(code: string, message: string, spot: Spot, hint?: Hint): void {
		this.#errors++;
		this.meter.spend(UNITS_PER_PROBLEM);
		this.#add("error", code, message, spot, hint);
	}

	/**
	 * A problem that the types tell: an error, but a warning in a stored workflow. That must load as before, so its
	 * warnings spend nothing.
	 */
	claim(code: string, message: string, spot: Spot, hint?: Hint): void {
		if (this.#isStored) this.#add("warning", code, message, spot, hint);
		else this.error(code, message, spot, hint);
	}

	warning(code: string, message: string, spot: Spot, hint?: Hint): void {
		this.meter.spend(UNITS_PER_PROBLEM);
		this.#add("warning", code, message, spot, hint);
	}

	/** Runs work that spends from the meter. If the meter runs out, reports an error and returns `otherwise`. */
	runBounded<Result>(work: () => Result, otherwise: Result): Result {
		try {
			return work();
		} catch (error) {
			if (!(error instanceof TooMuchWork)) throw error;
			this.#errors++;
			this.#add("error", "too_large", TOO_LARGE, { path: [] }, TOO_LARGE_HINT);
			return otherwise;
		}
	}

	get errors(): number {
		return this.#errors;
	}

	/** Units spent so far. */
	get units(): number {
		return MAX_DOCUMENT_UNITS - this.meter.left;
	}

	/** In the order of the source. */
	diagnostics(locate: Locate): Diagnostic[] {
		return this.#found
			.map((found) => ({ found, located: locate(found.spot) }))
			.sort((a, b) => compareOrder(a.located.order, b.located.order))
			.map(({ found, located }) => toDiagnostic(found, located));
	}

	#add(severity: Found["severity"], code: string, message: string, spot: Spot, hint: Hint): void {
		if (this.#found.length >= MAX_DIAGNOSTICS && !this.#makeRoom(severity)) return;
		const guess = typeof hint === "function";
		if (guess) this.#guesses++;
		const known = guess ? (this.#guesses > MAX_GUESSES ? undefined : hint()) : hint;
		this.#found.push({ severity, code, message, hint: known, spot });
	}

	/** Removes a warning for the first error, without which nothing would tell why the source is refused. */
	#makeRoom(severity: Found["severity"]): boolean {
		if (severity !== "error" || this.#errors > 1) return false;
		this.#found.pop();
		return true;
	}
}

const TOO_LARGE = "the workflow takes too long to compile";
const TOO_LARGE_HINT = "Move part of it into a separate workflow";

/** Locates spots in a parsed JSON value: in key order, without lines. */
export function createLocator(source: unknown): Locate {
	const ranks = new Map<object, ReadonlyMap<string, number>>();
	const rank = (value: object, key: string): number => {
		let known = ranks.get(value);
		if (known === undefined) {
			known = new Map(Object.keys(value).map((name, index) => [name, index]));
			ranks.set(value, known);
		}
		return known.get(key) ?? -1;
	};
	return function locate({ path, offset, near }): Located {
		const order: number[] = [];
		let value = source;
		for (const part of path) {
			if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) {
				if (near !== undefined) return locate(near);
				break;
			}
			order.push(typeof part === "number" ? part : rank(value, part));
			value = (value as Record<string | number, unknown>)[part];
		}
		return { order: offset === undefined ? order : [...order, offset] };
	};
}

/** Quotes and shortens text from the source for a message. */
export const quoteText = (text: string): string =>
	JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

function toDiagnostic({ severity, code, message, hint, spot }: Found, { line, column }: Located): Diagnostic {
	return {
		severity,
		code,
		message,
		path: spot.path.join("."),
		...(line !== undefined && { line }),
		...(column !== undefined && { column }),
		...(hint !== undefined && { hint }),
	};
}

function compareOrder(a: readonly number[], b: readonly number[]): number {
	const shared = Math.min(a.length, b.length);
	for (let index = 0; index < shared; index++) {
		const difference = (a[index] as number) - (b[index] as number);
		if (difference !== 0) return difference;
	}
	return a.length - b.length;
}
