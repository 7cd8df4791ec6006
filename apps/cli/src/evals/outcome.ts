import type { Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { toPrintable } from "../printable.ts";
import { applyStyle } from "../style.ts";
import type { Attempt } from "./attempt.ts";
import type { EvalCase } from "./cases.ts";

const INTERRUPTED = 130;
/** Of the failed runs of a case, those that are shown; `--json` has all. */
const MAX_SHOWN = 3;

interface CaseResult {
	readonly name: string;
	/** `not run`: Ctrl-C came first. */
	readonly result: "passed" | "failed" | "not run";
	readonly passes: number;
	readonly repeats: number;
	readonly min_pass: number;
	/** Of a run, on average. */
	readonly duration_ms: number | null;
	readonly tokens: number | null;
	readonly cost: number | null;
	readonly attempts: readonly Attempt[];
}

interface Evaluated {
	readonly workflow: string;
	readonly isInterrupted: boolean;
	readonly durationMs: number;
	readonly cases: readonly CaseResult[];
}

export function summarize({ name, repeats, minPass }: EvalCase, attempts: readonly Attempt[]): CaseResult {
	const passes = attempts.filter(({ passed }) => passed).length;
	const mayPass = passes + repeats - attempts.length >= minPass;
	const isEnded = attempts.length === repeats || passes >= minPass || !mayPass;
	return {
		...{ name, passes, repeats, min_pass: minPass, attempts },
		result: !isEnded ? "not run" : passes >= minPass ? "passed" : "failed",
		duration_ms:
			attempts.length === 0 ? null : Math.round((sum(attempts, "duration_ms") ?? 0) / attempts.length),
		tokens: sum(attempts, "tokens"),
		cost: sum(attempts, "cost"),
	};
}

/** Null if nothing is known. */
function sum<Key extends string>(
	items: readonly Readonly<Record<Key, number | null>>[],
	key: Key,
): number | null {
	const known = items.map((item) => item[key]).filter((value) => value !== null);
	return known.length === 0 ? null : Number(known.reduce((all, each) => all + each, 0).toPrecision(12));
}

export function buildOutcome(io: Io, { workflow, isInterrupted, durationMs, cases }: Evaluated): Outcome {
	const count = (result: CaseResult["result"]) => cases.filter((each) => each.result === result).length;
	const totals = {
		...{ passed: count("passed"), failed: count("failed"), not_run: count("not run") },
		...{ duration_ms: durationMs, tokens: sum(cases, "tokens"), cost: sum(cases, "cost") },
	};
	const hasTokens = totals.tokens !== null;
	const hasCost = totals.cost !== null;
	const pick = (...cells: (readonly [boolean, string])[]) =>
		cells.flatMap(([has, cell]) => (has ? cell : []));
	const rows = cases.map(({ name, result, passes, repeats, duration_ms, tokens, cost }) =>
		pick(
			[true, name],
			[true, result],
			[true, `${passes}/${repeats}`],
			[true, String(duration_ms ?? "")],
			[hasTokens, String(tokens ?? "")],
			[hasCost, String(cost ?? "")],
		),
	);
	const failures = cases
		.filter(({ result }) => result === "failed")
		.flatMap((each) => renderFailures(io, each));
	return {
		code: isInterrupted ? INTERRUPTED : totals.failed > 0 ? 1 : 0,
		json: { workflow, ...totals, cases },
		text: {
			columns: pick(
				[true, "case"],
				[true, "result"],
				[true, "passed"],
				[true, "ms"],
				[hasTokens, "tokens"],
				[hasCost, "cost"],
			),
			rows,
			empty: "",
			after: [...failures, renderTotals(totals, isInterrupted)].join("\n"),
		},
	};
}

/** The failed expectations, with what came. */
function renderFailures(io: Io, { name, attempts, passes, min_pass, repeats }: CaseResult): string[] {
	const failed = attempts.filter(({ passed }) => !passed);
	const rate = repeats === 1 ? "" : `: ${passes} of ${repeats} passed, ${min_pass} must`;
	const shown = failed
		.slice(0, MAX_SHOWN)
		.flatMap(({ failures, execution_id }) => [
			...failures.map(({ expectation, message }) => `  ${expectation}: ${message}`),
			...(execution_id === null ? [] : [`    tripline executions show ${execution_id}`]),
		]);
	const rest = failed.length - MAX_SHOWN;
	return [
		applyStyle(io, "red", toPrintable(`${name}${rate}`)),
		...shown.map(toPrintable),
		...(rest > 0 ? [`  and ${rest} more`] : []),
		"",
	];
}

function renderTotals(
	{ passed, failed, not_run, duration_ms, tokens, cost }: Readonly<Record<string, number | null>>,
	isInterrupted: boolean,
): string {
	return [
		`${passed} passed, ${failed} failed`,
		...(isInterrupted ? [`${not_run} not run: interrupted`] : []),
		`${((duration_ms ?? 0) / 1000).toFixed(1)} s`,
		...(tokens === null ? [] : [`${tokens} tokens`]),
		...(cost === null ? [] : [`cost ${cost}`]),
	].join(", ");
}
