import type { Command } from "../command.ts";

const ID = { name: "id", about: "the file's id, as files list and file values show it ($file)" } as const;

export const filesListCommand: Command = {
	name: "files list",
	about: "list files, newest first",
	positionals: [],
	flags: [
		{ name: "kept", about: "only files that are kept by a name; they do not expire" },
		{ name: "prefix", value: "text", about: "only files kept under names that begin with it" },
		{ name: "limit", value: "count", about: "how many at most: 1 to 1000, default 20" },
	],
	examples: [
		{ line: "tripline files list", about: "the latest 20 files, with their ids" },
		{ line: "tripline files list --kept --prefix reports/", about: "what workflows keep under reports/" },
	],
	load: async () => ({ run: (await import("../files/files.ts")).list }),
};

export const filesShowCommand: Command = {
	name: "files show",
	about: "show one file: name, type, size, run and when it expires",
	positionals: [ID],
	flags: [],
	examples: [{ line: "tripline files show 3q2-7wAAAAAAAAAAAAAAAA", about: "what is known about a file" }],
	load: async () => ({ run: (await import("../files/files.ts")).show }),
};

export const filesUploadCommand: Command = {
	name: "files upload",
	about: "upload files, to name them in inputs",
	positionals: [{ name: "path", about: "one or more files", isRest: true }],
	flags: [
		{ name: "name", value: "name", about: "another name for the file; only with one path" },
		{ name: "type", value: "type", about: "its media type; default: by the suffix of its name" },
	],
	examples: [
		{ line: "tripline files upload report.xlsx", about: "prints the file's id" },
		{
			line: "tripline files upload data --name data.csv --type text/csv --json",
			about: "prints the file value that an input takes",
		},
	],
	details: `To run a workflow with a file in one step: tripline run <name> --file-input <field>=<path>.
An uploaded file expires after the service's FILE_RETENTION_HOURS unless a workflow keeps it.`,
	load: () => import("../files/upload.ts"),
};

export const filesDownloadCommand: Command = {
	name: "files download",
	about: "download a file",
	positionals: [ID],
	flags: [
		{
			name: "to",
			value: "path",
			about: "the file to write, or an existing folder; default: the working folder",
		},
		{ name: "force", about: "replace an existing file" },
	],
	examples: [
		{
			line: "tripline files download 3q2-7wAAAAAAAAAAAAAAAA",
			about: "into the working folder, by its own name",
		},
		{
			line: "tripline files download 3q2-7wAAAAAAAAAAAAAAAA --to out/report.pdf --force",
			about: "to this path, even if there is a file",
		},
	],
	load: () => import("../files/download.ts"),
};

export const filesLinkCommand: Command = {
	name: "files link",
	about: "print an address that downloads a file without a login, for a limited time",
	positionals: [ID],
	flags: [{ name: "minutes", value: "count", about: "how long it works: 1 to 1440, default 10" }],
	examples: [{ line: "tripline files link 3q2-7wAAAAAAAAAAAAAAAA --minutes 60", about: "for one hour" }],
	details: "Anyone who has the address can download the file until it expires.",
	load: async () => ({ run: (await import("../files/files.ts")).link }),
};

export const filesDeleteCommand: Command = {
	name: "files delete",
	about: "delete files for good, also kept ones",
	positionals: [{ ...ID, about: "one or more ids", isRest: true }],
	flags: [],
	examples: [{ line: "tripline files delete 3q2-7wAAAAAAAAAAAAAAAA", about: "the file and its bytes" }],
	load: async () => ({ run: (await import("../files/files.ts")).remove }),
};
