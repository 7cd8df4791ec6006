import { createReadStream, existsSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { createBackup } from "./backup/create.ts";
import { renderCreated, renderList, renderRestored, renderVerified } from "./backup/outcome.ts";
import { readPassphrase } from "./backup/passphrase.ts";
import { folderPlace, openPlace, type Place } from "./backup/places.ts";
import { BackupProblem } from "./backup/problem.ts";
import { restoreBackup } from "./backup/restore.ts";
import { deleteExpired } from "./backup/retention.ts";
import { verifyBackup } from "./backup/verify.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import { parseSettings, type Settings, StartProblem } from "./settings.ts";

const REDRAW_MS = 100;

const OPTIONS = {
	to: { type: "string" },
	"move-aside": { type: "boolean" },
	json: { type: "boolean" },
	quiet: { type: "boolean" },
} as const;

interface Call {
	readonly settings: Settings;
	/** A file, or the name of a backup in BACKUP_TO. */
	readonly which: string | undefined;
	readonly to: string | undefined;
	readonly movesAside: boolean;
	report(what: string): void;
}

interface Outcome {
	readonly json: unknown;
	readonly text: string;
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<Outcome>>> = {
	create,
	scheduled: createIfDue,
	list: async ({ settings }) => renderList(await openPlace(settings).list()),
	verify,
	restore,
};

// Backups and databases must be readable by this user only.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2));

/** Exit codes. 0: done. 1: failed. 2: the operator must fix something first. */
async function run(args: string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
	const [name = "", which] = positionals;
	const wantsJson = values.json === true;
	const progress = showProgress(wantsJson || values.quiet === true);
	try {
		const settings = parseSettings({ ...readEnvironmentFile(), ...process.env });
		refusePostgres(settings);
		const movesAside = values["move-aside"] === true;
		const call = { settings, which, to: values.to, movesAside, report: progress.report };
		const outcome = await COMMANDS[name]?.(call);
		progress.end();
		process.stdout.write(wantsJson ? `${JSON.stringify(outcome?.json)}\n` : (outcome?.text ?? ""));
		return 0;
	} catch (error) {
		progress.end();
		const message = error instanceof Error ? error.message : String(error);
		if (wantsJson) process.stdout.write(`${JSON.stringify({ error: message, hint: null })}\n`);
		process.stderr.write(`tripline: ${message}\n`);
		return error instanceof StartProblem ? 2 : 1;
	}
}

function refusePostgres({ DATABASE_URL }: Settings): void {
	if (DATABASE_URL !== undefined)
		throw new StartProblem(
			"DATABASE_URL is set, so the data is in PostgreSQL: back it up with pg_dump and copy the files, see docs/guides/backup.md",
		);
}

async function create({ settings, to, report }: Call): Promise<Outcome> {
	yieldToOthers();
	const place = to === undefined ? openPlace(settings) : folderPlace(to);
	const created = await createBackup({
		...{ settings, place, report },
		version: manifest.version,
		passphrase: readPassphrase(settings),
	});
	// Elsewhere they are the caller's.
	const deleted = to === undefined ? await deleteOld(settings, place) : [];
	return renderCreated(place, created, deleted);
}

function deleteOld(
	{ BACKUP_KEEP: count, BACKUP_KEEP_DAYS: days }: Settings,
	place: Place,
): Promise<string[]> {
	return deleteExpired(place, { count, days: days ?? null }, new Date());
}

/** What the service calls. The newest backup says when the next is due, so that a restart changes nothing. */
async function createIfDue(call: Call): Promise<Outcome> {
	yieldToOthers();
	const newest = (await openPlace(call.settings).list()).at(-1);
	const dueAt = (newest?.at.getTime() ?? 0) + call.settings.BACKUP_EVERY;
	if (newest !== undefined && dueAt > Date.now())
		return { json: { created: null, newest_at: newest.at.toISOString() }, text: "" };
	const { json } = await create(call);
	return { json: { created: json, newest_at: (json as { at: string }).at }, text: "" };
}

async function verify({ settings, which, report }: Call): Promise<Outcome> {
	yieldToOthers();
	const { name, archive } = await openArchive(settings, which);
	return renderVerified(name, await verifyBackup({ archive, passphrase: readPassphrase(settings), report }));
}

async function restore({ settings, which, to, movesAside, report }: Call): Promise<Outcome> {
	const { name, archive } = await openArchive(settings, which);
	const restored = await restoreBackup({
		settings: to === undefined ? settings : { ...settings, DATA_DIR: to },
		passphrase: readPassphrase(settings),
		...{ archive, movesAside, report },
	});
	return renderRestored(settings, name, restored);
}

/** A file, a backup of BACKUP_TO, or the newest there. */
async function openArchive(
	settings: Settings,
	which: string | undefined,
): Promise<{ name: string; archive: AsyncIterable<Uint8Array> }> {
	if (which !== undefined && existsSync(which)) {
		if (!statSync(which).isFile()) throw new BackupProblem(`${which} is not a file`);
		return { name: resolve(which), archive: createReadStream(which) };
	}
	if (which !== undefined && settings.BACKUP_TO === undefined)
		throw new BackupProblem(`there is no file ${which}`);
	const place = openPlace(settings);
	const backups = await place.list();
	const found = which === undefined ? backups.at(-1) : backups.find(({ name }) => name === which);
	if (found === undefined)
		throw new BackupProblem(
			which === undefined
				? `there is no backup in ${place.name}`
				: `there is no backup ${which} in ${place.name}`,
		);
	return { name: found.name, archive: await place.read(found.name) };
}

/** The service on this machine comes first. */
function yieldToOthers(): void {
	try {
		setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
	} catch {
		// Not allowed here.
	}
}

/** On a terminal one line that changes, else nothing. */
function showProgress(isSilent: boolean): { report(what: string): void; end(): void } {
	let drawnAt = 0;
	if (isSilent || process.stderr.isTTY !== true) return { report() {}, end() {} };
	return {
		report(what) {
			const now = performance.now();
			if (now - drawnAt < REDRAW_MS) return;
			drawnAt = now;
			process.stderr.write(`\r\u001b[K${what}`);
		},
		end() {
			if (drawnAt > 0) process.stderr.write("\r\u001b[K");
		},
	};
}
