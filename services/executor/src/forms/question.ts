import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { html, type Piece } from "@tripline/web/docs/html";
import type { Language } from "./languages.ts";
import { renderMarkdown } from "./markdown.ts";
import { buildPage } from "./page.ts";
import { type QuestionPage, TEXTS } from "./texts.ts";

/** Above the fields of a question. */
export const renderQuestion = (question: string, show: JsonObject): Piece => [
	html`<div class="text question">${renderMarkdown(question)}</div>`,
	renderShown(show),
];

export function renderQuestionPage(kind: QuestionPage, language: Language): Response {
	const { title, text } = TEXTS[language].questions[kind];
	return buildPage({
		title,
		language,
		status: kind === "thanks" ? 200 : 410,
		main: html`<h1>${title}</h1>
<p class="text" role="status">${text}</p>`,
	});
}

function renderShown(show: JsonObject): Piece {
	const names = Object.keys(show);
	if (names.length === 0) return undefined;
	return html`<dl class="shown">${names.map(
		(name) => html`<dt>${name}</dt><dd>${toText(show[name] ?? null)}</dd>`,
	)}</dl>`;
}

const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 1));
