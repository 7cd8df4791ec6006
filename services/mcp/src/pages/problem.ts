import { html } from "@tripline/web/docs/html";
import { type PageAnswer, pageOf } from "./page.ts";
import { shownText } from "./shown.ts";

const MOST_CHARACTERS = 600;

interface ProblemModel {
	readonly title: string;
	readonly message: string;
	/** What to do about it. */
	readonly hint: string | null;
	readonly status: number;
}

/** An error page, for requests whose redirect URI must not be used. */
export const problemPage = ({ title, message, hint, status }: ProblemModel): PageAnswer =>
	pageOf(
		`${shownText(title)} – Tripline`,
		html`<p class="soft">Error ${status}</p>
<h1>${shownText(title)}</h1>
<p><bdi>${shownText(message, MOST_CHARACTERS)}</bdi></p>
${hint !== null && html`<p class="soft hint"><bdi>${shownText(hint, MOST_CHARACTERS)}</bdi></p>`}`,
	);
