import { html } from "@tripline/web/docs/html";
import type { Language } from "../forms/languages.ts";
import { buildPage } from "../forms/page.ts";
import type { SignInTarget } from "./flows.ts";
import { SIGN_IN_TEXTS, type SignInProblem } from "./texts.ts";

/** Says which account will be used for what, before anything happens. */
export function renderStart(
	target: SignInTarget,
	{ service, base }: { readonly service: string; readonly base: string },
	language: Language,
): Response {
	const texts = SIGN_IN_TEXTS[language];
	const title = texts.title(service);
	return buildPage({
		title,
		language,
		status: 200,
		// Chromium applies it to all redirects that follow, and services lead over several of their hosts.
		formAction: base.startsWith("https:") ? "'self' https:" : "'self' https: http:",
		main: html`<h1>${title}</h1>
<p class="text">${texts.explanation}</p>
<dl class="shown"><dt>${texts.service}</dt><dd>${service}</dd><dt>${texts.credential}</dt><dd>${target.credential}</dd><dt>${texts.namespace}</dt><dd>${target.namespace}</dd></dl>
<p>${texts.warning}</p>
<form method="post"><button type="submit">${texts.submit}</button></form>`,
	});
}

export function renderDone(
	target: SignInTarget,
	shown: { readonly service: string; readonly account: string | null },
	language: Language,
	headers: Readonly<Record<string, string>>,
): Response {
	const texts = SIGN_IN_TEXTS[language];
	return buildPage({
		title: texts.done.title,
		language,
		status: 200,
		headers,
		main: html`<h1>${texts.done.title}</h1>
<dl class="shown"><dt>${texts.service}</dt><dd>${shown.service}</dd>${
			shown.account !== null && html`<dt>${texts.account}</dt><dd>${shown.account}</dd>`
		}<dt>${texts.credential}</dt><dd>${target.credential}</dd></dl>
<p class="text" role="status">${texts.done.text}</p>`,
	});
}

export function renderProblem(
	kind: SignInProblem,
	language: Language,
	more: { readonly code?: string | null; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
	const texts = SIGN_IN_TEXTS[language];
	const { title, text } = texts.problems[kind];
	const { code = null, headers = {} } = more;
	return buildPage({
		title,
		language,
		status: STATUS[kind],
		headers,
		main: html`<h1>${title}</h1>
<p class="text" role="alert">${text}</p>
${code !== null && html`<p>${texts.code}: <code>${code}</code></p>`}`,
	});
}

const STATUS: Readonly<Record<SignInProblem, number>> = {
	link: 410,
	foreign: 403,
	tooMany: 429,
	unknown: 400,
	browser: 400,
	issuer: 400,
	refused: 400,
	changed: 409,
	exchange: 502,
	unavailable: 503,
};
