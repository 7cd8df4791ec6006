import { malformed } from "./failures.ts";
import { FieldCollector, type Fields } from "./fields.ts";

/** Parses `application/x-www-form-urlencoded` text, as in a body or a query. `what` names it in messages. */
export function parseFormText(text: string, what: "form" | "query"): Fields {
	const collector = new FieldCollector();
	let start = 0;
	while (start < text.length) {
		const ampersand = text.indexOf("&", start);
		const end = ampersand === -1 ? text.length : ampersand;
		if (end > start) addField(collector, text.slice(start, end), what);
		start = end + 1;
	}
	return collector.fields;
}

function addField(collector: FieldCollector, pair: string, what: string): void {
	const equals = pair.indexOf("=");
	if (equals === -1) collector.add(decode(pair, what), "");
	else collector.add(decode(pair.slice(0, equals), what), decode(pair.slice(equals + 1), what));
}

function decode(text: string, what: string): string {
	const spaced = text.replaceAll("+", " ");
	if (!spaced.includes("%")) return spaced;
	try {
		return decodeURIComponent(spaced);
	} catch {
		throw malformed(`the ${what} is not valid percent-encoded UTF-8`);
	}
}
