import type { Incoming } from "@tripline/web/http-message";

const YAML = /^(?:application|text)\/(?:x-)?yaml$/;
const EVENTS = /^text\/event-stream$/;
const JSON_TYPE = /^application\/json$/;

/** Only if it is named explicitly: for `any type` the answer stays JSON. */
export const wantsYaml = (request: Incoming): boolean => prefers(request, YAML);
export const wantsEvents = (request: Incoming): boolean => prefers(request, EVENTS);

function prefers({ headers }: Incoming, wanted: RegExp): boolean {
	const accept = headers.get("accept");
	if (accept === null) return false;
	const ranges = accept.split(",").map(parseRange);
	const best = ranges
		.filter(({ type, quality }) => quality > 0 && (wanted.test(type) || JSON_TYPE.test(type)))
		// The first of equal quality wins.
		.reduce<Range | null>((one, other) => (one === null || other.quality > one.quality ? other : one), null);
	return best !== null && wanted.test(best.type);
}

interface Range {
	readonly type: string;
	readonly quality: number;
}

function parseRange(text: string): Range {
	const [type = "", ...parameters] = text.toLowerCase().split(";");
	const quality = parameters
		.map((each) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(each)?.[1])
		.find((q) => q !== undefined);
	return { type: type.trim(), quality: quality === undefined ? 1 : Number(quality) };
}
