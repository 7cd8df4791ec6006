import type { Form } from "@tripline/contract/webhook-trigger";
import { type Html, html, type Piece } from "@tripline/web/docs/html";
import type { FileFields } from "../http/bodies/fields.ts";
import { type Drawing, renderField } from "./controls.ts";
import { parseDone } from "./done.ts";
import type { Language } from "./languages.ts";
import { type FormGroup, type FormItem, type FormModel, listFileNames, TRAP_NAME } from "./model.ts";
import { buildPage } from "./page.ts";
import type { FieldProblem } from "./problems.ts";
import { type FormTexts, TEXTS } from "./texts.ts";

export interface FormPage {
	readonly model: FormModel;
	readonly form: Form;
	/** The title if the form has none. */
	readonly workflow: string;
	readonly language: Language;
	/** What was filled in, with its problems; omitted on a new page. */
	readonly rejected?: { readonly filled: FileFields; readonly problems: readonly FieldProblem[] };
	/** How large the files of the form may be together. */
	readonly maxFilesBytes: number;
	/** Between the title and the fields. */
	readonly introduction?: Piece;
	/** The page after it is the service's own. */
	readonly isOwn?: boolean;
}

/** The page of a form, status 200; with problems of what was filled in, status 422. */
export function renderForm(page: FormPage): Response {
	const { model, form, workflow, language, rejected, maxFilesBytes, introduction, isOwn = false } = page;
	const texts = TEXTS[language];
	const title = form.title ?? workflow;
	const problems = rejected?.problems ?? [];
	const drawing: Drawing = {
		texts,
		filled: rejected?.filled ?? null,
		messages: new Map(
			problems.flatMap(({ field, message }) => (field === null ? [] : [[field.name, message]])),
		),
		mayLeaveOut: false,
		maxFilesBytes,
	};
	const fileNames = listFileNames(model);
	const hadFiles = [...fileNames].some((name) => rejected?.filled.has(name));
	return buildPage({
		title: rejected === undefined ? title : `${texts.error} ${title}`,
		language,
		status: rejected === undefined ? 200 : 422,
		formAction: isOwn ? "'self'" : chooseFormAction(form),
		main: html`<h1>${title}</h1>
${form.description !== undefined && html`<p class="text">${form.description}</p>`}
${introduction}
${renderSummary(problems, texts, hadFiles)}
<form method="post" accept-charset="utf-8"${fileNames.size > 0 && html` enctype="multipart/form-data"`}>
${model.items.map((item) => renderItem(item, drawing))}
${renderTrap(texts)}
<button type="submit">${form.submit ?? texts.submit}</button>
</form>`,
	});
}

/** What `respond` gives may be a redirect to any address. */
function chooseFormAction({ done }: Form): string {
	const parsed = parseDone(done);
	if (parsed === null) return "'self' https:";
	return parsed.kind === "address" ? `'self' ${new URL(parsed.address).origin}` : "'self'";
}

function renderItem(item: FormItem, drawing: Drawing): Piece {
	if (item.kind === "constant") return undefined;
	return item.kind === "group" ? renderGroup(item, drawing) : [renderField(item, drawing), "\n"];
}

const renderGroup = ({ label, help, isRequired, items }: FormGroup, drawing: Drawing): Html =>
	html`<fieldset class="group">
<legend>${label}${!isRequired && html` <span class="soft">${drawing.texts.optional}</span>`}</legend>
${help !== null && html`<p class="help">${help}</p>`}
${items.map((item) => renderItem(item, { ...drawing, mayLeaveOut: !isRequired }))}</fieldset>
`;

/** It has the focus when the page opens, so that a screen reader begins with it. */
const renderSummary = (problems: readonly FieldProblem[], texts: FormTexts, hadFiles: boolean): Piece =>
	problems.length > 0 &&
	html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${texts.summary(problems.length)}</h2>
<ul>${problems.map(
		({ field, message }) =>
			html`<li>${field === null ? message : html`<a href="#${field.id}">${field.label}</a>${texts.colon}${message}`}</li>`,
	)}</ul>${
		hadFiles &&
		html`
<p>${texts.chooseAgain}</p>`
	}
</div>`;

/** Programs fill in every field; people neither see this one nor reach it with the keyboard. */
const renderTrap = (texts: FormTexts): Html =>
	html`<div class="more" aria-hidden="true"><label for="more">${texts.trap}</label>
<input type="text" id="more" name="${TRAP_NAME}" tabindex="-1" autocomplete="off"></div>`;
