import { systemClock } from "@tripline/platform/clock";
import manifest from "../package.json" with { type: "json" };
import { readEnvironmentFile } from "./environment-file.ts";
import { stderrWriter } from "./log-writer.ts";
import { countProcesses, listEmptySettings, parseSettings, StartProblem } from "./settings.ts";
import { findSupervisor } from "./supervised.ts";

// Databases and secrets must be readable by this user only.
process.umask(0o077);

const { version } = manifest;
const supervisor = findSupervisor();
const writer = stderrWriter(systemClock, supervisor?.fields);
process.on("exit", writer.end);

try {
	const variables = { ...readEnvironmentFile(), ...process.env };
	const settings = parseSettings(variables);
	const emptySettings = listEmptySettings(variables);
	const count = countProcesses(settings);
	// Loaded only here: a supervisor does without the services, and most deployments without a supervisor.
	if (supervisor === null && count > 1) {
		const { supervise } = await import("./supervisor.ts");
		await supervise({ count, settings, emptySettings, writer, version });
	} else {
		const { serve } = await import("./serve.ts");
		await serve({ settings, emptySettings, writer, version, supervisor });
	}
} catch (error) {
	if (!(error instanceof StartProblem)) throw error;
	if (supervisor !== null) supervisor.reportProblem(error.message);
	else {
		process.stderr.write(`tripline: ${error.message}\n`);
		process.exitCode = 2;
	}
}
