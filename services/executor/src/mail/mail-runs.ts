import { Failed } from "@tripline/contract/failures";
import { type FileValue, toFileName, toFileType } from "@tripline/contract/files";
import { type JsonObject, MAX_MAIL_BYTES } from "@tripline/contract/workflows";
import type { MailAttachment, ReceivedMail } from "@tripline/platform/mailboxes";
import type { MailboxState } from "../domain/mailbox-state.ts";
import type { StoredFiles } from "../files/stored-files.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import { deriveId } from "../runs/derive-id.ts";
import type { ExecutorSettings } from "../settings.ts";
import { buildMailInput, type MailPart } from "./mail-input.ts";
import type { MailboxPlace, WatchedWorkflow } from "./watched.ts";

export interface MailRunDeps {
	readonly accepted: Pick<AcceptedRuns, "accept" | "status">;
	readonly files: Pick<StoredFiles, "write" | "delete">;
	readonly settings: Pick<ExecutorSettings, "maxFileBytes" | "maxBodyBytes">;
}

/** Refusals of one mail; others concern all of them. */
const REFUSED_INPUTS: readonly Failed["failure"]["kind"][] = ["too_large", "bad_request"];

/** Starts runs with mails. */
export function mailRuns({ accepted, files, settings }: MailRunDeps, { namespace, mailbox }: MailboxPlace) {
	return {
		/**
		 * Stores the run, once for each mail. Returns why the mail can start none; null if it does. Throws `Failed` if it can
		 * later.
		 */
		async start(
			workflow: WatchedWorkflow,
			{ fingerprint, uid_validity }: MailboxState,
			mail: ReceivedMail,
		): Promise<string | null> {
			const uidValidity = uid_validity ?? "";
			// The same if the process dies before the mail counts as read: the run is not accepted twice.
			const executionId = await deriveId(fingerprint, `${uidValidity}\n${mail.uid}`);
			if ((await accepted.status(namespace, executionId)) !== null) return null;
			const read = limitMail(mail, workflow);
			const stored = await storeAttachments(read.attachments, workflow, executionId);
			const ids = stored.values.flatMap((value) => ("$file" in value ? [value.$file] : []));
			const isTruncated = read.isTruncated || stored.isTruncated;
			const input = fitInput(
				buildMailInput(read, { mailbox, uidValidity }, stored.values, isTruncated),
				settings.maxBodyBytes / 2,
			);
			const { name, versionNumber, runnable } = workflow;
			try {
				const started = await accepted.accept({
					...{ namespace, input, trigger: "event", eventDepth: 0, files: ids },
					runs: [{ executionId, workflow: name, versionNumber, runnable }],
				});
				if (started.length === 0) await discard(ids);
				return null;
			} catch (error) {
				await discard(ids);
				if (error instanceof Failed && REFUSED_INPUTS.includes(error.failure.kind))
					return `the mail ${mail.uid} started no run: ${error.message}`;
				throw error;
			}
		},
	};

	/** If the namespace has no room for them it throws: the mail waits until there is some. */
	async function storeAttachments(
		attachments: readonly MailAttachment[],
		{ settings: { attachments: areStored = true } }: WatchedWorkflow,
		executionId: string,
	) {
		const values: (FileValue | MailPart)[] = [];
		let isTruncated = false;
		try {
			for (const { name, type, bytes } of attachments) {
				const file = { name: toFileName(name ?? ""), type: toFileType(type) };
				const isTooLarge = bytes.length > settings.maxFileBytes;
				if (areStored && !isTooLarge) {
					const content = streamBytes(bytes);
					values.push(
						await files.write(namespace, { ...file, executionId }, content, {
							maxBytes: settings.maxFileBytes,
						}),
					);
					continue;
				}
				if (areStored) isTruncated = true;
				values.push({ ...file, size: bytes.length });
			}
			return { values, isTruncated };
		} catch (error) {
			await discard(values.flatMap((value) => ("$file" in value ? [value.$file] : [])));
			throw error;
		}
	}

	/** Files that cannot be deleted now expire. */
	async function discard(ids: readonly string[]): Promise<void> {
		if (ids.length > 0) await files.delete(namespace, ids).catch(() => {});
	}
}

/** A mail that is larger than this workflow wants is read for another one. */
function limitMail(
	mail: ReceivedMail,
	{ settings: { max_size = MAX_MAIL_BYTES } }: WatchedWorkflow,
): ReceivedMail {
	if (mail.size <= max_size) return mail;
	return { ...mail, text: null, html: null, attachments: [], isTruncated: true };
}

/** Leaves out what is largest until the input can be stored. */
function fitInput(input: JsonObject, maxBytes: number): JsonObject {
	const isTooLarge = (value: JsonObject) => new TextEncoder().encode(JSON.stringify(value)).length > maxBytes;
	if (!isTooLarge(input)) return input;
	const { text } = input;
	const short = typeof text === "string" ? text.slice(0, maxBytes / 8).toWellFormed() : null;
	const steps: readonly JsonObject[] = [{ html: null }, { text: short }, { headers: {}, references: [] }];
	let fitted: JsonObject = { ...input, truncated: true };
	for (const step of steps) {
		fitted = { ...fitted, ...step };
		if (!isTooLarge(fitted)) break;
	}
	return fitted;
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	if (bytes.length > 0) yield bytes;
}
