import { html } from "@tripline/web/docs/html";
import { formatText } from "./format.ts";
import { buildPage, type RenderedPage } from "./page.ts";

const MAX_TEXT_LENGTH = 600;

interface ProblemModel {
	readonly title: string;
	readonly message: string;
	/** What to do about it. */
	readonly hint: string | null;
	readonly status: number;
}

/** An error page, for requests whose redirect URI must not be used. */
export const problemPage = ({ title, message, hint, status }: ProblemModel): RenderedPage =>
	buildPage(
		`${formatText(title)} – Tripline`,
		html`<p class="soft">Error ${status}</p>
<h1>${formatText(title)}</h1>
<p><bdi>${formatText(message, MAX_TEXT_LENGTH)}</bdi></p>
${hint !== null && html`<p class="soft hint"><bdi>${formatText(hint, MAX_TEXT_LENGTH)}</bdi></p>`}`,
	);
