import type { ChaosResult } from "./chaos.ts";
import { RULE_NAMES } from "./check.ts";
import type { Fault } from "./faults.ts";
import type { OutsideCall } from "./history.ts";

const MAX_SHOWN = 20;

/** What happened, in lines for people. */
export function renderSummary(result: ChaosResult): string {
	const { history, tally, faults, violations, minutes, settledMs, hasDisk } = result;
	const calls = [...tally.statuses].map(([kind, statuses]) => {
		const counts = [...statuses].sort().map(([status, count]) => `${status} ×${count}`);
		return `  ${kind.padEnd(10)}${counts.join(", ")}`;
	});
	const kinds = [...Map.groupBy(faults, ({ kind }) => kind)].map(
		([kind, each]) => `  ${kind.padEnd(10)}${each.length}`,
	);
	const slowest = findSlowestRecovery(faults, tally.successes);
	const count = (purpose: OutsideCall["purpose"]) =>
		history.outside.filter((call) => call.purpose === purpose).length;
	const occurrences = new Set(
		history.outside
			.filter(({ purpose }) => purpose === "occurrence")
			.map(({ tenant, value }) => `${tenant} ${value}`),
	);
	const acknowledged = [
		`${history.saves.filter(({ answered }) => answered !== null).length} saves`,
		`${history.accepted.length} runs`,
		`${history.events.filter(({ isAcknowledged }) => isAcknowledged).length} events`,
		`${history.answers.filter(({ outcome }) => outcome === "accepted").length} answers`,
		...[...Map.groupBy(history.kept, ({ kind }) => kind)].map(
			([kind, things]) => `${things.length} × ${kind}`,
		),
	];
	return [
		"calls by kind and status:",
		...calls,
		"faults by kind:",
		...kinds,
		...(hasDisk ? [] : ["  full disk was left out: no file system can be mounted here"]),
		`acknowledged: ${acknowledged.join(", ")}`,
		`seen: ${history.reads.length} reads of versions, ${history.echoes.length} echoes`,
		`calls outside: ${count("step")} of steps, ${count("answer")} after answers, ${count("event")} of events, ${count("occurrence")} of ${occurrences.size} occurrences`,
		`${minutes.toFixed(1)} minutes; everything accepted had ended ${(settledMs / 1000).toFixed(1)} s after the last fault`,
		...(slowest === null
			? []
			: [
					`slowest recovery: ${(slowest.ms / 1000).toFixed(1)} s after ${slowest.fault.kind} (${slowest.fault.detail})`,
				]),
		`${RULE_NAMES.length} rules checked, ${violations.length} violations`,
		...renderViolations(result),
	].join("\n");
}

function renderViolations({ violations }: ChaosResult): string[] {
	return [...Map.groupBy(violations, ({ rule }) => rule)].flatMap(([rule, each]) => [
		`VIOLATED: ${rule} (${each.length})`,
		...each.slice(0, MAX_SHOWN).map(({ detail }) => `  ${detail}`),
	]);
}

/** The longest time from the end of a fault to the next call that was sent then and answered well. */
function findSlowestRecovery(
	faults: readonly Fault[],
	successes: readonly number[],
): { readonly fault: Fault; readonly ms: number } | null {
	const times = successes.toSorted((one, other) => one - other);
	let slowest: { fault: Fault; ms: number } | null = null;
	for (const fault of faults) {
		const next = times.find((time) => time >= fault.healed);
		const ms = next === undefined ? Number.POSITIVE_INFINITY : next - fault.healed;
		if (slowest === null || ms > slowest.ms) slowest = { fault, ms };
	}
	return slowest;
}
