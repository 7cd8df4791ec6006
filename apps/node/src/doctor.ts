import { parseArgs } from "node:util";
import type { Check } from "./diagnosis/check.ts";
import { diagnose } from "./diagnosis/diagnose.ts";
import { readDisk } from "./diagnosis/disk.ts";
import { split } from "./diagnosis/keys.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import { StartProblem } from "./settings.ts";

const STATUS_WIDTH = "problem".length;

process.exitCode = await run(process.argv.slice(2));

/** Exit codes. 0: no problem, though there may be warnings. 1: something must be fixed. */
async function run(args: string[]): Promise<number> {
	const { values: options } = parseArgs({
		args,
		options: { json: { type: "boolean" }, quiet: { type: "boolean" } },
	});
	const checks = await readChecks();
	const isHealthy = checks.every(({ status }) => status !== "problem");
	process.stdout.write(
		options.json === true
			? `${JSON.stringify({ ok: isHealthy, checks }, null, "\t")}\n`
			: checks.map(renderLine).join(""),
	);
	return isHealthy ? 0 : 1;
}

async function readChecks(): Promise<readonly Check[]> {
	try {
		const variables = { ...readEnvironmentFile(), ...process.env };
		return await diagnose({ variables, now: Date.now, readDisk });
	} catch (error) {
		if (error instanceof StartProblem) return [split("settings", error)];
		throw error;
	}
}

function renderLine({ status, name, message, fix }: Check): string {
	return `${status.padEnd(STATUS_WIDTH)}  ${name}: ${message}${fix === null ? "" : `; ${fix}`}\n`;
}
