import type { OpenApi } from "../openapi.ts";
import type { JsonSchema } from "../schema-components.ts";
import { type Html, html, joinPieces, type Piece, renderProse } from "./html.ts";
import { describeLimits, describeType, getMapValues, isAnyJson, listChoices, resolve } from "./schema.ts";

/** How one schema is listed. */
export interface Listing {
	readonly document: OpenApi;
	/** Requests mark required fields, responses mark optional ones. */
	readonly isRequest: boolean;
	/** The references seen so far, and whether they had fields: each is expanded once. */
	readonly met: Map<string, boolean>;
}

export const renderType = (schema: JsonSchema, { document }: Listing): Html =>
	html`<span class="type">${describeType(schema, document)}</span>`;

/** The description and limits of a value. */
export function renderAbout(schema: JsonSchema, { document, isRequest }: Listing): Piece {
	const { description } = resolve(schema, document);
	const notes = describeLimits(schema, document, isRequest);
	return [
		description !== undefined && html`<p>${renderProse(description)}</p>`,
		notes.length > 0 && html`<p class="meta">${joinPieces(notes, " · ")}</p>`,
	];
}

/** The nested fields of a value as a list; undefined for a plain value. */
export function renderFieldList(schema: JsonSchema, listing: Listing): Html | undefined {
	const { $ref } = schema;
	const core = resolve(schema, listing.document);
	if ($ref === undefined) return renderPartList(core, listing);
	if (listing.met.get($ref)) return html`<p class="meta">Fields as above</p>`;
	listing.met.set($ref, true);
	const made = renderPartList(core, listing);
	listing.met.set($ref, made !== undefined);
	return made;
}

function renderPartList(core: JsonSchema, listing: Listing): Html | undefined {
	const choices = listChoices(core);
	if (choices.length > 1) return renderChoiceList(choices, listing);
	const fields = Object.entries(core.properties ?? {});
	if (fields.length > 0) {
		return html`<ul>${fields.map(([name, schema]) => {
			return renderField(name, schema, core.required?.includes(name) ?? false, listing);
		})}</ul>`;
	}
	const only = choices[0] ?? core.items ?? getMapValues(core);
	return only && renderFieldList(only, listing);
}

function renderField(name: string, schema: JsonSchema, isRequired: boolean, listing: Listing): Html {
	const mark = listing.isRequest ? "required" : "optional";
	return html`<li><div><code>${name}</code> ${renderType(schema, listing)}
${isRequired === listing.isRequest && html`<b class="${mark}">${mark}</b>`}</div>
${renderAbout(schema, listing)}${renderFieldList(schema, listing)}</li>`;
}

function renderChoiceList(choices: readonly JsonSchema[], listing: Listing): Html | undefined {
	if (isAnyJson(choices, listing.document)) return undefined;
	const made = choices.map((schema) => ({ schema, within: renderFieldList(schema, listing) }));
	if (made.every(({ within }) => within === undefined)) return undefined;
	return html`<p class="meta">One of</p><ul>${made.map(
		({ schema, within }) =>
			html`<li><div class="type">${describeType(schema, listing.document)}</div>${renderAbout(schema, listing)}${within}</li>`,
	)}</ul>`;
}
