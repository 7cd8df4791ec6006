import { parseArgs } from "node:util";
import { runChaos } from "./chaos.ts";
import { renderSummary } from "./summary.ts";

const USAGE = `usage: npm run test:chaos -- [options]

  --kills <n>     how often a process is killed (default 200)
  --crashes <n>   how often PostgreSQL is stopped at once (default 50)
  --minutes <n>   no further faults after this time (default 60)
  --seed <n>      repeats the faults of an earlier run, which printed it
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			kills: { type: "string", default: "200" },
			crashes: { type: "string", default: "50" },
			minutes: { type: "string", default: "60" },
			seed: { type: "string", default: String(Date.now() % 1_000_000) },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	const [kills, crashes, maxMinutes, seed] = [values.kills, values.crashes, values.minutes, values.seed].map(
		Number,
	) as [number, number, number, number];
	const isValid = [kills, crashes, seed].every((n) => Number.isInteger(n) && n >= 0) && maxMinutes > 0;
	if (values.help || !isValid) {
		process.stderr.write(USAGE);
		return values.help ? 0 : 2;
	}
	const stopping = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));
	const report = (line: string) => process.stderr.write(`${line}\n`);
	report(`seed ${seed}`);
	const result = await runChaos({ kills, crashes, maxMinutes, seed, report, signal: stopping.signal });
	process.stdout.write(`seed ${seed}\n${renderSummary(result)}\n`);
	return result.violations.length === 0 ? 0 : 1;
}
