import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { Asked, Offered } from "./asked.ts";
import { keyOptions, valueOptions } from "./key-options.ts";
import { outlineOf } from "./outline.ts";
import type { Place } from "./place.ts";
import { placeAt } from "./place-at.ts";
import { referenceOptions } from "./reference-options.ts";
import type { Sources } from "./sources.ts";
import type { EditorTexts } from "./texts.ts";
import { tripletOptions } from "./triplet-options.ts";

/** Options are computed once per word; further typing only filters the list. */
export function completion(sources: Sources, text: EditorTexts): Extension {
	return autocompletion({
		icons: false,
		override: [(context) => completed(context, sources, text)],
		activateOnCompletion: ({ type }) => type === "key",
		maxRenderedOptions: 60,
	});
}

async function completed(
	context: CompletionContext,
	sources: Sources,
	text: EditorTexts,
): Promise<CompletionResult | null> {
	const { doc } = context.state;
	const line = doc.lineAt(context.pos);
	const place = placeAt(doc, line.number, context.pos - line.from);
	if (place === null) return null;
	const written = line.text.slice(place.from, context.pos - line.from);
	if (!context.explicit && !isOffered(place, written)) return null;
	const after = line.text.slice(context.pos - line.from);
	const offered = await offeredAt(place, { written, after, outline: outlineOf(doc), sources, text });
	if (offered === null || offered.options.length === 0 || context.aborted) return null;
	return { ...offered, from: line.from + offered.from, options: offered.options };
}

/** Without an explicit request, completion opens only after a word has started or where only known words can follow. */
function isOffered(place: Place, written: string): boolean {
	if (place.kind === "template" || place.kind === "value") return true;
	if (place.kind === "triplet" && place.part > 0) return true;
	return written !== "";
}

async function offeredAt(place: Place, asked: Asked): Promise<Offered | null> {
	switch (place.kind) {
		case "triplet":
			return tripletOptions(place, asked);
		case "template":
			return await referenceOptions(place.text, place.from, asked);
		case "key":
			return await keyOptions(place, asked);
		case "value":
			return await valueOptions(place, asked);
	}
}
