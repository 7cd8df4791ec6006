import type { Json } from "@tripline/contract/json";
import { type Meter, TooMuchWork } from "../meter.ts";

/** Gives the value with its defaults filled in, or undefined: the value does not fit. */
export type Check<T = Json | undefined> = (value: T, checking: Checking) => Json | undefined;

/** A schema, ready to check values. */
export interface Compiled {
	readonly check: Check;
	/** What stands in for a value that is left out. */
	readonly absent: Json | undefined;
}

/** What is wrong with a value, in the form that zod gives to its callers. */
export interface Finding {
	readonly code: "custom" | "unrecognized_keys" | "invalid_union";
	readonly path: (string | number)[];
	readonly message: string;
	/** Zod's word for: rules about the whole value are looked at nevertheless. */
	readonly continue: boolean;
	/** The types of which the value must be one. */
	readonly types?: readonly string[] | undefined;
	/** The name that is not known, and those that are. */
	readonly keys?: readonly string[];
	readonly known?: readonly string[];
	/** What the alternative that was probably meant finds wrong, its paths from here on. */
	readonly errors?: readonly (readonly Finding[])[];
}

const MAX_FINDINGS = 50;
/** It is an object with a path and a text. */
const FINDING_UNITS = 20;

/** One check of one value. */
export class Checking {
	readonly meter: Meter;
	/** Null: only whether the value fits is asked. */
	#findings: Finding[] | null;
	#mismatches = 0;

	constructor(meter: Meter, findings: Finding[] | null) {
		this.meter = meter;
		this.#findings = findings;
	}

	/** What is wrong so far is all that anybody wants to know. */
	get isOver(): boolean {
		return this.#findings === null || this.#findings.length >= MAX_FINDINGS;
	}

	/** How many findings so far leave no sense in rules about the whole value. */
	get mismatches(): number {
		return this.#mismatches;
	}

	/** The value is not at all what it must be. */
	mismatch(message: string, types?: readonly string[]): undefined {
		this.add({ code: "custom", path: [], message, continue: false, types });
	}

	/** The value breaks a rule, though it is of the right type. */
	violation(message: string): undefined {
		this.add({ code: "custom", path: [], message, continue: true });
	}

	add(finding: Finding): void {
		if (this.#findings === null || this.#findings.length >= MAX_FINDINGS) return;
		this.meter.spend(FINDING_UNITS);
		if (!finding.continue) this.#mismatches++;
		this.#findings.push(finding);
	}

	/** Checks a part of the value. */
	inside(part: string | number, check: Check, value: Json | undefined): Json | undefined {
		const findings = this.#findings;
		const from = findings === null ? 0 : findings.length;
		const result = check(value, this);
		if (result === undefined && findings !== null)
			for (let index = from; index < findings.length; index++) findings[index]?.path.unshift(part);
		return result;
	}

	/** Only finds out whether the value fits. */
	quietly(check: Check, value: Json | undefined): Json | undefined {
		this.meter.spend(1);
		const findings = this.#findings;
		this.#findings = null;
		const result = check(value, this);
		this.#findings = findings;
		return result;
	}

	/** All that this check finds wrong. */
	findingsOf(check: Check, value: Json | undefined): Finding[] {
		const [findings, mismatches] = [this.#findings, this.#mismatches];
		const own: Finding[] = [];
		this.#findings = own;
		check(value, this);
		[this.#findings, this.#mismatches] = [findings, mismatches];
		return own;
	}
}

/** Adds what it finds. Never throws for lack of units: a value that takes too many does not fit. */
export function evaluate(
	{ check, absent }: Compiled,
	value: Json | undefined,
	meter: Meter,
	findings: Finding[],
): Json | undefined {
	if (value === undefined && absent !== undefined) return absent;
	const { length } = findings;
	try {
		return check(value, new Checking(meter, findings));
	} catch (error) {
		if (!(error instanceof TooMuchWork)) throw error;
		findings.length = length;
		findings.push({ code: "custom", path: [], message: TOO_LARGE, continue: false });
		return undefined;
	}
}

const TOO_LARGE = "is too large to be checked against this schema";

export const anything: Check = (value, checking) =>
	value === undefined ? checking.mismatch("is required") : value;

export const ANYTHING: Compiled = { check: anything, absent: undefined };

export type Rule<T> = readonly [fits: (value: T, checking: Checking) => boolean, message: string];

/** Whether the value keeps to all rules. */
export function keepsTo<T>(rules: readonly Rule<T>[], value: T, checking: Checking): boolean {
	if (rules.length === 0) return true;
	let fits = true;
	for (const [isKept, message] of rules) {
		if (isKept(value, checking)) continue;
		checking.violation(message);
		if (checking.isOver) return false;
		fits = false;
	}
	return fits;
}

/** A rule that has a number in it; none where the schema has no such number. */
export const limit = <T>(
	bound: Json | undefined,
	fits: (value: T, bound: number, meter: Meter) => boolean,
	words: string,
	unit = "",
): Rule<T>[] =>
	typeof bound === "number"
		? [[(value, { meter }) => fits(value, bound, meter), `${words} ${bound}${unit}`]]
		: [];
