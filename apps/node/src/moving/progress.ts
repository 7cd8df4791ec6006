import type { MoveProgress } from "./deployment.ts";
import { formatCount } from "./format-count.ts";

const STEPS: Readonly<Record<MoveProgress["step"], string>> = {
	copy: "copying",
	index: "indexing",
	verify: "comparing",
};
const REDRAW_MS = 100;

/** On a terminal one line that changes, else one line for each table. */
export function showProgress(isSilent: boolean): { report(progress: MoveProgress): void; end(): void } {
	if (isSilent) return { report() {}, end() {} };
	const isTerminal = process.stderr.isTTY === true;
	let current = "";
	let drawnAt = 0;
	return {
		report({ step, table, rows, total }) {
			const line = `${STEPS[step]} ${table}`;
			const isNew = line !== current;
			current = line;
			if (!isTerminal) {
				if (isNew) process.stderr.write(`${line}: ${formatCount(total)} rows\n`);
				return;
			}
			const now = performance.now();
			if (!isNew && rows < total && now - drawnAt < REDRAW_MS) return;
			drawnAt = now;
			process.stderr.write(`\r\u001b[K${line}: ${formatCount(rows)} of ${formatCount(total)}`);
		},
		end() {
			if (isTerminal && current !== "") process.stderr.write("\r\u001b[K");
		},
	};
}
