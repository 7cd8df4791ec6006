import { randomBytes } from "node:crypto";
import { constants, createWriteStream, rmSync } from "node:fs";
import { copyFile, link, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { CliProblem } from "../command.ts";
import { formatSize } from "./describe.ts";

/** The exit code that a shell reports for a program that Ctrl-C ended. */
const INTERRUPTED_EXIT_CODE = 130;

interface Download {
	readonly target: string;
	/** The target as messages name it. */
	readonly shown: string;
	readonly size: number;
	readonly mayReplace: boolean;
}

/** Writes to a temporary file beside the target, which has the whole content or is not there. */
export async function writeDownload(
	content: ReadableStream<Uint8Array>,
	{ target, shown, size, mayReplace }: Download,
): Promise<void> {
	const draft = join(dirname(target), `.tripline-${randomBytes(6).toString("hex")}.part`);
	const clean = () => {
		rmSync(draft, { force: true });
		process.exit(INTERRUPTED_EXIT_CODE);
	};
	process.once("SIGINT", clean);
	try {
		await mkdir(dirname(target), { recursive: true });
		const file = createWriteStream(draft, { flags: "wx" });
		await pipeline(Readable.fromWeb(content as NodeReadableStream<Uint8Array>), file);
		if (file.bytesWritten !== size) throw brokenOffProblem(file.bytesWritten, size);
		await (mayReplace ? rename(draft, target) : place(draft, target));
	} catch (error) {
		throw toProblem(error, shown);
	} finally {
		process.off("SIGINT", clean);
		await rm(draft, { force: true });
	}
}

/** Fails if the target exists, even if it was made during the download. Not every file system has hard links. */
async function place(draft: string, target: string): Promise<void> {
	try {
		await link(draft, target);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
		await copyFile(draft, target, constants.COPYFILE_EXCL);
	}
}

function toProblem(error: unknown, shown: string): CliProblem {
	if (error instanceof CliProblem) return error;
	const { code, syscall } = error as NodeJS.ErrnoException;
	if (code === "EEXIST") return existsProblem(shown);
	if (syscall !== undefined && code !== undefined && !NETWORK_ERRORS.has(code))
		return new CliProblem(`${shown} cannot be written (${code})`, {
			hint: "check that you can write to the folder and that the disk is not full",
		});
	return new CliProblem("the download broke off", { hint: "run it again" });
}

const NETWORK_ERRORS = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

const brokenOffProblem = (received: number, size: number): CliProblem =>
	new CliProblem(`the download broke off after ${formatSize(received)} of ${formatSize(size)}`, {
		hint: "run it again",
	});

export const existsProblem = (shown: string): CliProblem =>
	new CliProblem(`there is already a file ${shown}`, {
		hint: "--force replaces it, --to <path> writes another",
	});
