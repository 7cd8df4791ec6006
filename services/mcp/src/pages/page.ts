import { Html, html, type Piece } from "@tripline/web/docs/html";
import { STYLE, STYLE_HASH } from "./style.ts";

export interface RenderedPage {
	readonly html: string;
	readonly headers: Record<string, string>;
}

/** No `form-action`, because Chrome also applies it to all redirects that follow the form. */
const POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

/** The logo: three nodes and the edges between them. */
const LOGO = new Html(
	`<path d="M5.5 23.5 16 7.5l10.5 16" fill="none" stroke="currentColor" stroke-width="2.5"/>
<path d="M5.5 23.5h21" fill="none" stroke="currentColor" stroke-width="2.5" stroke-dasharray="0 5" stroke-linecap="round"/>
<g fill="currentColor"><circle cx="5.5" cy="23.5" r="4"/><circle cx="16" cy="7.5" r="4"/><circle cx="26.5" cy="23.5" r="4"/></g>`,
);
const ICON = `data:image/svg+xml,${encodeURIComponent(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" color="#3b82d0">${LOGO.text}</svg>`,
)}`;

/** A page without scripts and without external resources. */
export const buildPage = (title: string, main: Piece): RenderedPage => ({
	html: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<header><svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">${LOGO}</svg>Tripline</header>
<main>
${main}
</main>
</body>
</html>
`.text,
	headers: {
		"content-type": "text/html; charset=utf-8",
		"content-security-policy": POLICY,
		"referrer-policy": "same-origin",
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
		"x-frame-options": "DENY",
	},
});
