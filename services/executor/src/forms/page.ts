import { Html, html, type Piece } from "@tripline/web/docs/html";
import type { Language } from "./languages.ts";
import { STYLE, STYLE_HASH } from "./style.ts";

/** Three nodes and the edges between them. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" color="#3b82d0"><path d="M5.5 23.5 16 7.5l10.5 16" fill="none" stroke="currentColor" stroke-width="2.5"/><g fill="currentColor"><circle cx="5.5" cy="23.5" r="4"/><circle cx="16" cy="7.5" r="4"/><circle cx="26.5" cy="23.5" r="4"/></g></svg>`,
)}`;

export interface PageContent {
	readonly title: string;
	readonly main: Piece;
	readonly language: Language;
	readonly status: number;
	/** Where a form may lead: Chromium also applies it to the redirects that follow. */
	readonly formAction?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A page without scripts and without external resources. */
export const buildPage = ({ title, main, language, status, formAction, headers }: PageContent): Response =>
	new Response(
		html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`.text,
		{ status, headers: { ...buildHeaders(formAction), ...headers } },
	);

const buildHeaders = (formAction = "'none'"): Record<string, string> => ({
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
	// With no-referrer a browser would send `Origin: null` with the form, as a foreign page does.
	"referrer-policy": "same-origin",
	"cache-control": "no-store",
	vary: "accept-language",
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
});
