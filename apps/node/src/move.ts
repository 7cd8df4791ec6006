import { parseArgs } from "node:util";
import { readEnvironmentFile } from "./environment-file.ts";
import { countMove, moveDeployment } from "./moving/deployment.ts";
import { renderCount, renderMoved } from "./moving/outcome.ts";
import { showProgress } from "./moving/progress.ts";
import { parseSettings, StartProblem } from "./settings.ts";

// The databases and the marks must be readable by this user only.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

/** Exit codes. 0: done. 1: failed; run it again. 2: the operator must fix something first. */
async function run(args: string[]): Promise<number> {
	const { values: options } = parseArgs({
		args,
		options: { "dry-run": { type: "boolean" }, json: { type: "boolean" }, quiet: { type: "boolean" } },
	});
	const wantsJson = options.json === true;
	const progress = showProgress(wantsJson || options.quiet === true);
	try {
		const settings = parseSettings({ ...readEnvironmentFile(), ...process.env });
		// By a variable: the arguments of a process can be read by other users, and a URL contains a password.
		const { TRIPLINE_MOVE_TO: to = "" } = process.env;
		const outcome =
			options["dry-run"] === true
				? renderCount(await countMove({ settings, to }))
				: renderMoved(settings, await moveDeployment({ settings, to, report: progress.report }));
		progress.end();
		process.stdout.write(wantsJson ? `${JSON.stringify(outcome.json, null, "\t")}\n` : outcome.text);
		return 0;
	} catch (error) {
		progress.end();
		const message = error instanceof Error ? error.message : String(error);
		if (wantsJson) process.stdout.write(`${JSON.stringify({ error: message, hint: null }, null, "\t")}\n`);
		process.stderr.write(`tripline: ${message}\n`);
		return error instanceof StartProblem ? 2 : 1;
	}
}
