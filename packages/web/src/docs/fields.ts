import type { JsonSchema } from "../components.ts";
import type { OpenApi } from "../openapi.ts";
import { type Html, html, joined, type Piece, prose } from "./html.ts";
import { choicesOf, isAnyJson, label, limits, mapValues, resolve } from "./schema.ts";

/** How one schema is listed. */
export interface Listing {
	readonly document: OpenApi;
	/** Requests mark required fields, responses mark optional ones. */
	readonly isRequest: boolean;
	/** The references seen so far, and whether they had fields: each is expanded once. */
	readonly met: Map<string, boolean>;
}

export const typeOf = (schema: JsonSchema, { document }: Listing): Html =>
	html`<span class="type">${label(schema, document)}</span>`;

/** The description and limits of a value. */
export function about(schema: JsonSchema, { document, isRequest }: Listing): Piece {
	const { description } = resolve(schema, document);
	const notes = limits(schema, document, isRequest);
	return [
		description !== undefined && html`<p>${prose(description)}</p>`,
		notes.length > 0 && html`<p class="meta">${joined(notes, " · ")}</p>`,
	];
}

/** The nested fields of a value as a list; undefined for a plain value. */
export function fieldList(schema: JsonSchema, listing: Listing): Html | undefined {
	const { $ref } = schema;
	const core = resolve(schema, listing.document);
	if ($ref === undefined) return partList(core, listing);
	if (listing.met.get($ref)) return html`<p class="meta">Fields as above</p>`;
	listing.met.set($ref, true);
	const made = partList(core, listing);
	listing.met.set($ref, made !== undefined);
	return made;
}

function partList(core: JsonSchema, listing: Listing): Html | undefined {
	const choices = choicesOf(core);
	if (choices.length > 1) return choiceList(choices, listing);
	const fields = Object.entries(core.properties ?? {});
	if (fields.length > 0) {
		return html`<ul>${fields.map(([name, schema]) => {
			return field(name, schema, core.required?.includes(name) ?? false, listing);
		})}</ul>`;
	}
	const only = choices[0] ?? core.items ?? mapValues(core);
	return only && fieldList(only, listing);
}

function field(name: string, schema: JsonSchema, isRequired: boolean, listing: Listing): Html {
	const mark = listing.isRequest ? "required" : "optional";
	return html`<li><div><code>${name}</code> ${typeOf(schema, listing)}
${isRequired === listing.isRequest && html`<b class="${mark}">${mark}</b>`}</div>
${about(schema, listing)}${fieldList(schema, listing)}</li>`;
}

function choiceList(choices: readonly JsonSchema[], listing: Listing): Html | undefined {
	if (isAnyJson(choices, listing.document)) return undefined;
	const made = choices.map((schema) => ({ schema, within: fieldList(schema, listing) }));
	if (made.every(({ within }) => within === undefined)) return undefined;
	return html`<p class="meta">One of</p><ul>${made.map(
		({ schema, within }) =>
			html`<li><div class="type">${label(schema, listing.document)}</div>${about(schema, listing)}${within}</li>`,
	)}</ul>`;
}
