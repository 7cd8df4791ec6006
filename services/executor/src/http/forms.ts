import { Failed, type Failure, type Issue, notFound } from "@tripline/contract/failures";
import { Namespace } from "@tripline/contract/names";
import type { Form } from "@tripline/contract/webhook-trigger";
import { type JsonObject, WorkflowName } from "@tripline/contract/workflows";
import { identifyCaller } from "@tripline/platform/addresses";
import type { Turns } from "@tripline/platform/turns";
import { readBody, streamBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { type Reply, type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { renderDone, renderFailedRun, renderFailure, renderReceived } from "../forms/answers.ts";
import { parseDone } from "../forms/done.ts";
import { isSentByForeignPage } from "../forms/foreign.ts";
import { chooseLanguage, type Language } from "../forms/languages.ts";
import { type FormModel, listFileNames } from "../forms/model.ts";
import { parseForm } from "../forms/parse.ts";
import { listProblems } from "../forms/problems.ts";
import { readFormInput } from "../forms/read.ts";
import { renderForm } from "../forms/render.ts";
import type { FileFields } from "./bodies/fields.ts";
import { readFileParts } from "./bodies/read-files.ts";
import { findFileBody, readFields } from "./bodies/read-input.ts";
import { findMislabelled } from "./file-contents.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Upload } from "./upload.ts";

/** A workflow whose trigger has a form. */
export interface FormTarget {
	readonly workflow: string;
	readonly form: Form;
	/** `options.input_schema`. */
	readonly schema: JsonObject | undefined;
	/** `trigger.max_bytes`; at most and by default the service's limit. */
	readonly maxBytes?: number | undefined;
	/** Of all files of a submission together. */
	readonly maxFilesBytes: number;
}

/** What became of a run that a form started. */
export interface FormRun {
	readonly executionId: string;
	/** `continues`: it waits, and goes on by itself. */
	readonly status: "success" | "failed" | "continues";
	/** What `respond` gave; null if the workflow did not use it. */
	readonly reply: Reply | null;
}

export interface FormDeps<Target extends FormTarget> {
	readonly maxBodyBytes: number;
	readonly turns: Turns;
	/** Of posts, by the sender's address: 30 a minute. */
	readonly formRate: RateLimit;
	/** The service's public origin, or that of the request. */
	getOrigin(request: Incoming): string;
	/** Null if there is no such workflow or it has no form. */
	findForm(namespace: string, name: string): Promise<Target | null>;
	/** Throws `Failed` if the trigger has `auth` and the request has no valid credential. */
	authorize(request: Incoming, target: Target): Promise<void>;
	/** The problems of the input, by the workflow's schema. */
	checkInput(target: Target, input: JsonObject): Promise<readonly Issue[]>;
	/** Where the files of a submission go. */
	startUpload(target: Target): Upload;
	/** Runs the workflow with an input that passed the check, and tells the upload when it has run. */
	run(request: Incoming, target: Target, input: JsonObject, upload: Upload | null): Promise<FormRun>;
	/** Maps an error of a dependency to a failure for the caller; null if the error is unexpected. */
	toFailure(error: unknown): Failure | null;
}

interface Opened<Target> {
	readonly namespace: string;
	readonly target: Target;
	readonly model: FormModel;
}

/** Reading a form of this length may take milliseconds. */
const LONG_BYTES = 64 * 1024;

const tag = "Forms";
const params = z.object({ namespace: Namespace, name: WorkflowName });
const content = { "text/html": z.string() };
const responses = {
	200: { description: "A page", content },
	401: { description: "The trigger requires a user name and a password", content },
	404: { description: "There is no such workflow, or it has no form", content },
} as const;

export function formRoutes<Caller, Target extends FormTarget>(deps: FormDeps<Target>): Route<Caller>[] {
	const path = "/f/{namespace}/{name}";
	return [
		route({
			method: "GET",
			path,
			tag,
			open: true,
			summary: "Open a workflow's form",
			description: "A page drawn from options.input_schema, for workflows whose trigger has a form.",
			params,
			headers: { "Accept-Language": "zh for a page in Traditional Chinese; default English" },
			responses,
			handle: ({ params: { namespace, name }, request }) =>
				answer(request, async (language) => {
					const { target, model } = await open(request, namespace, name);
					return renderForm({ ...target, model, language });
				}),
		}),

		route({
			method: "POST",
			path,
			tag,
			open: true,
			summary: "Submit a workflow's form",
			params,
			accepts: {
				"application/x-www-form-urlencoded": z.record(z.string(), z.string()),
				"multipart/form-data": z.record(z.string(), z.string()).meta({
					description: "The fields of the form; files in the fields whose format is file",
				}),
			},
			responses: {
				...responses,
				200: { description: "The page after submitting, or what `respond` gave", content },
				202: { description: "Received; the run waits, and goes on by itself", content },
				303: { description: "Submitted; the form leads to another address" },
				403: { description: "Sent by a page of another origin", content },
				422: { description: "The form with a message beside each field that is not valid", content },
				429: { description: "Too many submissions from this address; see Retry-After", content },
				500: { description: "The run failed", content },
			},
			handle: ({ params: { namespace, name }, request }) =>
				answer(request, async (language) => submit(request, await open(request, namespace, name), language)),
		}),
	];

	async function open(request: Incoming, namespace: string, name: string): Promise<Opened<Target>> {
		const target = await deps.findForm(namespace, name);
		if (target === null) throw notFound();
		await deps.authorize(request, target);
		const model = parseForm(target.schema);
		// Saving refuses such a form; a stored one may be older than a rule.
		if ("problem" in model) throw notFound();
		return { namespace, target, model };
	}

	async function submit(
		request: Incoming,
		{ namespace, target, model }: Opened<Target>,
		language: Language,
	): Promise<Response | Reply> {
		if (isSentByForeignPage(request.headers, deps.getOrigin(request)))
			throw new Failed({ kind: "forbidden", message: "sent by a page of another origin" });
		const wait = deps.formRate.take(identifyCaller(request.address));
		if (wait !== null)
			throw new Failed({ kind: "too_many", message: "too many submissions", retryAfterSeconds: wait });
		const opened = { namespace, target, model };
		const contentType = request.headers.get("content-type");
		const fileNames = listFileNames(model);
		const fileBody = fileNames.size === 0 ? null : findFileBody(["files"], contentType);
		if (fileBody?.kind !== "parts") {
			const filled = await readFilled(request, opened);
			return finish(request, opened, language, filled, null);
		}
		const upload = deps.startUpload(target);
		return upload.settle(async () => {
			const maxTextBytes = Math.min(target.maxBytes ?? deps.maxBodyBytes, deps.maxBodyBytes);
			const maxBytes = target.maxFilesBytes + maxTextBytes;
			const filled = await readFileParts(streamBody(request, maxBytes), fileBody.type, {
				maxTextBytes,
				wants: (field) => fileNames.has(field),
				write: (field, file, content) => upload.write(field, file, content),
			});
			return finish(request, opened, language, filled ?? new Map(), upload);
		});
	}

	/** The fields of a form without files. */
	async function readFilled(request: Incoming, { namespace, target }: Opened<Target>): Promise<FileFields> {
		const maxBytes = Math.min(target.maxBytes ?? deps.maxBodyBytes, deps.maxBodyBytes);
		const bytes = await readBody(request, maxBytes);
		const contentType = request.headers.get("content-type");
		const read = () => readFields({ contentType, bytes });
		return bytes.length < LONG_BYTES ? read() : deps.turns.run(namespace, read);
	}

	async function finish(
		request: Incoming,
		{ namespace, target, model }: Opened<Target>,
		language: Language,
		filled: FileFields,
		upload: Upload | null,
	): Promise<Response | Reply> {
		const read = () => readFormInput(model, filled);
		const { input, problems, isTrapped } = await deps.turns.run(namespace, read);
		// The sender must not learn that nothing ran.
		if (isTrapped) return renderDone({ ...target, language });
		const issues = [
			...(await deps.checkInput(target, input)),
			...(upload === null ? [] : findMislabelled(target.schema, upload.files)),
		];
		const found = listProblems(model, problems, issues, language);
		if (found.length > 0)
			return renderForm({ ...target, model, language, rejected: { filled, problems: found } });
		const { executionId, status, reply } = await deps.run(request, target, input, upload);
		if (status === "continues") return reply ?? renderReceived(executionId, language);
		if (status === "failed") return renderFailedRun(executionId, language);
		return parseDone(target.form.done) === null && reply !== null
			? reply
			: renderDone({ ...target, language });
	}

	/** Refusals are pages too. */
	async function answer(
		request: Incoming,
		handle: (language: Language) => Promise<Response | Reply>,
	): Promise<Response | Reply> {
		const language = chooseLanguage(request.headers.get("accept-language"));
		try {
			return await handle(language);
		} catch (error) {
			const failure = error instanceof Failed ? error.failure : deps.toFailure(error);
			if (failure === null) throw error;
			return renderFailure(failure, language);
		}
	}
}
