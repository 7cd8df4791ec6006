import { constants } from "node:os";
import { parseArgs } from "node:util";
import type { Case, Family } from "./case.ts";
import { CORPUS } from "./corpus.ts";
import { type Measured, measure, measureRemaining } from "./measure.ts";
import { compareNeighbours, isWithinLimits, renderNeighbours } from "./neighbours.ts";
import { type FamilyResult, listOffenders, renderJson, renderTable } from "./report.ts";
import { World } from "./world.ts";

const USAGE = `usage: npm run test:stalls -- [options]

  --family <name>     only this family; may be given several times
  --case <text>       only cases whose names contain this text
  --concurrency <n>   cases at once; the measurement of all applies to each of them (default 1)
  --profile           show the functions in which the longest turn spent its time
  --list              list the cases without running them
  --neighbours        measure instead how much one tenant slows down another; --case selects the attack
  --seconds <n>       duration of each part of --neighbours (default 20)
  --json              print JSON instead of a table
`;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
	// Exit explicitly, so that the service is stopped.
	process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: {
			family: { type: "string", multiple: true },
			case: { type: "string" },
			concurrency: { type: "string", default: "1" },
			profile: { type: "boolean", default: false },
			list: { type: "boolean", default: false },
			neighbours: { type: "boolean", default: false },
			seconds: { type: "string", default: "20" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	const families = chooseFamilies(values.family ?? [], values.neighbours ? "" : (values.case ?? ""));
	const concurrency = Number(values.concurrency);
	if (values.help || families.length === 0 || !(Number.isInteger(concurrency) && concurrency > 0)) {
		process.stderr.write(USAGE);
		return values.help ? 0 : 2;
	}
	if (values.list) {
		for (const { name, cases } of families) {
			for (const each of cases) process.stdout.write(`${name}: ${each.name}\n`);
		}
		return 0;
	}
	if (values.neighbours) {
		const rows = await compareNeighbours(Number(values.seconds), {
			text: values.case ?? "",
			profiles: values.profile,
		});
		process.stdout.write(`${values.json ? JSON.stringify(rows) : renderNeighbours(rows)}\n`);
		return rows.every(isWithinLimits) ? 0 : 1;
	}
	const started = performance.now();
	const world = await World.open({ profiles: values.profile });
	const results: FamilyResult[] = [];
	for (const { name, cases } of families) {
		const measured: Measured[] = [];
		for (let at = 0; at < cases.length; at += concurrency) {
			for (const result of await measure(world, cases.slice(at, at + concurrency))) {
				measured.push(result);
				process.stderr.write(progress(name, result));
			}
		}
		results.push({ family: name, results: measured });
	}
	const left = await measureRemaining(world);
	await world.close();
	const outcome = {
		families: results,
		idle: world.idle,
		left,
		seconds: (performance.now() - started) / 1000,
	};
	process.stdout.write(`${values.json ? renderJson(outcome) : renderTable(outcome)}\n`);
	return listOffenders(results).length === 0 ? 0 : 1;
}

function chooseFamilies(names: readonly string[], text: string): Family[] {
	const has = ({ name }: Case) => name.includes(text);
	return CORPUS.filter(({ name }) => names.length === 0 || names.includes(name))
		.map(({ name, cases }) => ({ name, cases: cases.filter(has) }))
		.filter(({ cases }) => cases.length > 0);
}

function progress(
	family: string,
	{ name, answers, longestTurn, memory, problems, seconds }: Measured,
): string {
	const figures = `${Math.round(longestTurn)} ms, ${Math.round(memory)} MB, ${seconds.toFixed(1)} s`;
	const verdict = problems.length === 0 ? "" : `  <- ${problems.join("; ")}`;
	return `${family}: ${name}: ${answers.join(" ")}, ${figures}${verdict}\n`;
}
