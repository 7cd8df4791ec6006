import type { Json } from "@tripline/contract/json";
import { type Meter, TooMuchWork } from "../meter.ts";

/** Returns the value with its defaults filled in, or undefined if it does not match. */
export type Check<T = Json | undefined> = (value: T, checking: Checking) => Json | undefined;

/** A schema, ready to check values. */
export interface Compiled {
	readonly check: Check;
	/** The default for an absent value. */
	readonly absent: Json | undefined;
}

/** A problem with a value, in the form of a zod issue. */
export interface Finding {
	readonly code: "custom" | "unrecognized_keys" | "invalid_union";
	readonly path: (string | number)[];
	readonly message: string;
	/** Zod's name for: rules about the whole value are still checked. */
	readonly continue: boolean;
	/** The types of which the value must be one. */
	readonly types?: readonly string[] | undefined;
	/** The unknown name, and the known ones. */
	readonly keys?: readonly string[];
	readonly known?: readonly string[];
	/** Findings of the alternative that was probably meant, with paths relative to this value. */
	readonly errors?: readonly (readonly Finding[])[];
}

const MAX_FINDINGS = 50;
/** Each finding is an object with a path and a message. */
const FINDING_UNITS = 20;

/** One check of one value. */
export class Checking {
	readonly meter: Meter;
	/** Null if only the result matters, not the findings. */
	#findings: Finding[] | null;
	#mismatches = 0;

	constructor(meter: Meter, findings: Finding[] | null) {
		this.meter = meter;
		this.#findings = findings;
	}

	/** Whether further findings would be discarded. */
	get isOver(): boolean {
		return this.#findings === null || this.#findings.length >= MAX_FINDINGS;
	}

	/** How many findings so far make rules about the whole value pointless. */
	get mismatches(): number {
		return this.#mismatches;
	}

	/** The value has the wrong type or shape. */
	addMismatch(message: string, types?: readonly string[]): undefined {
		this.add({ code: "custom", path: [], message, continue: false, types });
	}

	/** The value has the right type but breaks a rule. */
	addViolation(message: string): undefined {
		this.add({ code: "custom", path: [], message, continue: true });
	}

	add(finding: Finding): void {
		if (this.#findings === null || this.#findings.length >= MAX_FINDINGS) return;
		this.meter.spend(FINDING_UNITS);
		if (!finding.continue) this.#mismatches++;
		this.#findings.push(finding);
	}

	/** Checks a part of the value. */
	checkPart(part: string | number, check: Check, value: Json | undefined): Json | undefined {
		const findings = this.#findings;
		const from = findings === null ? 0 : findings.length;
		const result = check(value, this);
		if (result === undefined && findings !== null)
			for (let index = from; index < findings.length; index++) findings[index]?.path.unshift(part);
		return result;
	}

	/** Checks without collecting findings. */
	checkQuietly(check: Check, value: Json | undefined): Json | undefined {
		this.meter.spend(1);
		const findings = this.#findings;
		this.#findings = null;
		const result = check(value, this);
		this.#findings = findings;
		return result;
	}

	/** All findings of this check. */
	collectFindings(check: Check, value: Json | undefined): Finding[] {
		const [findings, mismatches] = [this.#findings, this.#mismatches];
		const own: Finding[] = [];
		this.#findings = own;
		check(value, this);
		[this.#findings, this.#mismatches] = [findings, mismatches];
		return own;
	}
}

/** Adds its findings. Never throws when the meter runs out: a value that costs too much does not match. */
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
	value === undefined ? checking.addMismatch("is required") : value;

export const ANYTHING: Compiled = { check: anything, absent: undefined };

export type Rule<T> = readonly [fits: (value: T, checking: Checking) => boolean, message: string];

/** Whether the value satisfies all rules. */
export function checkRules<T>(rules: readonly Rule<T>[], value: T, checking: Checking): boolean {
	if (rules.length === 0) return true;
	let fits = true;
	for (const [isKept, message] of rules) {
		if (isKept(value, checking)) continue;
		checking.addViolation(message);
		if (checking.isOver) return false;
		fits = false;
	}
	return fits;
}

/** A rule with a numeric bound; no rule if the schema does not set the bound. */
export const buildLimit = <T>(
	bound: Json | undefined,
	fits: (value: T, bound: number, meter: Meter) => boolean,
	words: string,
	unit = "",
): Rule<T>[] =>
	typeof bound === "number"
		? [[(value, { meter }) => fits(value, bound, meter), `${words} ${bound}${unit}`]]
		: [];
