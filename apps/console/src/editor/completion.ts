import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { Asked, Offered } from "./completion-request.ts";
import { listKeyOptions, listValueOptions } from "./key-options.ts";
import { buildOutline } from "./outline.ts";
import type { Place } from "./place.ts";
import { findPlace } from "./place-at.ts";
import { listReferenceOptions } from "./reference-options.ts";
import type { Sources } from "./sources.ts";
import type { EditorTexts } from "./texts.ts";
import { listTripletOptions } from "./triplet-options.ts";

/** Options are computed once per word; further typing only filters the list. */
export function completion(sources: Sources, text: EditorTexts): Extension {
	return autocompletion({
		icons: false,
		override: [(context) => complete(context, sources, text)],
		activateOnCompletion: ({ type }) => type === "key",
		maxRenderedOptions: 60,
	});
}

async function complete(
	context: CompletionContext,
	sources: Sources,
	text: EditorTexts,
): Promise<CompletionResult | null> {
	const { doc } = context.state;
	const line = doc.lineAt(context.pos);
	const place = findPlace(doc, line.number, context.pos - line.from);
	if (place === null) return null;
	const written = line.text.slice(place.from, context.pos - line.from);
	if (!context.explicit && !opensByTyping(place, written)) return null;
	const after = line.text.slice(context.pos - line.from);
	const offered = await listOptions(place, { written, after, outline: buildOutline(doc), sources, text });
	if (offered === null || offered.options.length === 0 || context.aborted) return null;
	return { ...offered, from: line.from + offered.from, options: offered.options };
}

/** Without an explicit request, completion opens only after a word has started or where only known words can follow. */
function opensByTyping(place: Place, written: string): boolean {
	if (place.kind === "template" || place.kind === "value") return true;
	if (place.kind === "triplet" && place.part > 0) return true;
	return written !== "";
}

async function listOptions(place: Place, asked: Asked): Promise<Offered | null> {
	switch (place.kind) {
		case "triplet":
			return listTripletOptions(place, asked);
		case "template":
			return await listReferenceOptions(place.text, place.from, asked);
		case "key":
			return await listKeyOptions(place, asked);
		case "value":
			return await listValueOptions(place, asked);
	}
}
