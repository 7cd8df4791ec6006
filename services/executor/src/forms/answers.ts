import type { Failure } from "@tripline/contract/failures";
import { toFailureStatus } from "@tripline/contract/failures";
import type { Form } from "@tripline/contract/webhook-trigger";
import { html } from "@tripline/web/docs/html";
import { parseDone } from "./done.ts";
import type { Language } from "./languages.ts";
import { buildPage } from "./page.ts";
import { type PageKind, TEXTS } from "./texts.ts";

/** The answer after a form was submitted: its text, a redirect, or thanks. */
export function renderDone({
	form,
	language,
}: {
	readonly form: Form;
	readonly language: Language;
}): Response {
	const done = parseDone(form.done);
	const texts = TEXTS[language].done;
	if (done?.kind === "address")
		return new Response(null, {
			status: 303,
			headers: { location: done.address, "cache-control": "no-store", "referrer-policy": "no-referrer" },
		});
	const title = form.title ?? texts.title;
	return buildPage({
		title,
		language,
		status: 200,
		main: html`<h1>${title}</h1>
<p class="text" role="status">${done?.text ?? texts.text}</p>`,
	});
}

/** The page after a run that failed. What went wrong is for the workflow's owner, who finds it by the id. */
export function renderFailedRun(executionId: string, language: Language): Response {
	const texts = TEXTS[language];
	return renderMessage(
		"failed",
		500,
		language,
		html`<p><a href="">${texts.again}</a></p>
${renderReference(executionId, language)}`,
	);
}

/**
 * The page after a run that goes on by itself. What the form says when it is done, or where it leads then, would be too
 * early.
 */
export const renderReceived = (executionId: string, language: Language): Response =>
	renderMessage("received", 202, language, renderReference(executionId, language));

function renderReference(executionId: string, language: Language): ReturnType<typeof html> {
	const { executionId: name, colon } = TEXTS[language];
	return html`<p class="soft">${name}${colon}<code>${executionId}</code></p>`;
}

/** The page of a request that was refused before any run. */
export function renderFailure(failure: Failure, language: Language): Response {
	return renderMessage(
		KINDS[failure.kind],
		toFailureStatus(failure),
		language,
		undefined,
		listHeaders(failure),
	);
}

const KINDS: Readonly<Record<Failure["kind"], PageKind>> = {
	bad_request: "badRequest",
	unauthorized: "unauthorized",
	forbidden: "forbidden",
	not_found: "notFound",
	method_not_allowed: "unsupported",
	conflict: "conflict",
	precondition_failed: "conflict",
	too_large: "tooLarge",
	unsupported_media_type: "unsupported",
	invalid: "badRequest",
	uncompilable: "failed",
	missing_components: "failed",
	too_many: "tooMany",
	corrupt: "failed",
	bad_gateway: "unavailable",
	unavailable: "unavailable",
};

function listHeaders(failure: Failure): Record<string, string> {
	switch (failure.kind) {
		case "unauthorized":
			return { "www-authenticate": failure.challenge ?? 'Basic realm="form", charset="UTF-8"' };
		case "too_many":
		case "unavailable":
			return { "retry-after": String(failure.retryAfterSeconds) };
		default:
			return {};
	}
}

function renderMessage(
	kind: PageKind,
	status: number,
	language: Language,
	more?: ReturnType<typeof html>,
	headers: Readonly<Record<string, string>> = {},
): Response {
	const { title, text } = TEXTS[language].pages[kind];
	const main = html`<h1>${title}</h1>
<p class="text">${text}</p>
${more}`;
	return buildPage({ title, main, language, status, headers });
}
