import { parseArgs } from "node:util";
import { readEnvironmentFile } from "./environment-file.ts";
import { masterKeyPath } from "./master-key.ts";
import { countMove, type Moved, type MoveProgress, moveDeployment } from "./moving/deployment.ts";
import type { Place } from "./moving/places.ts";
import { ownerSecretPath } from "./owner-secret.ts";
import { parseSettings, type Settings, StartProblem } from "./settings.ts";

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

interface Outcome {
	readonly json: unknown;
	readonly text: string;
}

function renderCount({ from, to, tables }: Awaited<ReturnType<typeof countMove>>): Outcome {
	const width = Math.max(...tables.map(({ database, table }) => database.length + table.length + 1));
	const lines = tables.map(
		({ database, table, rows }) =>
			`${`${database}.${table}`.padEnd(width)}  ${formatCount(rows).padStart(12)}`,
	);
	return {
		json: { from: from.name, to: to.name, tables },
		text: `${lines.join("\n")}\n\nA dry run: nothing was copied from ${from.name} to ${to.name}.\n`,
	};
}

function renderMoved(settings: Settings, { from, to, tables }: Moved): Outcome {
	const rows = tables.reduce((sum, table) => sum + table.rows, 0);
	const files = tables.find(({ table }) => table === "files")?.rows ?? 0;
	const next =
		to.kind === "postgres" ? listNextInPostgres(settings, from, files) : listNextInFolder(to, files);
	const summary = `${formatCount(rows)} rows of ${tables.length} tables were copied from ${from.name} to ${to.name} and compared.`;
	return {
		json: { from: from.name, to: to.name, tables, next },
		text: `${summary}\n\nNext:\n${next.map((line, nth) => `${nth + 1}. ${line}\n`).join("")}`,
	};
}

function listNextInPostgres(settings: Settings, from: Place, files: number): string[] {
	const [key, secret] = [masterKeyPath(settings, from.name), ownerSecretPath(from.name)];
	return [
		"Set DATABASE_URL to the URL of the database, for every process.",
		settings.MASTER_KEY === undefined
			? `Set MASTER_KEY to the content of ${key}: without it no credential can be opened.`
			: "Keep MASTER_KEY as it is.",
		settings.MCP_OWNER_SECRET === undefined
			? `Set MCP_OWNER_SECRET to the content of ${secret}.`
			: "Keep MCP_OWNER_SECRET as it is.",
		`${describeFiles(from, files)} Give all processes that folder (FILES_DIR), or copy it to a bucket (FILES_S3_URL).`,
		`Start the service. It does not start with DATA_DIR=${from.name} alone any more, until you delete the file moved-to there; delete the folder's databases when you no longer need them.`,
	];
}

const listNextInFolder = (to: Place, files: number): string[] => [
	`Set DATA_DIR to ${to.name} and leave DATABASE_URL unset.`,
	"Keep MASTER_KEY and MCP_OWNER_SECRET as they are.",
	`${describeFiles(to, files)} Copy them from where the service has kept them.`,
	"Start the service, as one process. It no longer starts on the PostgreSQL database.",
];

const describeFiles = ({ name }: Place, files: number): string =>
	`The bytes of files are not in a database (there ${files === 1 ? "is 1 file" : `are ${formatCount(files)} files`}): they are in ${name}/files.`;

const formatCount = (count: number): string => count.toLocaleString("en-US");

const STEPS: Readonly<Record<MoveProgress["step"], string>> = {
	copy: "copying",
	index: "indexing",
	verify: "comparing",
};
const REDRAW_MS = 100;

/** On a terminal one line that changes, else one line for each table. */
function showProgress(isSilent: boolean): { report(progress: MoveProgress): void; end(): void } {
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
