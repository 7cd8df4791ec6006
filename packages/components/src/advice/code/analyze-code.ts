import type { Meter } from "@tripline/engine/meter";
import { type CodeProblem, parseCode } from "./parse-code.ts";
import { findReferences, type References } from "./references.ts";

/** Null if the code is too complex to be parsed in time. */
export type Analysis = CodeProblem | References | null;

interface Kept {
	readonly analysis: Analysis;
	readonly units: number;
}

/** An editor validates a document after every change, and most of its codes stay the same. */
const kept = new Map<string, Kept>();
const MAX_KEPT = 128;
const MAX_KEPT_LENGTH = 4_096;

/** Parses the code and finds the names in it. Costs the same units whether or not the result was kept. */
export function analyzeCode(code: string, meter: Meter): Analysis {
	const known = kept.get(code);
	if (known !== undefined) {
		meter.spend(known.units);
		return known.analysis;
	}
	const before = meter.left;
	meter.spendOnText(code.length);
	const parsed = parseCode(code, meter);
	const analysis = parsed !== null && "main" in parsed ? findReferences(parsed.main, meter) : parsed;
	if (code.length <= MAX_KEPT_LENGTH) {
		const [oldest] = kept.size < MAX_KEPT ? [] : kept.keys();
		if (oldest !== undefined) kept.delete(oldest);
		kept.set(code, { analysis, units: before - meter.left });
	}
	return analysis;
}
