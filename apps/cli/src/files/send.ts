import { FileType, type FileValue } from "@tripline/contract/files";
import { ExecutorRefused, type TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation } from "../command.ts";
import { formatSize, toShown } from "./describe.ts";
import type { LocalFile } from "./local-file.ts";
import { guessType } from "./media-type.ts";
import { startTransfer } from "./transfer.ts";

const TOO_LARGE = 413;

interface SendOptions {
	readonly name?: string;
	readonly type?: string;
}

/** Uploads a file from disk, in pieces. */
export async function sendFile(
	invocation: Pick<Invocation, "io" | "flags">,
	{ files }: Pick<TenantExecutor, "files">,
	local: LocalFile,
	{ name = local.name, type = guessType(name) }: SendOptions = {},
) {
	const transfer = startTransfer(invocation, `uploading ${toShown(local.path)}`, local.open(), local.size);
	try {
		return await files.upload({ name, type, size: local.size }, transfer.counted);
	} catch (error) {
		throw toUploadProblem(error, local, transfer.bytes());
	} finally {
		transfer.end();
	}
}

function toUploadProblem(error: unknown, { path, size }: LocalFile, sent: number): unknown {
	const shown = toShown(path);
	if (error instanceof ExecutorRefused && error.status === TOO_LARGE)
		return new CliProblem(
			`${shown}${size === undefined ? "" : ` (${formatSize(size)})`} is too large: ${error.message}`,
			{
				hint: "MAX_FILE_BYTES of the service limits a file, MAX_FILES_BYTES all files of a namespace",
			},
		);
	const { code, message } = findCause(error);
	if (code !== undefined && READ_ERRORS.has(code)) return new CliProblem(`${shown} cannot be read (${code})`);
	if (/content-length/i.test(message) || (size !== undefined && message.includes("Premature") && sent < size))
		return new CliProblem(`${shown} changed while it was sent`, { hint: "run it again" });
	return error;
}

/** Errors of the local file, which fetch passes on as the cause of its own. */
const READ_ERRORS = new Set(["EACCES", "EPERM", "EIO", "EISDIR", "ENOENT"]);

function findCause(error: unknown): { readonly code?: string; readonly message: string } {
	let cause = error;
	while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
	const { code, message = "" } = (cause ?? {}) as { code?: string; message?: string };
	return { ...(code !== undefined && { code }), message };
}

export const toFileValue = (file: {
	readonly id: string;
	readonly name: string;
	readonly type: string;
	readonly size: number;
}): FileValue => ({ $file: file.id, name: file.name, type: file.type, size: file.size });

export function parseType(given: string): string {
	if (FileType.safeParse(given).success) return given;
	throw new CliProblem(`--type must be a media type such as text/csv`, { code: 2 });
}
