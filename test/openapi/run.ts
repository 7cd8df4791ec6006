import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DescriptionProblem } from "@tripline/openapi/problem";
import { type Tried, tryDescription } from "./try-description.ts";

const USAGE = `usage: npm run test:openapi -- [options] <folder or file>...

Makes recipes of OpenAPI descriptions, and calls their operations at a double of the service.

  --operations <n>   at most this many operations of each description (default: all)
  --defects <n>      print at most this many defects of each description (default 5)
  --notes            print what was not understood
`;

async function main(args: string[]): Promise<number> {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			operations: { type: "string" },
			defects: { type: "string", default: "5" },
			notes: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help || positionals.length === 0) {
		process.stderr.write(USAGE);
		return values.help ? 0 : 2;
	}
	const maxOperations = values.operations === undefined ? undefined : Number(values.operations);
	let [failed, refused, calls, operations] = [0, 0, 0, 0];
	const files = positionals.flatMap(listFiles);
	for (const file of files) {
		const tried = await tryFile(file, maxOperations);
		if (typeof tried === "string") {
			refused++;
			print(`${file}: ${tried}`);
			continue;
		}
		if (tried.defects.length > 0) failed++;
		calls += tried.calls;
		operations += tried.imported;
		print(`${file}: ${describe(tried)}`);
		for (const defect of tried.defects.slice(0, Number(values.defects))) print(`  defect: ${defect}`);
		for (const one of tried.left.slice(0, Number(values.defects))) print(`  left out: ${one}`);
		if (values.notes)
			for (const [kind, count] of tried.notes) print(`  not understood ${count} times: ${kind}`);
	}
	print(
		`${files.length} descriptions, ${operations} operations imported, ${calls} calls: ${failed} with defects, ${refused} not read`,
	);
	return failed > 0 ? 1 : 0;
}

const listFiles = (path: string): string[] =>
	statSync(path).isDirectory()
		? readdirSync(path)
				.filter((name) => /\.(?:json|ya?ml)$/.test(name))
				.sort()
				.map((name) => join(path, name))
		: [path];

async function tryFile(file: string, maxOperations: number | undefined): Promise<Tried | string> {
	try {
		return await tryDescription(
			readFileSync(file, "utf8"),
			maxOperations === undefined ? {} : { maxOperations },
		);
	} catch (error) {
		if (error instanceof DescriptionProblem) return error.message;
		return `failed: ${(error as Error).stack}`;
	}
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function describe({
	version,
	operations,
	imported,
	recipes,
	calls,
	skipped,
	paged,
	auth,
	units,
	readMs,
	defects,
	notes,
}: Tried): string {
	const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
	const noted = [...notes.values()].reduce((sum, count) => sum + count, 0);
	return [
		`OpenAPI ${version}`,
		`read in ${readMs.toFixed(0)} ms and ${percent(units.read)} of the meter`,
		`${imported} of ${operations} operations in ${recipes} recipes (at most ${percent(units.recipe)})`,
		`${paged} with pages`,
		`auth ${auth.join(", ")}`,
		`${noted} notes`,
		`${calls} calls (${skipped} skipped)`,
		`${defects.length} defects`,
	].join(", ");
}

process.exitCode = await main(process.argv.slice(2));
