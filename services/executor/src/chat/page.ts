import { Html, html } from "@tripline/web/docs/html";
import type { Language } from "../forms/languages.ts";
import { ICON } from "../forms/page.ts";
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from "./assets.ts";

const TEXTS = {
	en: { title: "Chat", script: "This page needs JavaScript." },
	"zh-Hant": { title: "對話", script: "此頁面需要 JavaScript。" },
} as const;

/** The same for all chats of a language: title and messages are read by the script, with the token of the link. */
export function renderChatPage(language: Language): Response {
	const texts = TEXTS[language];
	return new Response(
		html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.title}</title>
<link rel="icon" href="${ICON}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<noscript>${texts.script}</noscript>
<script type="module">${new Html(SCRIPT)}</script>
</body>
</html>
`.text,
		{ headers: HEADERS },
	);
}

const HEADERS = {
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": `default-src 'none'; script-src '${SCRIPT_HASH}'; style-src '${STYLE_HASH}'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
	"referrer-policy": "no-referrer",
	"cache-control": "no-store",
	vary: "accept-language",
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
} as const;
