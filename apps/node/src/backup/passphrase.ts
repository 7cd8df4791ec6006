import { readPrivate } from "../private-file.ts";
import { MIN_PASSPHRASE_LENGTH, type Settings, StartProblem } from "../settings.ts";

/** Null if backups are not encrypted. */
export function readPassphrase(settings: Settings): string | null {
	const { BACKUP_PASSPHRASE: given = null, BACKUP_PASSPHRASE_FILE: path } = settings;
	if (path === undefined) return given;
	const content = readPrivate({ path, alternative: "set BACKUP_PASSPHRASE_FILE to another file" });
	const passphrase = Buffer.from(content, "latin1")
		.toString("utf8")
		.replace(/\r?\n$/, "");
	if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return passphrase;
	throw new StartProblem(
		`BACKUP_PASSPHRASE_FILE ${path} must have at least ${MIN_PASSPHRASE_LENGTH} characters`,
	);
}
