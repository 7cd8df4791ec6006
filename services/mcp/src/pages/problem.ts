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

/** Says what is wrong with a request that must not be sent on to where it asks. */
export const problemPage = ({ title, message, hint, status }: ProblemModel): PageAnswer =>
	pageOf(
		`${shownText(title)} – Tripline`,
		html`<p class="soft">Error ${status}</p>
<h1>${shownText(title)}</h1>
<p><bdi>${shownText(message, MOST_CHARACTERS)}</bdi></p>
${hint !== null && html`<p class="soft hint"><bdi>${shownText(hint, MOST_CHARACTERS)}</bdi></p>`}`,
	);
