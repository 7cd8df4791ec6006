/** Safe markup. Text of a document becomes markup only through `html`, which escapes it. */
export class Html {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
}

/** A value in a template. Strings are escaped; undefined and false are omitted. */
export type Piece = Html | string | number | false | undefined | readonly Piece[];

const ENTITIES = new Map([
	["&", "&amp;"],
	["<", "&lt;"],
	[">", "&gt;"],
	['"', "&quot;"],
	["'", "&#39;"],
]);

export const html = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
	new Html(texts.reduce((made, text, index) => made + renderPiece(pieces[index - 1]) + text));

function renderPiece(piece: Piece): string {
	if (piece === undefined || piece === false) return "";
	if (piece instanceof Html) return piece.text;
	if (typeof piece === "object") return piece.map(renderPiece).join("");
	return String(piece).replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character) as string);
}

export const joinPieces = (pieces: readonly Piece[], between: string): Piece =>
	pieces.map((piece, index) => (index === 0 ? piece : [between, piece]));

/** Text in which backquotes mark code. */
export const renderProse = (text: string): Piece =>
	text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

export const renderJson = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`;

/** The first cell of a row is its header. Explicit roles: on phones the cells are blocks and lose their table semantics. */
export const renderTable = (columns: readonly string[], rows: readonly (readonly Piece[])[]): Html =>
	html`<table role="table">
<thead role="rowgroup"><tr role="row">${columns.map(renderColumnHead)}</tr></thead>
<tbody role="rowgroup">${rows.map(renderTableRow)}</tbody>
</table>`;

const renderColumnHead = (name: string): Html => html`<th role="columnheader" scope="col">${name}</th>`;

const renderTableRow = ([name, ...cells]: readonly Piece[]): Html =>
	html`<tr role="row"><th role="rowheader" scope="row">${name}</th>
${cells.map((cell) => html`<td role="cell">${cell}</td>`)}</tr>`;
