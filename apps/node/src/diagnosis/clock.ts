import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Check, fail, ok, warn } from "./check.ts";

/** A Date header has whole seconds, and a response may be slow. */
const MAX_SKEW_MS = 15_000;
/** Signatures and sign-ins of other services fail from about here. */
const MAX_TOLERATED_MS = 120_000;
const FIX = "set the clock by NTP, for example: timedatectl set-ntp true";

/** Compares this clock with those of others, and with the times of the data. */
export function checkClock(folder: string, skewsMs: readonly number[], now: number): Check {
	const name = "clock";
	const newest = findNewest(folder);
	if (newest !== null && newest > now + MAX_SKEW_MS)
		return fail(
			name,
			`the data was written ${formatMs(newest - now)} in the future: the clock was set back`,
			`${FIX}; schedules and expiry follow the clock`,
		);
	const worst = [...skewsMs].sort((one, other) => Math.abs(other) - Math.abs(one))[0];
	if (worst === undefined) return ok(name, "plausible; no other clock to compare it with");
	if (Math.abs(worst) <= MAX_SKEW_MS) return ok(name, "agrees with that of other hosts");
	const message = `this clock is ${formatMs(Math.abs(worst))} ${worst > 0 ? "behind" : "ahead of"} that of another host`;
	return (Math.abs(worst) > MAX_TOLERATED_MS ? fail : warn)(name, message, FIX);
}

/** When a database was last written; null if there is none. */
function findNewest(folder: string): number | null {
	try {
		const times = readdirSync(folder)
			.filter((name) => /\.db(?:-wal)?$/.test(name))
			.map((name) => statSync(join(folder, name)).mtimeMs);
		return times.length === 0 ? null : Math.max(...times);
	} catch {
		return null;
	}
}

function formatMs(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}
