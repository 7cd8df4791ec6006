import type { RespondAnswer } from "@tripline/components/effects";
import { Failed, type Failure } from "@tripline/contract/failures";
import { buildRunAnswer } from "../domain/run-answer.ts";
import { type Finished, newExecutionId, type RunRequest } from "../runs/execute.ts";
import { RunContinues } from "../runs/waited.ts";
import { checkRate, listIssues, readRoot } from "./context.ts";
import type { ExecutorParts } from "./deps.ts";
import type { FormDeps, FormTarget } from "./forms.ts";
import { requireEnabled, resolveTarget } from "./named.ts";
import { checkCaller } from "./receive.ts";
import type { Target } from "./target.ts";
import { chooseMaxFilesBytes, Upload } from "./upload.ts";
import { getBaseUrl } from "./urls.ts";

export interface FormCall extends FormTarget {
	readonly target: Target;
}

/** How the routes of forms find and run workflows. */
export function formCalls(
	parts: ExecutorParts,
	toFailure: (error: unknown) => Failure | null,
): FormDeps<FormCall> {
	return {
		maxBodyBytes: parts.settings.maxBodyBytes,
		turns: parts.turns,
		formRate: parts.formRate,
		getOrigin: (request) => new URL(getBaseUrl(parts.settings, request)).origin,
		async findForm(namespace, name) {
			const target = await findTarget(namespace, name);
			const { webhook = null, options } = target?.runnable ?? {};
			if (target === null || webhook === null || webhook.form === null) return null;
			requireEnabled(target);
			const { form, maxBytes } = webhook;
			const maxFilesBytes = chooseMaxFilesBytes(parts.settings, false, maxBytes);
			return { target, workflow: name, form, maxBytes, maxFilesBytes, schema: options?.input_schema };
		},
		async authorize(request, { target }) {
			// Before the password, so that it cannot be guessed at any speed.
			checkRate(parts.rate, target.rateKey);
			await checkCaller(parts, request, target);
		},
		async checkInput({ target }, input) {
			const check = target.runnable.checkInput;
			return check === null ? [] : listIssues(parts, target, check, input);
		},
		startUpload: ({ target, maxFilesBytes }) =>
			new Upload(parts.files, target, {
				executionId: newExecutionId(parts.clock),
				maxBytes: maxFilesBytes,
			}),
		async run(request, { target }, input, upload) {
			const executionId = upload?.executionId ?? newExecutionId(parts.clock);
			const root = readRoot(request, target);
			let responded: RespondAnswer | null = null;
			const finished = await runNow({
				...target,
				input,
				...(root !== undefined && { request: root }),
				...(upload !== null && { files: upload.ids }),
				passedCheck: target.runnable.checkInput,
				executionId,
				calledUrl: request.url,
				onRespond: (answer) => {
					responded = answer;
				},
				eventDepth: 0,
			});
			upload?.setRun();
			// A run that waits may have responded before.
			const result = finished?.result ?? {
				...{
					success: true,
					execution_id: executionId,
					workflow: target.workflow,
					data: null,
					duration_ms: 0,
				},
			};
			const built = buildRunAnswer(result, responded, { mayLoosen: parts.mayLoosenPages(request) });
			const status = built.result.success ? (finished === null ? "continues" : "success") : "failed";
			return { executionId, status, reply: responded === null ? null : built.reply };
		},
		toFailure,
	};

	/** Null if the run continues by itself. */
	async function runNow(request: RunRequest): Promise<Finished | null> {
		try {
			return await parts.runs.runNow(request);
		} catch (error) {
			if (error instanceof RunContinues) return null;
			throw error;
		}
	}

	async function findTarget(namespace: string, name: string): Promise<Target | null> {
		try {
			return await resolveTarget(parts, namespace, name, "named");
		} catch (error) {
			if (error instanceof Failed && error.failure.kind === "not_found") return null;
			throw error;
		}
	}
}
