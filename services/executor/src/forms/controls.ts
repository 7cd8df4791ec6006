import type { Json } from "@tripline/contract/json";
import { type Html, html, type Piece } from "@tripline/web/docs/html";
import type { FileFields } from "../http/bodies/fields.ts";
import { findAutocomplete } from "./autocomplete.ts";
import type { FormField, Option } from "./model.ts";
import type { FormTexts } from "./texts.ts";

export interface Drawing {
	readonly texts: FormTexts;
	/** What was filled in before; null on a new page, which shows the presets. */
	readonly filled: FileFields | null;
	/** Messages by the names of the fields. */
	readonly messages: ReadonlyMap<string, string>;
	/** Inside a group that may be left out no field can be required by the browser. */
	readonly mayLeaveOut: boolean;
	/** How large the files may be together. */
	readonly maxFilesBytes: number;
}

/** A choice with at most this many options shows all of them. */
const MAX_RADIOS = 5;

export function renderField(field: FormField, drawing: Drawing): Html {
	switch (field.kind) {
		case "boolean":
			return renderBoolean(field, drawing);
		case "several":
			return renderOptions(field, field.options, "checkbox", drawing);
		case "choice":
			if (field.options.length <= MAX_RADIOS) return renderOptions(field, field.options, "radio", drawing);
	}
	return html`<div class="field">
<label for="${field.id}">${field.label}${renderOptionalMark(field, drawing)}</label>
${renderNotes(field, drawing)}
${renderControl(field, drawing)}
</div>`;
}

function renderControl(field: FormField, drawing: Drawing): Html {
	const common = html`id="${field.id}" name="${field.name}"${needs(field, drawing) && html` required`}${renderState(field, drawing)}`;
	const [text = ""] = listFilled(field, drawing);
	switch (field.kind) {
		case "text":
			return html`<input type="${chooseInputType(field)}" ${common}${renderLengths(field)}${renderAutocomplete(field.key, chooseInputType(field))} value="${text}">`;
		case "long_text":
			return renderTextarea(common, text, renderLengths(field));
		case "lines":
			return renderTextarea(common, text, undefined);
		case "number":
			return html`<input type="number" inputmode="${field.isWhole ? "numeric" : "decimal"}" ${common}${renderBounds(field)} value="${text}">`;
		case "date":
			return html`<input type="date" ${common}${renderAutocomplete(field.key, "date")} value="${text}">`;
		case "time":
			return html`<input type="time" ${common} value="${text}">`;
		case "date_time":
			return html`<input type="datetime-local" ${common} value="${text}">`;
		case "file":
			return html`<input type="file" ${common}${field.isList && html` multiple`}${field.types !== null && html` accept="${field.types.join(",")}"`}>`;
		default:
			return renderSelect(field, common, text, drawing);
	}
}

/** A parser drops the first line break inside the element. */
const renderTextarea = (common: Html, text: string, more: Piece): Html =>
	html`<textarea rows="5" ${common}${more}>
${text}</textarea>`;

function renderSelect(field: FormField, common: Html, text: string, { texts }: Drawing): Html {
	const options = field.kind === "choice" ? field.options : [];
	return html`<select ${common}><option value="">${field.isRequired ? texts.choose : texts.noAnswer}</option>
${options.map(
	(option) =>
		html`<option value="${option.text}"${option.text === text && html` selected`}>${toOptionLabel(option, texts)}</option>`,
)}</select>`;
}

function renderOptions(
	field: FormField,
	options: readonly Option[],
	type: "radio" | "checkbox",
	drawing: Drawing,
): Html {
	const { texts } = drawing;
	const chosen = new Set(listFilled(field, drawing));
	const isNeeded = type === "radio" && needs(field, drawing);
	const isInvalid = drawing.messages.has(field.name);
	const none: Option = { text: "", label: texts.noAnswer, value: null };
	const shown = type === "radio" && !isNeeded ? [...options, none] : options;
	if (shown !== options && chosen.size === 0) chosen.add("");
	// Only a group of radio buttons can be invalid as a whole.
	return html`<fieldset class="field"${type === "radio" && html` role="radiogroup"`}${type === "radio" && isInvalid && html` aria-invalid="true"`}${renderDescribedBy(field, drawing)}>
<legend>${field.label}${renderOptionalMark(field, drawing)}</legend>
${renderNotes(field, drawing)}
${shown.map((option, index) => {
	const id = index === 0 ? field.id : `${field.id}-${index}`;
	return html`<div class="option"><input type="${type}" id="${id}" name="${field.name}" value="${option.text}"${isNeeded && html` required`}${type === "checkbox" && isInvalid && html` aria-invalid="true"`}${chosen.has(option.text) && html` checked`}><label for="${id}">${toOptionLabel(option, texts)}</label></div>
`;
})}</fieldset>`;
}

