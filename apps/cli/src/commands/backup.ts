import type { Command } from "../command.ts";

const SETTINGS = `It runs in the project's folder with the settings of tripline serve: DATA_DIR is the data folder, and BACKUP_TO
(a folder or a bucket) is where backups are. The passphrase of encrypted backups is in the file
BACKUP_PASSPHRASE_FILE, or in BACKUP_PASSPHRASE.`;

const which = {
	name: "backup",
	about: "a file, or the name of a backup in BACKUP_TO; by default the newest one",
	isOptional: true,
} as const;

export const backupCommand: Command = {
	name: "backup",
	about: "back up the data of a service on this machine, also while it runs",
	positionals: [],
	flags: [{ name: "to", value: "FOLDER", about: "where to put it, instead of BACKUP_TO" }],
	examples: [
		{ line: "tripline backup --to /mnt/backups", about: "databases and files, as they are at one moment" },
		{
			line: "BACKUP_PASSPHRASE_FILE=/etc/tripline/passphrase tripline backup",
			about: "encrypted, to BACKUP_TO",
		},
	],
	details: `${SETTINGS}
Keys are never in a backup. Keep a copy of the master key elsewhere: without it no credential can be opened.
Old backups in BACKUP_TO are deleted by BACKUP_KEEP and BACKUP_KEEP_DAYS, those in --to are not.`,
	load: async () => ({ run: (await import("../serve/backup.ts")).create }),
};

export const backupListCommand: Command = {
	name: "backup list",
	about: "list the backups in BACKUP_TO",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline backup list", about: "oldest first" }],
	details: SETTINGS,
	load: async () => ({ run: (await import("../serve/backup.ts")).list }),
};

export const backupVerifyCommand: Command = {
	name: "backup verify",
	about: "check that a backup is complete and could be restored",
	positionals: [which],
	flags: [],
	examples: [
		{ line: "tripline backup verify", about: "the newest one in BACKUP_TO" },
		{ line: "tripline backup verify /mnt/backups/tripline-2027-01-31T03-00-00-000Z.backup", about: "a file" },
	],
	details: `${SETTINGS}
All of it is read and decrypted, the databases are opened and checked, and rows and files are counted. It needs as much
temporary space (TMPDIR) as the databases have.`,
	load: async () => ({ run: (await import("../serve/backup.ts")).verify }),
};

export const backupRestoreCommand: Command = {
	name: "backup restore",
	about: "restore a backup into an empty data folder",
	positionals: [which],
	flags: [
		{ name: "to", value: "FOLDER", about: "the data folder, instead of DATA_DIR" },
		{ name: "move-aside", about: "move what is in the data folder into before-restore-… there" },
	],
	examples: [
		{ line: "tripline backup restore --to ./data-restored", about: "the newest one in BACKUP_TO" },
		{ line: "tripline backup restore --move-aside", about: "replace the data of a stopped service" },
	],
	details: `${SETTINGS}
Nothing is overwritten, and the folder is used only after the whole backup was read and checked. Files go to the place of
FILES_DIR or FILES_S3_URL, if one is set. Then put the keys back and start the service.`,
	load: async () => ({ run: (await import("../serve/backup.ts")).restore }),
};
