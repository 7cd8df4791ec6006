import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { lockDataFolder } from "./data-lock.ts";
import { openDatabase } from "./databases.ts";
import { PREVIOUS, putBack } from "./downgraded.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import { parseSettings, type Settings, StartProblem } from "./settings.ts";

process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

/** Exit codes. 0: done. 2: the operator must fix something first. */
async function run(args: string[]): Promise<number> {
	const { values: options } = parseArgs({
		args,
		options: { to: { type: "string" }, json: { type: "boolean" }, quiet: { type: "boolean" } },
	});
	try {
		const settings = parseSettings({ ...readEnvironmentFile(), ...process.env });
		const outcome = await downgrade(settings, options.to);
		process.stdout.write(
			options.json === true ? `${JSON.stringify(outcome, null, "\t")}\n` : render(outcome),
		);
		return 0;
	} catch (error) {
		if (!(error instanceof StartProblem)) throw error;
		if (options.json === true)
			process.stdout.write(`${JSON.stringify({ error: error.message, hint: null }, null, "\t")}\n`);
		process.stderr.write(`tripline: ${error.message}\n`);
		return 2;
	}
}

interface Downgraded {
	readonly data: string;
	readonly version: string;
	readonly runs_put_aside: number;
}

async function downgrade(settings: Settings, version: string | undefined): Promise<Downgraded> {
	if (version !== PREVIOUS.version)
		throw new StartProblem(
			`--to must be ${PREVIOUS.version}, the version before this one; for an older one restore a backup that it has made`,
		);
	if (settings.DATABASE_URL !== undefined)
		throw new StartProblem(
			`DATABASE_URL is set, and version ${PREVIOUS.version} knows no PostgreSQL: move the data to a folder first, with tripline move --to FOLDER`,
		);
	const data = resolve(settings.DATA_DIR);
	if (!existsSync(join(data, "store.db")))
		throw new StartProblem(`there is no store.db in ${data}: set DATA_DIR to the service's data folder`);
	await using opened = new AsyncDisposableStack();
	opened.adopt(lockDataFolder(data), (lock) => lock.release());
	const store = opened.use(await openDatabase("store", settings, data));
	return { data, version, runs_put_aside: await putBack(store) };
}

function render({ data, version, runs_put_aside: runs }: Downgraded): string {
	return `${data} can now be used by version ${version}.
${runs === 0 ? "No run was in progress." : `${runs} unfinished run${runs === 1 ? " was" : "s were"} put aside: they continue when a newer version starts again.`}
Workflows that use newer components or settings do not run in ${version}; nothing of them is lost.
`;
}