function renderBoolean(field: FormField & { readonly kind: "boolean" }, drawing: Drawing): Html {
	const isChecked = listFilled(field, drawing).includes("true");
	const isNeeded = field.mustBeTrue && needs(field, drawing);
	return html`<div class="field">
<div class="option"><input type="checkbox" id="${field.id}" name="${field.name}" value="true"${isNeeded && html` required`}${renderState(field, drawing)}${isChecked && html` checked`}><label for="${field.id}">${field.label}</label></div>
${renderNotes(field, drawing)}
</div>`;
}

const toOptionLabel = ({ label }: Option, { yes, no }: FormTexts): string =>
	typeof label === "boolean" ? (label ? yes : no) : label;

function needs(field: FormField, { mayLeaveOut }: Drawing): boolean {
	if (mayLeaveOut || !field.isRequired || field.isNullable) return false;
	return field.kind === "lines" || field.kind === "file" ? field.isNeeded : true;
}

/** Lists and boxes may always be left empty, unless the schema says otherwise when it is checked. */
const renderOptionalMark = (field: FormField, { texts }: Drawing): Piece =>
	!field.isRequired && html` <span class="soft">${texts.optional}</span>`;

function renderNotes(field: FormField, drawing: Drawing): Html {
	const message = drawing.messages.get(field.name);
	const help = listHelp(field, drawing);
	return html`${help.length > 0 && html`<p class="help" id="${field.id}-help">${help.join("\n")}</p>`}
${message !== undefined && html`<p class="problem" id="${field.id}-problem"><span class="unseen">${drawing.texts.error} </span>${message}</p>`}`;
}

function listHelp(field: FormField, drawing: Drawing): string[] {
	return [field.help, findHint(field, drawing)].filter((each): each is string => each !== null);
}

function findHint(field: FormField, { texts, maxFilesBytes }: Drawing): string | null {
	switch (field.kind) {
		case "lines":
			return texts.linesHint;
		case "date_time":
			return texts.utcHint;
		case "file":
			return texts.fileHint(renderSize(maxFilesBytes), field.isList);
		default:
			return null;
	}
}

/** Rounded down, because a file of that size must be taken. */
function renderSize(bytes: number): string {
	if (bytes < 1024) return `${bytes} B`;
	return bytes < 1024 * 1024 ? `${Math.floor(bytes / 1024)} KB` : `${Math.floor(bytes / (1024 * 1024))} MB`;
}

const renderState = (field: FormField, drawing: Drawing): Html =>
	html`${drawing.messages.has(field.name) && html` aria-invalid="true"`}${renderDescribedBy(field, drawing)}`;

function renderDescribedBy(field: FormField, drawing: Drawing): Piece {
	const ids = [
		...(listHelp(field, drawing).length > 0 ? [`${field.id}-help`] : []),
		...(drawing.messages.has(field.name) ? [`${field.id}-problem`] : []),
	];
	return ids.length > 0 && html` aria-describedby="${ids.join(" ")}"`;
}

const renderLengths = (field: {
	readonly minLength: number | null;
	readonly maxLength: number | null;
}): Html => html`${renderNumber("minlength", field.minLength)}${renderNumber("maxlength", field.maxLength)}`;

const renderBounds = (field: FormField & { readonly kind: "number" }): Html =>
	html`${renderNumber("min", field.min)}${renderNumber("max", field.max)} step="${field.step ?? "any"}"`;

const renderNumber = (name: "min" | "max" | "minlength" | "maxlength", value: number | null): Piece =>
	value !== null && value > (name === "minlength" ? 0 : Number.NEGATIVE_INFINITY)
		? [ATTRIBUTES[name], html`="${value}"`]
		: undefined;

const ATTRIBUTES = {
	min: html` min`,
	max: html` max`,
	minlength: html` minlength`,
	maxlength: html` maxlength`,
} as const;

/** Phones show the keys of a telephone for numbers that a schema cannot mark. */
function chooseInputType(field: FormField & { readonly kind: "text" }): string {
	const isPhone = field.input === "text" && findAutocomplete(field.key, "text") === "tel";
	return isPhone ? "tel" : field.input;
}

function renderAutocomplete(key: string, type: string): Piece {
	const token = findAutocomplete(key, type);
	return token !== undefined && html` autocomplete="${token}"`;
}

/** What the field holds: as it was filled in, else its preset. */
function listFilled(field: FormField, { filled }: Drawing): readonly string[] {
	if (filled !== null)
		return (filled.get(field.name) ?? []).filter((value): value is string => typeof value === "string");
	const { preset } = field;
	if (preset === undefined || preset === null) return [];
	if (Array.isArray(preset))
		return field.kind === "several" ? preset.map(toText) : [preset.map(toText).join("\n")];
	return [field.kind === "date_time" ? toLocalTime(toText(preset)) : toText(preset)];
}

const toText = (value: Json): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Without the zone, in UTC, as the input requires. */
function toLocalTime(text: string): string {
	const time = Date.parse(text);
	return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 16);
}
